/* The largest element of a buffer, by all threads: what indices into another buffer is, is checked once for all. */
#include "backend/cpu/run.h"
#include "ir/program.h"
#include <stdatomic.h>
#include <stdint.h>

#define PART ((uint64_t)1 << 16) /* elements */
#define AT_ONCE 4                /* so that one comparison does not wait for the one before */

typedef struct look {
    const void *data;
    size_t size; /* of an element */
    _Atomic uint64_t most;
} look;

static uint64_t element(const look *l, uint64_t i) {
    switch (l->size) {
    case 1:
        return ((const uint8_t *)l->data)[i];
    case 2:
        return ((const uint16_t *)l->data)[i];
    case 4:
        return ((const uint32_t *)l->data)[i];
    default:
        return ((const uint64_t *)l->data)[i];
    }
}

static void look_at_part(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    look *l = context;
    uint64_t most[AT_ONCE] = {0}, i = begin;
    for (; end - i >= AT_ONCE; i += AT_ONCE) {
        for (unsigned k = 0; k < AT_ONCE; k++) {
            uint64_t value = element(l, i + k);
            most[k] = value > most[k] ? value : most[k];
        }
    }
    for (; i < end; i++) {
        uint64_t value = element(l, i);
        most[0] = value > most[0] ? value : most[0];
    }
    uint64_t known = atomic_load_explicit(&l->most, memory_order_relaxed);
    for (unsigned k = 0; k < AT_ONCE; k++) {
        while (most[k] > known && !atomic_compare_exchange_weak_explicit(&l->most, &known, most[k],
                                                                         memory_order_relaxed, memory_order_relaxed)) {
        }
    }
}

uint64_t gf_cpu_find_largest(gf_cpu_run *run, uint32_t buffer) {
    look l = {.data = run->buffers[buffer].data,
              .size = gf_type_bytes(run->kernel->plan->buffers[buffer].symbol->type)};
    gf_pool_job job = {.body = look_at_part, .context = &l, .count = run->buffers[buffer].count, .grain = PART};
    gf_pool_run(run->threads > 1 ? run->pool : NULL, &job);
    return atomic_load_explicit(&l.most, memory_order_relaxed);
}
