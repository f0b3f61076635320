/* A module: the frame around the bodies of kernels. */
#include "base/memory.h"
#include "emit/ptx/near.h"
#include "emit/ptx/rows.h"
#include "emit/ptx/scan.h"
#include "emit/ptx/stage.h"
#include "emit/ptx/steps.h"
#include "ir/effects.h"
#include "ir/program.h"
#include "plan/track.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

size_t gf_ptx_arg_of_buffer(const gf_plan *plan, uint32_t buffer) {
    return GF_PTX_ARGS_PARAMS + gf_tree_count(plan->program->checked, GF_SYMBOL_PARAM) + 2 * (size_t)buffer;
}

typedef struct job {
    const gf_plan *plan;
    gf_ptx_emit *e;
    gf_ptx_walk walk;
    gf_ptx_watch watch;
    gf_ptx_module *out;
    gf_str text; /* of the kernels so far */
    gf_ptx_layout layout;
    gf_ptx_stages *stages;
} job;

static void begin_job(job *j) {
    gf_ptx_emit *e = j->e;
    size_t buffers = j->plan->buffer_count;
    j->walk = (gf_ptx_walk){.e = e, .plan = j->plan, .level = GF_LEVEL_GRID};
    j->walk.names = gf_new_array(e->arena, gf_ptx_named, j->plan->symbol_count);
    j->walk.arrays = gf_new_array(e->arena, gf_ptx_array *, buffers);
    j->walk.fuse = gf_new_array(e->arena, gf_ptx_fuse, buffers);
    j->walk.each = gf_new_array(e->arena, uint32_t, j->plan->segment_count);
    j->walk.by_block = gf_new_array(e->arena, bool, j->plan->segment_count);
    bool *written = gf_new_array(e->arena, bool, buffers);
    j->watch.buffers = gf_new_array(e->arena, uint32_t, buffers);
    gf_plan_written(j->plan, written);
    j->watch.count = gf_plan_watched(j->plan, written, j->watch.buffers);
    e->written = written;
    e->near = gf_new_array(e->arena, bool, buffers);
    e->near_word = gf_ptx_arg_of_buffer(j->plan, (uint32_t)buffers) + j->watch.count;
    e->names = j->walk.names;
    e->tree = j->plan->program->checked;
}

/* ---- frames ---- */

static void add_registers(gf_str *text, const gf_ptx *p) {
    static const char *const types[GF_PTX_CLASSES] = {".pred", ".b32", ".b64", ".f32", ".f64", ".b16"};
    for (int i = 0; i < GF_PTX_CLASSES; i++) {
        if (p->count[i] > 0) {
            const gf_ptx_operand name = gf_ptx_name((gf_ptx_class)i, p->count[i]);
            gf_str_addf(text, "    .reg %s %.*s<%u>;\n", types[i], (int)strcspn(name.text, "0123456789"), name.text,
                        (unsigned)p->count[i]);
        }
    }
}

#define RESERVED 1024     /* bytes of shared memory that the driver takes for each block */
#define MOST_THREADS 2048 /* of a multiprocessor */
#define WANTED 1280       /* threads of a multiprocessor: each has 48 registers */

/* Where workgroup arrays say how many blocks a multiprocessor holds, it shall hold as many: such kernels wait for
 * shared memory and at barriers of the workgroup, and other blocks have work in the meantime. 1: they do not say it. */
static unsigned blocks_of_arrays(const gf_ptx_emit *e, unsigned threads) {
    uint64_t own = e->p.has_fold ? GF_PTX_SYNC_BYTES : GF_PTX_SYNC_FOLD;
    uint64_t each = RESERVED + own + e->staged_bytes + e->rows_bytes + e->most_shared_bytes;
    uint64_t fit = e->options.sm_shared / each, most = WANTED / threads;
    if (e->most_shared_bytes == 0 || fit >= MOST_THREADS / threads) {
        return 1;
    }
    return (unsigned)(fit < most ? fit : most);
}

