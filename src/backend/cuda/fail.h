/* What the driver's calls give, as messages: `return gf_cuda_ok(driver, driver->cuX(...), "cuX", diags)`. */
#ifndef GF_BACKEND_CUDA_FAIL_H
#define GF_BACKEND_CUDA_FAIL_H

#include "backend/cuda/driver.h"

/* True for CUDA_SUCCESS; else false with a message: the call, the error's name, what it means, what to do. Memory that
 * ran out has a code of its own, and so has an error after which the context is of no use. */
bool gf_cuda_ok(const gf_cuda_driver *driver, CUresult result, const char *call, gf_diags *diags);

/* True for an error that stays: every later call in the context of it gives it again. */
bool gf_cuda_is_sticky(CUresult result);

/* The driver's name of an error ("CUDA_ERROR_INVALID_VALUE"), and its text; never NULL. */
const char *gf_cuda_error_name(const gf_cuda_driver *driver, CUresult result);
const char *gf_cuda_error_text(const gf_cuda_driver *driver, CUresult result);

/* What to do about a lost device. */
void gf_cuda_fix_lost(gf_diags *diags);
void gf_cuda_fix_stuck(gf_diags *diags); /* to a kernel that does not end */

#endif
