/* What a launch asks for, as words: two with the same key are carried out alike. */
#ifndef GF_BACKEND_CUDA_KEY_H
#define GF_BACKEND_CUDA_KEY_H

#include <gridfence/backend.h>

typedef struct gf_cuda_key {
    size_t count;
    uint64_t words[];
} gf_cuda_key;

/* By gf_malloc; NULL without memory. */
gf_cuda_key *gf_cuda_key_make(const gf_backend_launch *launch);
bool gf_cuda_key_fits(const gf_cuda_key *key, const gf_backend_launch *launch); /* NULL fits none */

#endif