/* What the emitter has written becomes a kernel, and the emitter is empty again. */
static void add_kernel(job *j, const char *name, const char *params, unsigned threads, unsigned blocks) {
    gf_ptx_emit *e = j->e;
    gf_str *text = &j->text;
    unsigned of_arrays = blocks_of_arrays(e, threads);
    e->fills_arrays |= of_arrays > blocks;
    blocks = of_arrays > blocks ? of_arrays : blocks;
    gf_str_addf(text, "\n.visible .entry %s(%s)\n.maxntid %u, 1, 1\n", name, params, threads);
    if (blocks > 1) {
        gf_str_addf(text, ".minnctapersm %u\n", blocks);
    }
    gf_str_add(text, "{\n");
    add_registers(text, &e->p);
    gf_str_addf(text, "    .shared .align 16 .b8 gf_sync[%d];\n", e->p.has_fold ? GF_PTX_SYNC_BYTES : GF_PTX_SYNC_FOLD);
    if (e->staged_bytes > 0) {
        gf_str_addf(text, "    .shared .align 8 .b8 gf_staged[%llu];\n", (unsigned long long)e->staged_bytes);
    }
    if (e->rows_bytes > 0) {
        gf_str_addf(text, "    .shared .align 8 .b8 gf_rows[%llu];\n", (unsigned long long)e->rows_bytes);
    }
    if (e->near_bytes > 0) {
        gf_str_addf(text, "    .shared .align 8 .b8 gf_near[%d];\n", 8 * GF_PTX_MOST_NEAR);
    }
    if (e->local_bytes > 0) {
        gf_str_addf(text, "    .local .align 16 .b8 gf_local[%llu];\n", (unsigned long long)e->local_bytes);
    }
    gf_str_add_n(text, e->p.text.text != NULL ? e->p.text.text : "", e->p.text.length);
    gf_str_add(text, "}\n");
    text->failed |= e->p.text.failed;
    gf_str_free(&e->p.text);
    e->p = (gf_ptx){0};
}

/* The whole text; the length of the constant array comes with it. */
static char *frame(job *j, bool has_flags) {
    gf_str text = {0};
    gf_str_addf(&text, "// program %s\n.version %s\n.address_size 64\n\n", j->plan->program->checked->name,
                j->e->options.dependent ? "7.8\n.target sm_90" : "6.0\n.target sm_70");
    gf_str_addf(&text, ".const .align 8 .b8 gf_args[%zu];\n", 8 * j->out->arg_words);
    gf_str_add(&text, ".extern .shared .align 16 .b8 gf_shared[];\n");
    if (has_flags) {
        gf_str_add(&text, ".extern .func cudaGraphSetConditional (.param .b64 gf_a, .param .b32 gf_b);\n");
    }
    gf_str_add_n(&text, j->text.text != NULL ? j->text.text : "", j->text.length);
    text.failed |= j->text.failed;
    return gf_str_take(&text);
}

static bool keep_stages(const job *j, gf_ptx_stages *out);

static bool has_needs(const job *j, bool teams) {
    for (size_t i = 0; i < j->plan->segment_count; i++) {
        const gf_segment *segment = j->plan->segments[i];
        if (!teams && gf_ptx_needs_groups(segment->tree)) {
            return true;
        }
        for (size_t k = 0; k < segment->buffer_count; k++) {
            const gf_ptx_fuse *fuse = &j->walk.fuse[segment->buffers[k].buffer];
            if (fuse->is_fused && fuse->is_ordered && (teams || fuse->by_group)) {
                return true;
            }
        }
    }
    return false;
}

