/* Threads of a grid while they run: what ptx_run.c and ptx_value.c share. */
#ifndef GF_TESTS_FAKE_CUDA_PTX_THREAD_H
#define GF_TESTS_FAKE_CUDA_PTX_THREAD_H

#include "ptx.h"

#define WARP 32
#define CALL_BYTES 256

typedef enum state { READY, AT_BLOCK, AT_WARP, DONE } state;

typedef struct thread {
    state state;
    uint32_t at, index; /* step; in the block */
    uint64_t *registers;
    char *local;
    char call[CALL_BYTES];
    bool has_waited; /* for the kernel before */
} thread;

typedef struct block {
    thread *threads;
    uint64_t *registers;
    char *shared, *local;
    unsigned index, waiting, done;
    uint32_t turn, *warp_turns; /* how often the block, and each warp, has met; from 1 */
    struct ptx_word *words;     /* who was at shared memory last; NULL: nobody yet */
} block;

struct fake_grid {
    const ptx_function *function;
    const char *params, *constants;
    block *blocks;
    unsigned block_count, thread_count, shared_bytes, done, turn;
    char *kept_params;
    char why[160];
    bool has_failed, is_early;
    uint64_t graph_launch;
};

typedef struct running {
    fake_grid *grid;
    block *block;
    thread *thread;
    const ptx_step *step;
} running;

/* Notes who did what wrong; nobody goes on then. */
void ptx_stop(running *r, const char *why);
/* Of the step at hand, which reads or has written these bytes of shared memory: stops at a race. */
void ptx_look_for_race(running *r, uint64_t address, const char *at, bool writes);
/* Operands of the step at hand. */
uint64_t ptx_value_of(const running *r, const ptx_operand *operand);
uint64_t ptx_get(const running *r, unsigned i);
void ptx_put(const running *r, unsigned i, uint64_t bits, unsigned bytes);
/* Instructions that work on registers alone. False: it is none of them. */
bool ptx_compute(running *r);

static inline uint64_t mask_of(unsigned bytes) {
    return bytes >= 8 ? UINT64_MAX : bytes == 0 ? 1 : (UINT64_C(1) << (8 * bytes)) - 1;
}

static inline int64_t signed_of(unsigned bytes, uint64_t bits) {
    unsigned away = 64 - 8 * bytes;
    return (int64_t)(bits << away) >> away; /* arithmetic with all compilers that this builds with */
}

#endif
