/* What whole.c and module.c share. */
#ifndef GF_EMIT_PTX_WHOLE_H
#define GF_EMIT_PTX_WHOLE_H

#include "emit/ptx/grid.h"

typedef struct gf_ptx_watch {
    uint32_t *buffers; /* that a pass must leave as it found them */
    size_t count;
    const bool *tracked; /* by plan buffer */
} gf_ptx_watch;

void gf_ptx_write_whole(gf_ptx_walk *walk, const gf_ptx_watch *watch);

#endif
