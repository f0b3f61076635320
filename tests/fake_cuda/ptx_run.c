/* Steps carried out by the threads of a grid. */
#include "ptx_thread.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLICE 512 /* instructions of a thread before the next one has its turn */
#define GARBAGE UINT64_C(0xa5a5a5a5a5a5a5a5)

void ptx_stop(running *r, const char *why) {
    if (!r->grid->has_failed) {
        (void)snprintf(r->grid->why, sizeof r->grid->why, "%s, line %u, block %u, thread %u: %s",
                       r->grid->function->name, (unsigned)r->step->line, r->block->index, (unsigned)r->thread->index,
                       why);
    }
    r->grid->has_failed = true;
}

/* ---- memory ---- */

static bool is_shared(const ptx_step *step, uint64_t address) {
    return step->space == PTX_SHARED || (step->space == PTX_GENERIC && address >= PTX_WINDOW);
}

/* Whether the one before may not have ended, or have left in a cache what it has changed since. */
static void look_at_kernel_before(running *r, uint64_t address) {
    const fake_grid *g = r->grid;
    uint64_t *written = fake_written_near(address);
    if (g->is_early && !r->thread->has_waited) {
        ptx_stop(r, "looks at memory before it waits for the kernel before");
    } else if (g->is_early && r->step->is_constant && *written == g->graph_launch) {
        ptx_stop(r, "takes as constant what a kernel before has written");
    }
    *written = r->step->op != PTX_LD && g->graph_launch != 0 ? g->graph_launch : *written;
}

static char *find_memory(running *r, ptx_space space, uint64_t address, size_t bytes) {
    char *found = NULL;
    uint64_t end = 0;
    space = space != PTX_GENERIC ? space : is_shared(r->step, address) ? PTX_SHARED : PTX_GLOBAL;
    switch (space) {
    case PTX_GENERIC:
    case PTX_GLOBAL:
        found = fake_resolve_near(address, bytes);
        if (found == NULL || address % bytes != 0) {
            ptx_stop(r, found == NULL ? "an address in no live memory" : "an address that is not aligned");
            return NULL;
        }
        look_at_kernel_before(r, address);
        return found;
    case PTX_SHARED:
        found = r->block->shared;
        end = r->grid->shared_bytes;
        break;
    case PTX_LOCAL:
        found = r->thread->local;
        end = r->grid->function->local_bytes;
        break;
    case PTX_PARAM:
        found = r->step->op == PTX_ST ? r->thread->call : (char *)(uintptr_t)r->grid->params;
        end = r->step->op == PTX_ST ? CALL_BYTES : r->grid->function->param_bytes;
        break;
    case PTX_CONST:
        return (char *)(uintptr_t)r->grid->constants + address;
    }
    address &= UINT32_MAX;
    if (address % bytes != 0 || address > end || bytes > end - address) {
        ptx_stop(r, "an address outside its memory, or not aligned");
        return NULL;
    }
    return found + address;
}

/* Accesses to shared memory that a GPU might carry out in another order. */
static void look_for_race(running *r, uint64_t address, const char *at, bool writes) {
    if (is_shared(r->step, address) && at != NULL) {
        ptx_look_for_race(r, address & UINT32_MAX, at, writes);
    }
}

static void load(running *r) {
    const ptx_step *s = r->step;
    uint64_t address = ptx_value_of(r, &s->address) + (uint64_t)s->offset;
    const char *from = find_memory(r, s->space, address, s->type.bytes * (size_t)s->vector);
    look_for_race(r, address, from, false);
    for (unsigned i = 0; from != NULL && i < s->vector; i++) {
        uint64_t bits = 0;
        memcpy(&bits, from + (size_t)i * s->type.bytes, s->type.bytes);
        ptx_put(r, i, s->is_signed ? (uint64_t)signed_of(s->type.bytes, bits) : bits,
                s->type.bytes < 4 && s->type.kind != 'b' ? 4 : s->type.bytes);
    }
}

static void store(running *r) {
    const ptx_step *s = r->step;
    uint64_t address = ptx_value_of(r, &s->address) + (uint64_t)s->offset;
    char *to = find_memory(r, s->space, address, s->type.bytes * (size_t)s->vector);
    for (unsigned i = 0; to != NULL && i < s->vector; i++) {
        uint64_t bits = ptx_get(r, i);
        memcpy(to + (size_t)i * s->type.bytes, &bits, s->type.bytes);
    }
    look_for_race(r, address, to, true);
}

