/* What a GPU measures of itself, once: a fifth of a second at most, the first time that strategy `auto` has to weigh
 * one form of a program against another. Kept on disk under the device's name and uuid, the driver's version and ours.
 */
#ifndef GF_BACKEND_CUDA_MEASURE_H
#define GF_BACKEND_CUDA_MEASURE_H

#include "backend/cuda/device.h"

/* Figures where nothing was measured: an NVIDIA H200 with driver 580. */
gf_cuda_figures gf_cuda_figures_default(void);

/* Read from disk, else measured and kept there, when first asked for; the default where that fails. `origin` (NULL
 * allowed) says which. From any thread; the context need not be entered. */
gf_cuda_figures gf_cuda_figures_get(gf_cuda_device *device, gf_cuda_figures_origin *origin);
/* What is there already, on disk too; false where nothing is. Measures nothing. */
bool gf_cuda_figures_peek(gf_cuda_device *device, gf_cuda_figures *figures);
/* Puts them on disk, for this and later processes; what cannot be kept is measured again. */
void gf_cuda_figures_keep(const gf_cuda_device *device, const gf_cuda_figures *figures);
/* Lines `WHAT: VALUE`, behind what stands in `text` already. */
void gf_cuda_figures_describe(const gf_cuda_figures *figures, const gf_cuda_facts *facts, char *text, size_t size);

/* The measuring itself; the context is entered. False, with a message or without, where that is of no use. */
bool gf_cuda_measure(gf_cuda_device *device, gf_cuda_figures *figures, gf_diags *diags);

#endif
