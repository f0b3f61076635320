/* How many blocks of how many threads a run takes. */
#include "backend/cuda/key.h"
#include "backend/cuda/launching.h"
#include "backend/cuda/sizes.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "emit/ptx/abi.h"
#include "ir/program.h"
#include <sched.h>
#include <string.h>

#define TEAM 256 /* threads that sum up a block of items */
#define WARP 32
#define MOST_PARTS 32       /* of the tiles of a row, that blocks take one after the other */
#define MOST_GRID INT32_MAX /* blocks */
#define LEAST_THREADS 128   /* of a block of a small space */

static gf_cuda_sizes sizes_of(const gf_cuda_launching *run) {
    return (gf_cuda_sizes){.plan = run->kernel->plan, .asked = run->asked};
}

/* ---- shape ---- */

static uint64_t segment_items(const gf_cuda_launching *run, const gf_segment *segment) {
    gf_cuda_sizes sizes = sizes_of(run);
    uint64_t items = 0;
    return gf_cuda_sizes_items(&sizes, segment, &items) ? items : UINT64_MAX;
}

/* Items of a stage, of its first segment; UINT64_MAX where only the device knows. */
static uint64_t stage_items(gf_cuda_launching *run, const gf_ptx_stage *stage) {
    if (stage->one_block) {
        return 1;
    }
    if (stage->segment == NULL) {
        return stage->items_buffer >= 0 && run->counts[stage->items_buffer] > 0 ? run->counts[stage->items_buffer]
                                                                                : UINT64_MAX;
    }
    return segment_items(run, stage->segment);
}

/* Threads that there is memory for where each wants so much: an eighth of the device's is enough to keep it busy. */
static uint64_t most_threads(const gf_cuda_launching *run, uint64_t thread_bytes) {
    uint64_t most = run->device->facts.memory_bytes / 8, left = run->asked->memory_left - run->bytes_hidden;
    return (most < left ? most : left) / thread_bytes;
}

static void note_thread_bytes(gf_cuda_launching *run, uint64_t thread_bytes, uint64_t threads) {
    uint64_t bytes = thread_bytes * threads;
    run->thread_bytes = bytes > run->thread_bytes ? bytes : run->thread_bytes;
}