static bool fill_module(job *j, gf_diags *diags) {
    gf_ptx_module *out = j->out;
    const gf_ptx_emit *e = j->e;
    size_t buffers = j->plan->buffer_count;
    out->fused = gf_calloc(buffers, sizeof *out->fused);
    out->own = gf_calloc(buffers, sizeof *out->own);
    out->places = gf_calloc(e->places.count, sizeof *out->places);
    out->ordered = gf_calloc(buffers, sizeof *out->ordered);
    out->plans = gf_calloc(e->plans.count, sizeof *out->plans);
    out->tile_items = gf_calloc(buffers, sizeof *out->tile_items);
    out->each = gf_calloc(j->plan->segment_count, sizeof *out->each);
    out->by_block = gf_calloc(j->plan->segment_count, sizeof *out->by_block);
    out->near = gf_calloc(buffers, sizeof *out->near);
    if (out->fused == NULL || out->own == NULL || out->ordered == NULL || out->tile_items == NULL ||
        out->each == NULL || out->by_block == NULL || out->near == NULL || out->places == NULL || out->plans == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < buffers; i++) {
        out->fused[i] = j->walk.fuse[i].is_fused;
        out->ordered[i] = j->walk.fuse[i].is_ordered;
        out->near[i] = e->near[i];
        out->own[i] = !out->fused[i] && j->walk.arrays[i] != NULL && j->walk.arrays[i]->space == GF_PTX_OWN;
    }
    for (size_t i = 0; i < j->walk.scans.count; i++) {
        const gf_ptx_scan *scan = &j->walk.scans.items[i];
        out->tile_items[scan->node->buffer] = scan->items;
        out->own[scan->node->buffer] &= scan->items == 0; /* nothing comes to it, and its code was left out */
    }
    for (size_t i = 0; i < j->plan->segment_count; i++) {
        out->each[i] = j->walk.each[i] > 0 ? j->walk.each[i] : 1;
        out->by_block[i] = j->walk.by_block[i];
    }
    if (e->places.count > 0) {
        memcpy(out->places, e->places.items, e->places.count * sizeof *out->places);
    }
    if (e->plans.count > 0) {
        memcpy(out->plans, e->plans.items, e->plans.count * sizeof *out->plans);
    }
    out->plan_count = e->plans.count;
    out->local_bytes = e->local_bytes;
    out->thread_bytes = e->thread_bytes;
    out->place_count = e->places.count;
    out->arg_words = e->near_word + (e->near_bytes > 0 ? 1 : 0);
    out->shared_bytes = e->most_shared_bytes;
    out->near_bytes = e->near_bytes;
    out->block_bytes = e->block_bytes;
    out->list_bytes = e->list_bytes;
    out->by_group = has_needs(j, false);
    out->by_teams = has_needs(j, true);
    out->pack_weight = e->pack_weight;
    out->sums_rows = e->sums_rows;
    out->fills_arrays = e->fills_arrays;
    out->block_size = e->block_size;
    out->has_barrier = j->walk.has_barrier;
    if (j->stages != NULL && !keep_stages(j, j->stages)) {
        return gf_fail_memory(diags);
    }
    bool has_flags = (e->options.by_steps && !e->options.polled) || (j->stages != NULL && j->stages->loop_count > 0);
    out->text = frame(j, has_flags);
    return out->text != NULL || gf_fail_memory(diags);
}

/* What it takes is nothing to the kernel before. */
static void add_more(job *j) {
    char params[48];
    gf_ptx_emit more = {.plan = j->plan,
                        .options = {.polled = j->e->options.polled, .dependent = j->e->options.dependent},
                        .arena = j->e->arena,
                        .diags = j->e->diags},
                *e = j->e;
    (void)snprintf(params, sizeof params, ".param .align 8 .b8 gf_params[%zu]", sizeof(gf_ptx_more_params));
    gf_ptx_write_more(&more);
    j->e = &more;
    add_kernel(j, "gf_more", params, GF_PTX_MORE_THREADS, 1);
    j->e = e;
}

static void write_whole(void *context) {
    job *j = context;
    begin_job(j);
    gf_ptx_write_whole(&j->walk, &j->watch);
    if (!j->e->options.by_steps) {
        add_kernel(j, "gf_whole", "", j->e->options.threads, j->e->options.blocks);
        return;
    }
    char params[48];
    (void)snprintf(params, sizeof params, ".param .align 8 .b8 gf_params[%zu]", sizeof(gf_ptx_step_params));
    add_kernel(j, "gf_step", params, j->e->options.threads, j->e->options.blocks);
    add_more(j);
}

