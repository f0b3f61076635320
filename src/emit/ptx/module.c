/* A module: the frame around the bodies of kernels. */
#include "base/memory.h"
#include "emit/ptx/whole.h"
#include "ir/program.h"
#include "plan/track.h"
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
} job;

static void write_body(void *context) {
    job *j = context;
    gf_ptx_emit *e = j->e;
    size_t buffers = j->plan->buffer_count;
    j->walk = (gf_ptx_walk){.e = e, .plan = j->plan, .level = GF_LEVEL_GRID};
    j->walk.names = gf_new_array(e->arena, gf_ptx_named, j->plan->symbol_count);
    j->walk.arrays = gf_new_array(e->arena, gf_ptx_array *, buffers);
    j->walk.fuse = gf_new_array(e->arena, gf_ptx_fuse, buffers);
    bool *written = gf_new_array(e->arena, bool, buffers);
    j->watch.buffers = gf_new_array(e->arena, uint32_t, buffers);
    gf_plan_written(j->plan, written);
    j->watch.count = gf_plan_watched(j->plan, written, j->watch.buffers);
    e->written = written;
    e->names = j->walk.names;
    e->tree = j->plan->program->checked;
    gf_ptx_write_whole(&j->walk, &j->watch);
}

static void add_registers(gf_str *text, const gf_ptx *p) {
    static const char *const types[GF_PTX_CLASSES] = {".pred", ".b32", ".b64", ".f32", ".f64", ".b16"};
    for (int i = 0; i < GF_PTX_CLASSES; i++) {
        if (p->count[i] > 0) {
            const char *name = gf_ptx_name((gf_ptx_class)i, p->count[i]).text;
            size_t letters = strcspn(name, "0123456789");
            gf_str_addf(text, "    .reg %s %.*s<%u>;\n", types[i], (int)letters, name, (unsigned)p->count[i]);
        }
    }
}

/* The whole text; the length of the constant array comes with it. */
static char *frame(const job *j, const char *name) {
    const gf_ptx_emit *e = j->e;
    gf_str text = {0};
    gf_str_addf(&text, "// program %s\n.version 6.0\n.target sm_70\n.address_size 64\n\n", j->plan->program->checked->name);
    gf_str_addf(&text, ".const .align 8 .b8 gf_args[%zu];\n", 8 * j->out->arg_words);
    gf_str_addf(&text, ".extern .shared .align 16 .b8 gf_shared[];\n\n.visible .entry %s()\n", name);
    gf_str_addf(&text, ".maxntid %u, 1, 1\n", (unsigned)e->options.threads);
    if (e->options.blocks > 1) {
        gf_str_addf(&text, ".minnctapersm %u\n", (unsigned)e->options.blocks);
    }
    gf_str_add(&text, "{\n");
    add_registers(&text, &e->p);
    gf_str_addf(&text, "    .shared .align 16 .b8 gf_sync[%d];\n", GF_PTX_SYNC_BYTES);
    if (e->local_bytes > 0) {
        gf_str_addf(&text, "    .local .align 16 .b8 gf_local[%llu];\n", (unsigned long long)e->local_bytes);
    }
    gf_str_add_n(&text, e->p.text.text != NULL ? e->p.text.text : "", e->p.text.length);
    gf_str_add(&text, "}\n");
    text.failed |= e->p.text.failed;
    return gf_str_take(&text);
}

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
    if (out->fused == NULL || out->own == NULL || out->ordered == NULL || out->places == NULL || out->plans == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < buffers; i++) {
        out->fused[i] = j->walk.fuse[i].is_fused;
        out->ordered[i] = j->walk.fuse[i].is_ordered;
        out->own[i] = !out->fused[i] && j->walk.arrays[i] != NULL && j->walk.arrays[i]->space == GF_PTX_OWN;
    }
    if (e->places.count > 0) {
        memcpy(out->places, e->places.items, e->places.count * sizeof *out->places);
    }
    if (e->plans.count > 0) {
        memcpy(out->plans, e->plans.items, e->plans.count * sizeof *out->plans);
    }
    out->plan_count = e->plans.count;
    out->local_bytes = e->local_bytes;
    out->place_count = e->places.count;
    out->arg_words = gf_ptx_arg_of_buffer(j->plan, (uint32_t)buffers) + j->watch.count;
    out->shared_bytes = e->most_shared_bytes;
    out->block_bytes = e->block_bytes;
    out->by_group = has_needs(j, false);
    out->by_teams = has_needs(j, true);
    out->has_barrier = j->walk.has_barrier;
    out->text = frame(j, "gf_whole");
    return out->text != NULL || gf_fail_memory(diags);
}

bool gf_ptx_emit_whole(const gf_plan *plan, const gf_ptx_options *options, gf_ptx_module *out, gf_diags *diags) {
    gf_ptx_emit e = {.plan = plan, .options = *options, .arena = gf_arena_create()};
    bool *none = gf_calloc(plan->buffer_count, sizeof *none);
    job j = {.plan = plan, .e = &e, .out = out};
    bool done = e.arena != NULL && none != NULL;
    j.watch.tracked = options->tracked != NULL ? options->tracked : none;
    done = (done && gf_arena_protect(e.arena, write_body, &j) && !e.p.text.failed) || gf_fail_memory(diags);
    if (done && e.failed) {
        done = gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "program `%s` cannot be written as PTX: %s",
                       plan->program->checked->name, e.why != NULL ? e.why : "no memory");
    }
    done = done && fill_module(&j, diags);
    for (size_t i = out->plan_count; i < e.plans.count; i++) {
        gf_plan_destroy(e.plans.items[i]);
    }
    gf_str_free(&e.p.text);
    gf_free(none);
    gf_arena_destroy(e.arena);
    return done;
}

void gf_ptx_module_finish(gf_ptx_module *module) {
    for (size_t i = 0; i < module->plan_count; i++) {
        gf_plan_destroy(module->plans[i]);
    }
    gf_free(module->plans);
    gf_free(module->ordered);
    gf_free(module->text);
    gf_free(module->places);
    gf_free(module->fused);
    gf_free(module->own);
    *module = (gf_ptx_module){0};
}