static uint64_t divide_up(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

/* Side by side, and one below the other. */
typedef struct tiles {
    uint64_t across, down;
} tiles;

/* Of a space of rows, as tiles.c has them, with borders of one or two elements on either side, as stencils do: others
 * may take another tile. */
static tiles tiles_of(const gf_cuda_launching *run, uint32_t each, unsigned threads) {
    uint64_t columns = (run->asked->space[0] + each) / each, lanes = 1;
    while (lanes < WARP && lanes < columns) {
        lanes *= 2;
    }
    uint64_t down = divide_up(run->asked->space[1], threads / lanes);
    return (tiles){.across = divide_up(columns, lanes), .down = down > 0 ? down : 1};
}

/* No more than `most` blocks for these tiles, so that the one that takes most takes as few as can be: as many side by
 * side as there are, or half, or a third of them. */
static tiles share_tiles(tiles all, uint64_t most) {
    tiles best = {.across = 1, .down = 1};
    uint64_t least = UINT64_MAX, first = divide_up(all.across, most);
    for (uint64_t parts = first; parts < first + MOST_PARTS && parts <= all.across; parts++) {
        tiles now = {.across = divide_up(all.across, parts)};
        now.down = most / now.across < all.down ? most / now.across : all.down;
        uint64_t turns = parts * divide_up(all.down, now.down);
        if (turns < least) {
            best = now;
            least = turns;
        }
    }
    return best;
}

/* Of packs no more than have one: threads without find out the same as those with. As tiles.c shares out the space,
 * and as many as it may want: a block that takes two tiles takes twice as long as the others. */
static uint64_t blocks_for(const gf_cuda_launching *run, const gf_segment *segment, uint32_t each, unsigned threads,
                           uint64_t items) {
    if (each == 1) {
        return divide_up(items, threads);
    }
    bool has_rows = !segment->is_forall && segment->tree->kernel.space_axes == 2;
    if (!has_rows) {
        return divide_up(items / each + 2, threads);
    }
    tiles wanted = tiles_of(run, each, threads);
    return wanted.across * wanted.down;
}

/* A block for each tile of prefix sums; the first one may begin before the items. */
static uint64_t count_tiles(const gf_ptx_stage *stage, uint64_t items) {
    uint64_t count = divide_up(items + GF_PTX_MOST_SHIFT, stage->tile);
    return count < MOST_GRID ? count : MOST_GRID;
}

static bool choose_stage_grids(gf_cuda_launching *run) {
    gf_cuda_stages *stages = run->stages;
    run->stage_blocks = gf_calloc(stages->text.stage_count, sizeof *run->stage_blocks);
    run->stage_across = gf_calloc(stages->text.stage_count, sizeof *run->stage_across);
    if (run->stage_blocks == NULL || run->stage_across == NULL) {
        return gf_fail_memory(run->diags);
    }
    uint64_t groups = run->asked->groups[0] * run->asked->groups[1] * run->asked->groups[2];
    for (size_t i = 0; i < stages->text.stage_count; i++) {
        const gf_ptx_stage *stage = &stages->text.stages[i];
        uint64_t fits = (uint64_t)stages->blocks_per_sm[i] * (uint64_t)run->device->facts.sms;
        uint64_t items = stage_items(run, stage);
        if (stage->tile > 0 && items != UINT64_MAX) {
            run->stage_across[i] = run->stage_blocks[i] = (unsigned)count_tiles(stage, items);
            continue;
        }
        uint64_t wanted =
            items == UINT64_MAX ? fits : blocks_for(run, stage->segment, stage->each, stage->threads, items);
        /* Of more the GPU hands out those that have work as others end. */
        uint64_t by_block = divide_up(items, GF_PTX_BLOCK_ITEMS);
        if (stage->segment != NULL && run->text->by_block[stage->segment->index] && by_block <= fits) {
            wanted = by_block;
        }
        for (size_t k = 0; k < stage->joined_count; k++) {
            uint64_t more = segment_items(run, stage->joined[k]);
            uint64_t here = more == UINT64_MAX
                                ? fits
                                : blocks_for(run, stage->joined[k], stage->joined_each[k], stage->threads, more);
            wanted = here > wanted ? here : wanted;
        }
        wanted = stage->by_group && groups > wanted ? groups : wanted;
        bool as_they_come = stage->is_uneven && items != UINT64_MAX && wanted / GF_PTX_MANY_EACH >= fits;
        /* Each block combines for itself what those of the kernel before have found. */
        uint64_t most = !as_they_come ? fits : stage->reduces ? 2 * fits : wanted;
        wanted = wanted < most ? wanted : most;
        wanted = wanted < GF_PTX_MOST_BLOCKS ? wanted : GF_PTX_MOST_BLOCKS;
        wanted = as_they_come ? (wanted - 1) | 1 : wanted; /* an odd number, as in items.c */
        if (stage->thread_bytes > 0) {
            uint64_t room = most_threads(run, stage->thread_bytes) / stage->threads;
            wanted = wanted < room ? wanted : room;
        }
        run->stage_across[i] = run->stage_blocks[i] = stage->one_block || wanted == 0 ? 1 : (unsigned)wanted;
        if (stage->by_rows) {
            tiles taken = share_tiles(tiles_of(run, stage->each, stage->threads), run->stage_blocks[i]);
            run->stage_across[i] = (unsigned)taken.across;
            run->stage_blocks[i] = (unsigned)(taken.across * taken.down);
        }
        note_thread_bytes(run, stage->thread_bytes, (uint64_t)run->stage_blocks[i] * stage->threads);
        run->blocks = run->stage_blocks[i] > run->blocks ? run->stage_blocks[i] : run->blocks;
    }
    return true;
}

/* Threads of a workgroup of the program's space, which are not fewer in a block; 1: it has none. */
static uint64_t group_size(const gf_cuda_launching *run) {
    const gf_kernel_decl *kernel = &run->kernel->plan->program->checked->kernel;
    const uint32_t *size = kernel->workgroup;
    return kernel->space_kind != GF_SPACE_ONE ? (uint64_t)size[0] * size[1] * size[2] : 1;
}

/* Of a kernel whose threads want memory there are as few as there are items, and no more than there is room for, in
 * blocks on all multiprocessors. */
static void choose_few_threads(gf_cuda_launching *run, uint64_t items) {
    const gf_ptx_module *text = run->text;
    uint64_t room = most_threads(run, text->thread_bytes), most = (uint64_t)run->blocks * run->threads;
    uint64_t unit = text->by_teams ? TEAM : WARP, sms = (uint64_t)run->device->facts.sms;
    most = items < most ? items : most;
    most = room < most ? room : most;
    if (!text->by_group && !run->code->options.native) {
        uint64_t threads = ((most + sms - 1) / sms + unit - 1) / unit * unit;
        uint64_t group = (group_size(run) + unit - 1) / unit * unit;
        threads = threads < group ? group : threads;
        run->threads = threads < run->threads ? (unsigned)threads : run->threads;
    }
    if (!run->code->options.native) {
        uint64_t blocks = room < items ? most / run->threads : (most + run->threads - 1) / run->threads;
        run->blocks = blocks > 0 && blocks < run->blocks ? (unsigned)blocks : blocks > 0 ? run->blocks : 1;
    }
    note_thread_bytes(run, text->thread_bytes, (uint64_t)run->blocks * run->threads);
}

/* Of each segment, once for all that is asked of them. */
static bool find_items(gf_cuda_launching *run) {
    const gf_plan *plan = run->kernel->plan;
    gf_cuda_sizes sizes = sizes_of(run);
    run->items = gf_calloc(plan->segment_count, sizeof *run->items);
    for (size_t k = 0; run->items != NULL && k < plan->segment_count; k++) {
        if (!gf_cuda_sizes_items(&sizes, plan->segments[k], &run->items[k])) {
            run->items[k] = UINT64_MAX;
        }
    }
    return run->items != NULL || gf_fail_memory(run->diags);
}

/* Blocks that have something to do in the widest segment, by packs or by invocation; UINT64_MAX where only the device
 * knows. */
static uint64_t most_blocks(const gf_cuda_launching *run, bool in_packs, unsigned threads) {
    const gf_plan *plan = run->kernel->plan;
    uint64_t most = 1;
    for (size_t k = 0; k < plan->segment_count; k++) {
        if (run->items[k] == UINT64_MAX) {
            return UINT64_MAX;
        }
        if (in_packs && gf_ptx_is_for_one(plan->segments[k])) {
            continue;
        }
        uint32_t each = in_packs ? run->code->text.each[k] : 1;
        uint64_t blocks = blocks_for(run, plan->segments[k], each, threads, run->items[k]);
        most = blocks > most ? blocks : most;
    }
    return most;
}

/* Threads of the multiprocessor that has most, if blocks have so many. */
static uint64_t busiest(const gf_cuda_launching *run, unsigned threads) {
    return divide_up(most_blocks(run, true, threads), (uint64_t)run->device->facts.sms) * threads;
}

/* Of a space that does not fill the GPU all multiprocessors have about as much: warps of one wait for each other to be
 * issued, and a barrier of more blocks takes hardly longer than one of few. Smaller blocks, down to a warp for each
 * scheduler of a multiprocessor, where the busiest has a fifth less by that at least. */
static void spread_out(gf_cuda_launching *run, uint64_t fits) {
    unsigned best = run->threads;
    uint64_t before = busiest(run, best), least = before;
    for (unsigned threads = best - WARP; threads >= LEAST_THREADS && threads >= group_size(run); threads -= WARP) {
        uint64_t here = busiest(run, threads);
        if (here < least && most_blocks(run, true, threads) <= fits) {
            best = threads;
            least = here;
        }
    }
    if (least * 5 <= before * 4) {
        run->threads = best;
        run->blocks = (unsigned)most_blocks(run, true, best);
    }
}

/* Items of the widest segment, if some go block by block; 0: none does; UINT64_MAX where only the device knows. */
static uint64_t items_by_block(const gf_cuda_launching *run) {
    uint64_t most = 0;
    bool by_block = false;
    for (size_t k = 0; k < run->kernel->plan->segment_count; k++) {
        most = run->items[k] > most ? run->items[k] : most;
        by_block |= run->code->text.by_block[k];
    }
    return by_block ? most : 0;
}

/* Where there is no more than a block of work for each multiprocessor it has no more than a block: of more the GPU
 * gives some two that have work, and others two that have none. */
static void leave_alone(gf_cuda_launching *run) {
    uint64_t sms = (uint64_t)run->device->facts.sms, items = items_by_block(run);
    if (run->blocks > sms && items > 0 && items <= sms * GF_PTX_BLOCK_ITEMS) {
        run->blocks = (unsigned)sms;
    }
}

/* Buffers that may stay near do, if each block has no more of them than there is room for. */
static void choose_near(gf_cuda_launching *run) {
    const gf_cuda_code *code = run->code;
    uint64_t fits = (uint64_t)code->near_per_sm * (uint64_t)run->device->facts.sms;
    run->shared_bytes = code->text.shared_bytes;
    if (run->blocks > fits) {
        return;
    }
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        if (code->text.near[i] && run->asked->buffers[i].count > (uint64_t)run->blocks * GF_PTX_BLOCK_ITEMS) {
            return;
        }
    }
    run->near_room = gf_cuda_code_near_offset(code) + GF_PTX_NEAR_UNIT;
    run->shared_bytes = gf_cuda_code_near_offset(code) + code->text.near_bytes;
}