static bool run_job(const gf_plan *plan, const gf_ptx_options *options, gf_ptx_module *out, gf_ptx_stages *stages,
                    void (*write)(void *context), gf_diags *diags) {
    gf_ptx_emit e = {.plan = plan, .options = *options, .arena = gf_arena_create(), .diags = diags};
    bool *none = gf_calloc(plan->buffer_count, sizeof *none);
    job j = {.plan = plan, .e = &e, .out = out, .stages = stages};
    bool done = e.arena != NULL && none != NULL;
    j.watch.tracked = options->tracked != NULL ? options->tracked : none;
    done = (done && gf_arena_protect(e.arena, write, &j) && !j.text.failed) || gf_fail_memory(diags);
    if (done && e.failed) {
        done =
            e.why != NULL && gf_fail(diags, e.is_limit ? GF_CODE_DEVICE_FEATURE : GF_CODE_INTERNAL, GF_NO_SPAN,
                                     "program `%s` cannot be written as PTX: %s", plan->program->checked->name, e.why);
    }
    done = done && fill_module(&j, diags);
    for (size_t i = out->plan_count; i < e.plans.count; i++) {
        gf_plan_destroy(e.plans.items[i]);
    }
    gf_str_free(&e.p.text);
    gf_str_free(&j.text);
    gf_free(none);
    gf_arena_destroy(e.arena);
    return done;
}

bool gf_ptx_emit_whole(const gf_plan *plan, const gf_ptx_options *options, gf_ptx_module *out, gf_diags *diags) {
    if (!gf_plan_compiles(plan, GF_PLAN_MOST_PTX, diags)) {
        return false;
    }
    return run_job(plan, options, out, NULL, write_whole, diags);
}

/* ---- stages ---- */

#define FREE_THREADS 512
#define FEW_THREADS 64
/* Blocks of packs. The driver's compiler would else take as few registers as all threads of a GPU may have, and load
 * what these do not hold when the first has been waited for: 3.0 us a sweep of a stencil that should take half. */
#define PACKED 2
#define LISTED 3          /* blocks that put rows on a list: what they need fits into 42 registers */
#define LISTED_LIGHT 4    /* or into 32 */
#define ROWS_THREADS 1024 /* rows that are summed up wait for memory, see gf_ptx_module */
#define TEAM 256

static bool has_ordered(const job *j, const gf_segment *segment, bool by_group) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &j->walk.fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->is_ordered && fuse->writer == segment && (!by_group || fuse->by_group)) {
            return true;
        }
    }
    return false;
}

static void shape_stage(const job *j, const gf_ptx_work *work, gf_ptx_stage *stage) {
    *stage = (gf_ptx_stage){.one_block = work->kind == GF_PTX_WORK_TURN, .items_buffer = -1, .threads = FREE_THREADS};
    bool sums = false;
    for (size_t i = 0; i < work->ops.count; i++) {
        const gf_plan_node *node = work->ops.items[i].node;
        bool reduces = work->ops.items[i].kind == GF_PTX_OP_NODE && node->kind == GF_PLAN_REDUCE;
        stage->reduces |= reduces;
        sums |= reduces && j->walk.fuse[node->buffer].is_ordered;
    }
    if (work->kind == GF_PTX_WORK_SEGMENT) {
        const gf_segment *segment = work->node->segment;
        uint32_t group = 0;
        stage->segment = segment;
        if (gf_ptx_scan_by(&j->walk, work->node) != NULL) {
            stage->threads = GF_PTX_SCAN_THREADS;
            return;
        }
        for (size_t i = 0; i < work->joined.count; i++) {
            const gf_segment *one = work->joined.items[i]->segment;
            bool by_group = gf_ptx_needs_groups(one->tree) || has_ordered(j, one, true);
            group =
                by_group || i == 0 ? gf_ptx_group_size(one->tree) : group; /* that of all by workgroup is the same */
            stage->by_group |= by_group;
            if (i > 0) {
                stage->joined[stage->joined_count++] = one;
            }
        }
        stage->by_teams = sums || has_ordered(j, segment, false);
        uint32_t unit = stage->by_teams ? TEAM : 32;
        if (stage->by_group) {
            stage->threads = (group + unit - 1) / unit * unit;
        } else if (!segment->is_forall && group > FREE_THREADS) {
            stage->threads = (group + unit - 1) / unit * unit;
        }
    } else if (work->kind == GF_PTX_WORK_TURN) {
        stage->threads = TEAM;
    } else if (work->kind == GF_PTX_WORK_PIECES) {
        stage->is_of_pieces = true;
    } else if (work->kind != GF_PTX_WORK_COMPARE) {
        stage->items_buffer = (int32_t)work->node->buffer;
    }
}

