/* Loops of a plan, and how often they will turn. */
#ifndef GF_BACKEND_CUDA_TURNS_H
#define GF_BACKEND_CUDA_TURNS_H

#include "backend/cuda/sizes.h"
#include "emit/ptx/emit.h"

/* Of each loop, as far as it can be told before a run: right for the first time that it is come to, or more than it
 * will be where it may end sooner. By gf_malloc; NULL and 0 where there are none, or no memory: one can do without. */
gf_ptx_guess *gf_cuda_guess_turns(const gf_cuda_sizes *sizes, size_t *count);

#endif
