#include "backend/cuda/key.h"
#include "base/memory.h"

#define AXES ((size_t)3)
#define ALONE (2 * AXES + 4) /* words that each launch has */

static size_t count_words(const gf_backend_launch *launch) {
    return ALONE + launch->param_count + launch->buffer_count;
}

static uint64_t word_at(const gf_backend_launch *launch, size_t i) {
    if (i >= ALONE + launch->param_count) {
        return launch->buffers[i - ALONE - launch->param_count].count;
    }
    if (i >= ALONE) {
        return launch->params[i - ALONE].bits;
    }
    if (i < 2 * AXES) {
        return i < AXES ? launch->space[i] : launch->groups[i - AXES];
    }
    const uint64_t others[ALONE - 2 * AXES] = {launch->max_passes, launch->compare, launch->checked,
                                               launch->memory_left};
    return others[i - 2 * AXES];
}

gf_cuda_key *gf_cuda_key_make(const gf_backend_launch *launch) {
    size_t count = count_words(launch);
    gf_cuda_key *key = gf_malloc(sizeof *key + count * sizeof key->words[0]);
    for (size_t i = 0; key != NULL && i < count; i++) {
        key->words[i] = word_at(launch, i);
    }
    if (key != NULL) {
        key->count = count;
    }
    return key;
}

bool gf_cuda_key_fits(const gf_cuda_key *key, const gf_backend_launch *launch) {
    bool fits = key != NULL && key->count == count_words(launch);
    for (size_t i = 0; fits && i < key->count; i++) {
        fits = key->words[i] == word_at(launch, i);
    }
    return fits;
}