static void find_lists(gf_ptx_layout *l) {
    l->lists = gf_new_array(l->arena, bool, l->plan->segment_count);
    l->each = gf_new_array(l->arena, uint32_t, l->plan->segment_count);
    l->listed = gf_new_array(l->arena, const struct gf_ptx_listed *, l->plan->segment_count);
    for (size_t i = 0; i < l->plan->segment_count; i++) {
        const gf_segment *segment = l->plan->segments[i];
        bool shares = !l->walk->e->options.checked && gf_ptx_is_by_item(l->walk, segment);
        l->lists[i] = shares && gf_ptx_may_leave_rows(segment);
    }
}

/* Of prefix sums. Where the segment behind them sums something up there is a result of each block, of which there
 * should be few. */
static uint32_t tile_of(const job *j, const gf_plan_node *node) {
    const gf_ptx_scan *scan = gf_ptx_scan_by(&j->walk, node);
    for (size_t i = 0; i < scan->user->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &j->walk.fuse[scan->user->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == scan->user) {
            return 0;
        }
    }
    return scan->items * (GF_PTX_SCAN_THREADS / 32);
}

static void write_stages(void *context) {
    job *j = context;
    gf_ptx_emit *e = j->e;
    gf_ptx_layout *l = &j->layout;
    begin_job(j);
    j->walk.by_stages = true;
    gf_ptx_name_swapped(&j->walk, j->plan->body);
    gf_ptx_find_fused(&j->walk);
    gf_ptx_find_scans(&j->walk);
    *l = (gf_ptx_layout){.arena = e->arena,
                         .plan = j->plan,
                         .walk = &j->walk,
                         .writer = -1,
                         .owner = -1,
                         .may_end = gf_ptx_may_do_wrong(j->plan, e->options.checked)};
    l->compares = e->options.compare && gf_ptx_compares(&j->watch);
    gf_ptx_name_cells(l);
    find_lists(l);
    gf_ptx_lay_out(l);
    if (l->is_too_long) {
        e->failed = true;
        e->why = "its tree has too many stages";
        e->is_limit = true;
        return;
    }
    uint64_t most_local = 0, most_thread = 0;
    for (size_t i = 0; i < l->works.count; i++) {
        char name[32], params[48];
        gf_ptx_stage stage;
        shape_stage(j, &l->works.items[i], &stage);
        gf_str_free(&e->p.text);
        e->p = (gf_ptx){0};
        e->local_bytes = e->thread_bytes = e->most_shared_bytes = 0;
        e->rows_bytes = e->staged_bytes = 0;
        e->pack_size = 1;
        e->pack_weight = 0;
        e->sums_rows = false;
        e->block_size = 0;
        e->by_rows = false;
        e->options.threads = stage.threads;
        gf_ptx_write_stage(l, &l->works.items[i], &j->watch);
        const gf_segment *last = stage.joined_count > 0 ? stage.joined[stage.joined_count - 1] : stage.segment;
        const struct gf_ptx_listed *listed = last != NULL ? l->listed[last->index] : NULL;
        if (e->thread_bytes > 0 && stage.segment != NULL && !stage.by_group &&
            (stage.segment->is_forall || gf_ptx_has_one_axis(stage.segment->tree))) {
            stage.threads = stage.by_teams ? TEAM : FEW_THREADS; /* each wants memory of its own */
        } else if (e->sums_rows && stage.by_teams && !stage.by_group) {
            stage.threads = ROWS_THREADS;
        }
        most_local = e->local_bytes > most_local ? e->local_bytes : most_local;
        most_thread = e->thread_bytes > most_thread ? e->thread_bytes : most_thread;
        (void)snprintf(name, sizeof name, "gf_stage_%zu", i);
        (void)snprintf(params, sizeof params, ".param .align 8 .b8 gf_params[%zu]",
                       l->may_end ? sizeof(gf_ptx_stage_params) : offsetof(gf_ptx_stage_params, stretch));
        bool scans = e->block_size > 0;
        unsigned blocks = scans ? GF_PTX_SCAN_BLOCKS : 1;
        if (listed != NULL && stage.threads == FREE_THREADS) {
            blocks = gf_ptx_is_light(listed) ? LISTED_LIGHT : LISTED;
        } else if (e->pack_weight > GF_PTX_HEAVY_PACK && stage.threads == FREE_THREADS) {
            blocks = PACKED;
        }
        stage.tile = scans ? tile_of(j, l->works.items[i].node) : 0;
        add_kernel(j, name, params, stage.threads, blocks);
        stage.shared_bytes = e->most_shared_bytes;
        stage.each = stage.joined_count > 0 ? l->each[stage.segment->index] : e->pack_size;
        stage.by_rows = e->by_rows;
        stage.is_uneven = e->rows_bytes > 0 || (stage.segment != NULL && gf_ptx_is_uneven(stage.segment));
        for (size_t k = 0; k < stage.joined_count; k++) {
            stage.joined_each[k] = l->each[stage.joined[k]->index];
            stage.is_uneven |= gf_ptx_is_uneven(stage.joined[k]);
        }
        stage.thread_bytes = e->thread_bytes;
        gf_push(e->arena, &l->shapes, stage);
    }
    e->local_bytes = most_local;
    e->thread_bytes = most_thread;
}