static bool choose_grid(gf_cuda_launching *run) {
    const gf_cuda_code *code = run->code;
    uint64_t fits = (uint64_t)code->blocks_per_sm * (uint64_t)run->device->facts.sms, wanted;
    uint64_t groups = run->asked->groups[0] * run->asked->groups[1] * run->asked->groups[2];
    if (fits == 0) {
        return gf_fail(run->diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN,
                       "a block of program `%s` needs more than a multiprocessor of `%s` has: %d registers for each of "
                       "%u threads, %llu bytes of workgroup arrays",
                       run->kernel->plan->program->checked->name, run->device->facts.name, code->registers,
                       code->threads, (unsigned long long)code->text.shared_bytes);
    }
    wanted = most_blocks(run, true, code->threads);
    wanted = wanted < fits ? wanted : fits;
    if (code->text.by_group && groups > wanted) {
        wanted = groups;
    }
    if (code->options.native) {
        uint64_t each = code->text.by_group ? 1 : code->threads;
        const uint32_t *size = run->kernel->plan->program->checked->kernel.workgroup;
        uint64_t packs = code->text.by_group ? 1 : each / ((uint64_t)size[0] * size[1] * size[2]);
        uint64_t needed = packs > 0 ? (groups + packs - 1) / packs : fits + 1;
        if (needed > fits) {
            return gf_fail(run->diags, GF_CODE_RESIDENCY, GF_NO_SPAN,
                           "%llu blocks must be resident at once, and %llu fit on `%s`", (unsigned long long)needed,
                           (unsigned long long)fits, run->device->facts.name);
        }
        wanted = needed > wanted ? needed : wanted;
    }
    /* Where blocks share out the work any number will do. */
    uint64_t most = code->options.native || fits < GF_PTX_MOST_BLOCKS ? fits : GF_PTX_MOST_BLOCKS;
    wanted = wanted < most ? wanted : most;
    run->blocks = (unsigned)(wanted > 0 ? wanted : 1);
    run->threads = code->threads;
    if (!code->options.native && !code->text.by_group && !code->text.by_teams && code->text.block_size == 0 &&
        wanted < most) {
        spread_out(run, most);
    }
    if (!code->options.native && !code->text.by_group) {
        leave_alone(run);
    }
    if (code->text.thread_bytes > 0) {
        run->blocks = (unsigned)(code->text.by_group ? run->blocks : fits);
        choose_few_threads(run, most_blocks(run, false, 1));
    }
    return true;
}