static void modify(running *r) {
    const ptx_step *s = r->step;
    uint64_t address = ptx_value_of(r, &s->address) + (uint64_t)s->offset, old = 0, mask = mask_of(s->type.bytes);
    char *at = find_memory(r, s->space, address, s->type.bytes);
    if (at == NULL) {
        return;
    }
    memcpy(&old, at, s->type.bytes);
    uint64_t a = ptx_get(r, s->has_result) & mask, now = old;
    bool less = s->is_signed ? signed_of(s->type.bytes, a) < signed_of(s->type.bytes, old) : a < old;
    switch ((int)s->how) {
    case PTX_DO_ADD:
        now = old + a;
        break;
    case PTX_DO_MIN:
        now = less ? a : old;
        break;
    case PTX_DO_MAX:
        now = less ? old : a;
        break;
    case PTX_DO_AND:
        now = old & a;
        break;
    case PTX_DO_OR:
        now = old | a;
        break;
    case PTX_DO_XOR:
        now = old ^ a;
        break;
    case PTX_DO_EXCH:
        now = a;
        break;
    case PTX_DO_CAS:
        now = old == a ? ptx_get(r, 2) : old;
        break;
    default:
        ptx_stop(r, "no such atomic");
    }
    memcpy(at, &now, s->type.bytes);
    look_for_race(r, address, at, true);
    if (s->has_result) {
        ptx_put(r, 0, old, s->type.bytes);
    }
}

/* ---- meeting ---- */

/* The last one to come: those that wait at other instructions, or are gone, are what a GPU would hang on or mix up. */
static bool are_together(running *r, unsigned first, unsigned end, state where) {
    for (unsigned i = first; i < end; i++) {
        const thread *t = &r->block->threads[i];
        if (t->state == DONE) {
            ptx_stop(r, "waits for threads that have ended");
            return false;
        }
        if (t->state == where && t->at != r->thread->at) {
            ptx_stop(r, "meets threads at another instruction");
            return false;
        }
        if (t->state != where) {
            return false;
        }
    }
    return true;
}

static void let_go(block *b, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i++) {
        b->threads[i].state = READY;
        b->threads[i].at++;
    }
}

static uint64_t value_at(const running *r, unsigned thread_index, unsigned operand) {
    running other = *r;
    other.thread = &r->block->threads[thread_index];
    return ptx_get(&other, operand);
}

static void put_at(const running *r, unsigned thread_index, uint64_t bits, unsigned bytes) {
    running other = *r;
    other.thread = &r->block->threads[thread_index];
    ptx_put(&other, 0, bits, bytes);
}

static void meet_block(running *r) {
    r->thread->state = AT_BLOCK;
    unsigned all = r->grid->thread_count;
    if (!are_together(r, 0, all, AT_BLOCK)) {
        return;
    }
    if (r->step->op == PTX_BAR_RED) {
        bool any = false, each = true;
        for (unsigned i = 0; i < all; i++) {
            any |= value_at(r, i, 2) != 0;
            each &= value_at(r, i, 2) != 0;
        }
        for (unsigned i = 0; i < all; i++) {
            put_at(r, i, r->step->how == PTX_DO_OR ? any : each, 0);
        }
    }
    let_go(r->block, 0, all);
    r->block->turn++;
}

static unsigned lane_of(const ptx_step *s, unsigned lane, unsigned by) {
    switch ((int)s->how) {
    case PTX_UP:
        return lane >= by ? lane - by : lane;
    case PTX_DOWN:
        return lane + by < WARP ? lane + by : lane;
    case PTX_BFLY:
        return lane ^ by;
    default:
        return by % WARP;
    }
}

static void meet_warp(running *r) {
    const ptx_step *s = r->step;
    unsigned first = r->thread->index / WARP * WARP, end = first + WARP;
    end = end < r->grid->thread_count ? end : r->grid->thread_count;
    r->thread->state = AT_WARP;
    if (!are_together(r, first, end, AT_WARP)) {
        return;
    }
    uint64_t got[WARP] = {0};
    if (s->op == PTX_SHFL) {
        for (unsigned i = first; i < end; i++) {
            unsigned lane = first + lane_of(s, i - first, (unsigned)value_at(r, i, 2));
            got[i - first] = lane < end ? value_at(r, lane, 1) : GARBAGE;
        }
    } else if (s->op == PTX_VOTE) {
        uint64_t votes = 0;
        for (unsigned i = first; i < end; i++) {
            votes |= (uint64_t)(value_at(r, i, 1) != 0) << (i - first);
        }
        for (unsigned i = first; i < end; i++) {
            got[i - first] = s->how == PTX_ANY ? votes != 0 : votes;
        }
    }
    for (unsigned i = first; s->op != PTX_BAR_WARP && i < end; i++) {
        put_at(r, i, got[i - first], s->type.bytes);
    }
    let_go(r->block, first, end);
    if (s->op == PTX_BAR_WARP) {
        r->block->warp_turns[first / WARP]++;
    }
}

/* ---- all of them ---- */

static void call(running *r) {
    uint64_t handle = 0;
    uint32_t value = 0;
    memcpy(&handle, r->thread->call + r->step->address.number, sizeof handle);
    memcpy(&value, r->thread->call + r->step->offset, sizeof value);
    fake_set_condition(handle, value);
}