static bool keep_stages(const job *j, gf_ptx_stages *out) {
    const gf_ptx_layout *l = &j->layout;
    out->stages = gf_calloc(l->shapes.count, sizeof *out->stages);
    out->steps = gf_calloc(l->steps.count, sizeof *out->steps);
    out->swapped = gf_calloc(j->plan->buffer_count, sizeof *out->swapped);
    if (out->stages == NULL || out->steps == NULL || out->swapped == NULL) {
        return false;
    }
    if (l->shapes.count > 0) {
        memcpy(out->stages, l->shapes.items, l->shapes.count * sizeof *out->stages);
    }
    if (l->steps.count > 0) {
        memcpy(out->steps, l->steps.items, l->steps.count * sizeof *out->steps);
    }
    out->stage_count = l->shapes.count;
    out->step_count = l->steps.count;
    out->cells = l->cells.count;
    out->first_swapped = l->first_swapped;
    out->converged = l->converged;
    for (size_t i = 0; i < j->plan->buffer_count; i++) {
        if (j->walk.arrays[i] != NULL && j->walk.arrays[i]->space == GF_PTX_GLOBAL) {
            out->swapped[out->swapped_count++] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < l->steps.count; i++) {
        out->loop_count += l->steps.items[i].kind == GF_PTX_STEP_LOOP;
    }
    return true;
}

bool gf_ptx_emit_stages(const gf_plan *plan, const gf_ptx_options *options, gf_ptx_stages *out, gf_diags *diags) {
    if (!gf_plan_compiles(plan, GF_PLAN_MOST_PTX, diags)) {
        return false;
    }
    return run_job(plan, options, &out->module, out, write_stages, diags);
}

void gf_ptx_stages_finish(gf_ptx_stages *stages) {
    gf_ptx_module_finish(&stages->module);
    gf_free(stages->stages);
    gf_free(stages->steps);
    gf_free(stages->swapped);
    *stages = (gf_ptx_stages){0};
}

void gf_ptx_module_finish(gf_ptx_module *module) {
    for (size_t i = 0; i < module->plan_count; i++) {
        gf_plan_destroy(module->plans[i]);
    }
    gf_free(module->plans);
    gf_free(module->ordered);
    gf_free(module->tile_items);
    gf_free(module->each);
    gf_free(module->by_block);
    gf_free(module->near);
    gf_free(module->text);
    gf_free(module->places);
    gf_free(module->fused);
    gf_free(module->own);
    *module = (gf_ptx_module){0};
}