static bool choose_whole_grid(gf_cuda_launching *run) {
    bool done = find_items(run) && choose_grid(run);
    if (done) {
        choose_near(run);
    }
    return done;
}

/* ---- the same sizes again ---- */

static gf_cuda_form *form_of(const gf_cuda_launching *run) {
    bool shares = run->asked->keep_shares;
    return &run->kernel->forms[run->asked->by_segments ? GF_CUDA_FORM_SEGMENTS
                               : shares                ? GF_CUDA_FORM_SHARES
                                                       : GF_CUDA_FORM_NATIVE];
}

static void forget(gf_cuda_form *form) {
    gf_free(form->key);
    gf_free(form->stage_blocks);
    gf_free(form->stage_across);
    *form = (gf_cuda_form){0};
}

void gf_cuda_forms_forget(gf_cuda_kernel *kernel) {
    for (int i = 0; i < GF_CUDA_FORMS; i++) {
        forget(&kernel->forms[i]);
    }
}

bool gf_cuda_recall_form(gf_cuda_launching *run) {
    const gf_cuda_form *form = form_of(run);
    if (!gf_cuda_key_fits(form->key, run->asked)) {
        return false;
    }
    run->code = form->code;
    run->stages = form->stages;
    run->blocks = form->blocks;
    run->threads = form->threads;
    run->stage_blocks = form->stage_blocks;
    run->stage_across = form->stage_across;
    run->shared_bytes = form->shared_bytes;
    run->thread_bytes = form->thread_bytes;
    run->near_room = form->near_room;
    return true;
}

bool gf_cuda_choose_form(gf_cuda_launching *run) {
    gf_cuda_form *form = form_of(run);
    forget(form);
    bool done = run->stages != NULL ? choose_stage_grids(run) : choose_whole_grid(run);
    *form = (gf_cuda_form){.key = done ? gf_cuda_key_make(run->asked) : NULL,
                           .code = run->code,
                           .stages = run->stages,
                           .blocks = run->blocks,
                           .threads = run->threads,
                           .stage_blocks = run->stage_blocks,
                           .stage_across = run->stage_across,
                           .shared_bytes = run->shared_bytes,
                           .thread_bytes = run->thread_bytes,
                           .near_room = run->near_room};
    return done;
}