/* False where the thread stays at its step: it waits, or is done. */
static bool carry_out(running *r) {
    const ptx_step *s = r->step;
    switch ((int)s->op) {
    case PTX_BRA:
        r->thread->at = s->target;
        return true;
    case PTX_GRID_WAIT:
        r->thread->has_waited = true;
        break;
    case PTX_RET:
        if (r->grid->is_early && !r->thread->has_waited) {
            ptx_stop(r, "ends before it waits for the kernel before");
        }
        r->thread->state = DONE;
        r->block->done++;
        return false;
    case PTX_BAR_SYNC:
    case PTX_BAR_RED:
        meet_block(r);
        return false;
    case PTX_BAR_WARP:
    case PTX_SHFL:
    case PTX_VOTE:
        meet_warp(r);
        return false;
    case PTX_LD:
        load(r);
        break;
    case PTX_ST:
        store(r);
        break;
    case PTX_ATOM:
        modify(r);
        break;
    case PTX_CALL:
        call(r);
        break;
    default:
        if (!ptx_compute(r)) {
            ptx_stop(r, "no such instruction");
        }
    }
    r->thread->at++;
    return true;
}

static uint64_t run_thread(fake_grid *g, block *b, thread *t) {
    running r = {.grid = g, .block = b, .thread = t};
    uint64_t count = 0;
    for (bool goes_on = true; goes_on && count < SLICE && !g->has_failed; count++) {
        r.step = &g->function->steps[t->at];
        if (r.step->has_guard && (t->registers[r.step->guard] != 0) == r.step->guard_not) {
            t->at++;
            continue;
        }
        goes_on = carry_out(&r) && !r.step->is_acquire;
    }
    return count;
}

static uint64_t all_instructions;

uint64_t fake_instructions(void) {
    return all_instructions;
}

bool fake_grid_run(fake_grid *g, uint64_t instructions) {
    uint64_t count = 0;
    while (count < instructions && g->done < g->block_count && !g->has_failed) {
        block *b = &g->blocks[g->turn];
        uint64_t before = count;
        bool was_done = b->done == g->thread_count;
        for (unsigned i = 0; i < g->thread_count && !g->has_failed; i++) {
            if (b->threads[i].state == READY) {
                count += run_thread(g, b, &b->threads[i]);
            }
        }
        if (!was_done && b->done == g->thread_count) {
            g->done++;
        } else if (!was_done && count == before && !g->has_failed) {
            running r = {.grid = g, .block = b, .thread = &b->threads[0]};
            r.step = &g->function->steps[r.thread->at];
            ptx_stop(&r, "all threads of the block wait for each other");
        }
        g->turn = (g->turn + 1) % g->block_count;
    }
    all_instructions += count;
    return g->has_failed || g->done == g->block_count;
}

/* ---- begin and end ---- */

static void *make(size_t count, size_t size) {
    void *made = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (made == NULL) {
        abort();
    }
    return made;
}

static void begin_block(const fake_grid *g, block *b, unsigned index) {
    const ptx_function *f = g->function;
    size_t registers = (size_t)f->registers * g->thread_count;
    b->index = index;
    b->threads = make(g->thread_count, sizeof *b->threads);
    b->registers = make(registers, sizeof *b->registers);
    b->shared = make(g->shared_bytes, 1);
    b->turn = 1;
    b->warp_turns = make((g->thread_count + WARP - 1) / WARP, sizeof *b->warp_turns);
    b->local = make(f->local_bytes * g->thread_count, 1);
    for (size_t i = 0; i < registers; i++) {
        b->registers[i] = GARBAGE;
    }
    memset(b->shared, 0xa5, g->shared_bytes);
    memset(b->local, 0xa5, f->local_bytes * g->thread_count);
    for (unsigned i = 0; i < g->thread_count; i++) {
        thread *t = &b->threads[i];
        t->index = i;
        t->registers = b->registers + (size_t)i * f->registers;
        t->local = b->local + (size_t)i * f->local_bytes;
    }
}

fake_grid *fake_grid_begin(const ptx_function *function, unsigned blocks, unsigned threads, unsigned dynamic_shared,
                           const void *params, const void *constants) {
    fake_grid *g = make(1, sizeof *g);
    g->function = function;
    g->block_count = blocks;
    g->thread_count = threads;
    g->shared_bytes = (unsigned)((function->shared_bytes + 15) / 16 * 16) + dynamic_shared;
    g->constants = constants;
    g->kept_params = make(function->param_bytes, 1);
    if (function->given_bytes > 0) {
        memcpy(g->kept_params, params, function->given_bytes);
    }
    g->params = g->kept_params;
    g->blocks = make(blocks, sizeof *g->blocks);
    for (unsigned i = 0; i < blocks; i++) {
        begin_block(g, &g->blocks[i], i);
    }
    return g;
}

void fake_grid_is_early(fake_grid *grid) {
    grid->is_early = true;
}

void fake_grid_in_graph(fake_grid *grid, uint64_t launch) {
    grid->graph_launch = launch;
}

const char *fake_grid_why(const fake_grid *grid) {
    return grid->has_failed ? grid->why : NULL;
}

void fake_grid_free(fake_grid *grid) {
    for (unsigned i = 0; grid != NULL && i < grid->block_count; i++) {
        free(grid->blocks[i].threads);
        free(grid->blocks[i].registers);
        free(grid->blocks[i].shared);
        free(grid->blocks[i].warp_turns);
        free(grid->blocks[i].words);
        free(grid->blocks[i].local);
    }
    if (grid != NULL) {
        free(grid->blocks);
        free(grid->kept_params);
    }
    free(grid);
}
