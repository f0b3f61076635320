/* Races for shared memory: two threads of a block at one word, one of them writing, with no barrier of the block
 * between them; of one warp, without one of the warp. Order that somebody's turn happens to give does not count.
 * Atomics and relaxed accesses may meet each other, and threads may write the same value. What is smaller than a word
 * is not looked at. */
#include "ptx_thread.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct who {
    uint32_t block_turn, warp_turn; /* 0: nobody yet */
    uint16_t thread;
    bool is_strong, are_many; /* are_many: other threads of the warp too, since the warp met */
} who;

struct ptx_word {
    who writer, reader;
    uint32_t value;
    bool many_warps; /* read it since the block met */
};

static uint32_t warp_turn(const running *r) {
    return r->block->warp_turns[r->thread->index / WARP];
}

/* Whether the access `w` may come at the same time as that of this thread. */
static bool meets(const running *r, const who *w, bool is_strong) {
    unsigned mine = r->thread->index;
    if (w->block_turn != r->block->turn || (w->is_strong && is_strong)) {
        return false;
    }
    if (w->thread / WARP != mine / WARP) {
        return true;
    }
    return w->warp_turn == warp_turn(r) && (w->thread != mine || w->are_many);
}

static void note(const running *r, who *w, bool is_strong) {
    bool same =
        w->block_turn == r->block->turn && w->warp_turn == warp_turn(r) && w->thread / WARP == r->thread->index / WARP;
    w->are_many = same && (w->are_many || w->thread != r->thread->index);
    w->is_strong = is_strong && (!same || w->is_strong);
    w->thread = (uint16_t)r->thread->index;
    w->block_turn = r->block->turn;
    w->warp_turn = warp_turn(r);
}

static void tell(running *r, const char *what, unsigned other, uint64_t address) {
    char why[96];
    (void)snprintf(why, sizeof why, "%s of thread %u, no barrier between, at shared word %u", what, other,
                   (unsigned)address);
    ptx_stop(r, why);
}

static void look_at(running *r, struct ptx_word *word, uint64_t address, bool writes, uint32_t value, bool is_strong) {
    bool same_value = writes && word->writer.block_turn != 0 && word->value == value;
    if (!same_value && meets(r, &word->writer, is_strong)) {
        tell(r, "after a write", word->writer.thread, address);
        return;
    }
    if (!writes) {
        word->many_warps = word->reader.block_turn == r->block->turn &&
                           (word->many_warps || word->reader.thread / WARP != r->thread->index / WARP);
        note(r, &word->reader, is_strong);
        return;
    }
    bool by_others = word->many_warps && word->reader.block_turn == r->block->turn && !is_strong;
    if (!same_value && (by_others || meets(r, &word->reader, is_strong))) {
        tell(r, "after a read", word->reader.thread, address);
        return;
    }
    note(r, &word->writer, is_strong);
    word->value = value;
}

void ptx_look_for_race(running *r, uint64_t address, const char *at, bool writes) {
    const ptx_step *s = r->step;
    block *b = r->block;
    size_t bytes = s->type.bytes * (size_t)s->vector;
    if (s->type.bytes < 4) {
        return;
    }
    if (b->words == NULL) {
        b->words = calloc(r->grid->shared_bytes / 4 + 1, sizeof *b->words);
        if (b->words == NULL) {
            abort();
        }
    }
    for (size_t i = 0; i < bytes && !r->grid->has_failed; i += 4) {
        uint32_t value = 0;
        for (unsigned k = 0; k < 4; k++) {
            value |= (uint32_t)(unsigned char)at[i + k] << (8 * k);
        }
        look_at(r, &b->words[(address + i) / 4], address + i, writes, value, s->is_strong || s->op == PTX_ATOM);
    }
}
