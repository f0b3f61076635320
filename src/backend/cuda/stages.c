/* The plan as kernels that follow each other: compiled, and put into a graph that the device goes through by itself. A
 * graph is kept until the shape of a launch changes, or the state moves: what a run binds lies in the arguments, not in
 * the graph. */
#include "backend/cuda/kernel.h"
#include "backend/cuda/turns.h"
#include "base/memory.h"
#include "emit/ptx/abi.h"
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#define FEW_STEPS 6 /* to launch them one by one costs less than to make a graph */

/* ---- compiling ---- */

static bool look_at_stage(gf_cuda_context *context, gf_cuda_stages *stages, size_t index, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    const gf_ptx_stage *stage = &stages->text.stages[index];
    char name[32];
    int local = 0;
    (void)snprintf(name, sizeof name, "gf_stage_%zu", index);
    if (!gf_cuda_try(context, driver->cuModuleGetFunction(&stages->functions[index], stages->image.module, name),
                     "cuModuleGetFunction", diags) ||
        !gf_cuda_try(context,
                     driver->cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, stages->functions[index]),
                     "cuFuncGetAttribute", diags)) {
        return false;
    }
    local -= (int)stages->text.module.local_bytes;
    stages->spilled = local > stages->spilled ? local : stages->spilled;
    if (stage->shared_bytes > 0 &&
        !gf_cuda_try(context,
                     driver->cuFuncSetAttribute(stages->functions[index],
                                                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                (int)stage->shared_bytes),
                     "cuFuncSetAttribute", diags)) {
        return false;
    }
    return gf_cuda_try(context,
                       driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&stages->blocks_per_sm[index],
                                                                           stages->functions[index],
                                                                           (int)stage->threads, stage->shared_bytes),
                       "cuOccupancyMaxActiveBlocksPerMultiprocessor", diags);
}

static uint64_t hash_of(const gf_ptx_stages *stages) {
    return XXH3_64bits(stages->module.text, strlen(stages->module.text));
}

static bool compile(gf_cuda_kernel *kernel, gf_cuda_stages *stages, gf_diags *diags) {
    gf_cuda_context *context = &kernel->device->context;
    if (!gf_ptx_emit_stages(kernel->plan, &stages->options, &stages->text, diags)) {
        return false;
    }
    stages->text_hash = hash_of(&stages->text);
    size_t count = stages->text.stage_count;
    stages->functions = gf_calloc(count, sizeof(CUfunction));
    stages->blocks_per_sm = gf_calloc(count, sizeof *stages->blocks_per_sm);
    stages->blocks = gf_calloc(count, sizeof *stages->blocks);
    stages->across = gf_calloc(count, sizeof *stages->across);
    if (stages->functions == NULL || stages->blocks_per_sm == NULL || stages->blocks == NULL ||
        stages->across == NULL) {
        return gf_fail_memory(diags);
    }
    if (stages->text.loop_count > 0 && !gf_cuda_has_loops(context, diags)) {
        return false;
    }
    if (!gf_cuda_image_load(context, &stages->image, &stages->text.module, diags)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!look_at_stage(context, stages, i, diags)) {
            return false;
        }
    }
    return true;
}

void gf_cuda_stages_destroy(gf_cuda_context *context, gf_cuda_stages *stages) {
    if (gf_cuda_can_free(context)) {
        gf_cuda_graph_drop(context->driver, &stages->graph);
    }
    gf_cuda_image_finish(context, &stages->image);
    gf_ptx_stages_finish(&stages->text);
    gf_free((void *)stages->functions);
    gf_free(stages->blocks_per_sm);
    gf_free(stages->blocks);
    gf_free(stages->across);
    gf_free((void *)(uintptr_t)stages->options.turns);
    gf_free(stages);
}

static bool is_same(const gf_ptx_options *a, const gf_ptx_options *b) {
    return a->checked == b->checked && a->wide == b->wide && a->passes == b->passes && a->compare == b->compare;
}

static bool has_turns(const gf_cuda_stages *stages, const gf_ptx_options *options) {
    bool same = stages->options.turns_count == options->turns_count;
    for (size_t i = 0; same && i < options->turns_count; i++) {
        same = stages->options.turns[i].count == options->turns[i].count;
    }
    return same;
}

/* Other turns of loops are another order of the same kernels: false where they are not the same. */
static bool lay_out_anew(gf_cuda_kernel *kernel, gf_cuda_stages *stages, const gf_ptx_options *options) {
    gf_ptx_stages text = {0};
    bool done = gf_ptx_emit_stages(kernel->plan, options, &text, NULL) && hash_of(&text) == stages->text_hash;
    if (done) {
        gf_cuda_graph_drop(kernel->device->context.driver, &stages->graph);
        gf_cuda_forms_forget(kernel);
        gf_ptx_stages_finish(&stages->text);
        gf_free((void *)(uintptr_t)stages->options.turns);
        stages->options = *options;
        stages->text = text;
        gf_free(stages->text.module.text);
        stages->text.module.text = NULL;
    } else {
        gf_ptx_stages_finish(&text);
    }
    return done;
}

static gf_cuda_stages *make(gf_cuda_kernel *kernel, const gf_ptx_options *options, gf_diags *diags) {
    gf_cuda_stages *stages = gf_calloc(1, sizeof *stages);
    if (stages == NULL) {
        gf_free((void *)(uintptr_t)options->turns);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    stages->options = *options;
    if (!compile(kernel, stages, diags)) {
        gf_cuda_stages_destroy(&kernel->device->context, stages);
        return NULL;
    }
    return stages;
}

/* Where room for as many blocks as workgroup arrays allow is bought with spills, as it comes. */
static gf_cuda_stages *make_best(gf_cuda_kernel *kernel, gf_ptx_options options, gf_diags *diags) {
    gf_cuda_stages *stages = make(kernel, &options, diags);
    if (stages != NULL && stages->text.module.fills_arrays && stages->spilled > GF_CUDA_FEW_SPILLED) {
        options.sm_shared = 0;
        stages->options.turns = NULL; /* they go on */
        gf_cuda_stages_destroy(&kernel->device->context, stages);
        stages = make(kernel, &options, diags);
    }
    if (stages != NULL) {
        stages->next = kernel->stages;
        kernel->stages = stages;
    }
    return stages;
}

gf_cuda_stages *gf_cuda_stages_get(gf_cuda_kernel *kernel, const gf_ptx_options *options,
                                   const gf_backend_launch *launch, gf_diags *diags) {
    gf_cuda_sizes sizes = {.plan = kernel->plan, .asked = launch};
    gf_ptx_options wanted = *options;
    wanted.tracked = kernel->tracked;
    wanted.turns = gf_cuda_guess_turns(&sizes, &wanted.turns_count);
    for (gf_cuda_stages *stages = kernel->stages; stages != NULL; stages = stages->next) {
        if (is_same(&stages->options, options) && has_turns(stages, &wanted)) {
            gf_free((void *)(uintptr_t)wanted.turns);
            return stages;
        }
    }
    for (gf_cuda_stages *stages = kernel->stages; stages != NULL; stages = stages->next) {
        wanted.sm_shared = stages->options.sm_shared;
        if (is_same(&stages->options, options) && lay_out_anew(kernel, stages, &wanted)) {
            return stages;
        }
    }
    wanted.sm_shared = options->sm_shared;
    return make_best(kernel, wanted, diags);
}

/* ---- the graph ---- */

typedef struct building {
    gf_cuda_context *context;
    const gf_cuda_driver *driver;
    gf_cuda_stages *stages;
    CUgraphConditionalHandle *flags; /* by loop */
    gf_diags *diags;
} building;

static gf_ptx_stage_params params_of(const gf_cuda_stages *stages, const gf_ptx_step *step,
                                     const CUgraphConditionalHandle *flags) {
    unsigned blocks = stages->blocks[step->stage], across = stages->across[step->stage];
    uint64_t sets = stages->state + GF_PTX_STATE_BYTES, slots = stages->state + GF_PTX_STATE_SLOTS;
    return (gf_ptx_stage_params){.in = sets + 8 * stages->text.cells * step->in,
                                 .out = sets + 8 * stages->text.cells * step->out,
                                 .read_area = step->read_area,
                                 .write_area = step->write_area,
                                 .read_slot = slots + (uint64_t)GF_PTX_LINE * step->read_slot,
                                 .write_slot = slots + (uint64_t)GF_PTX_LINE * step->write_slot,
                                 .writer_blocks = step->writer >= 0 ? stages->blocks[step->writer] : 0,
                                 .across = across,
                                 .across_inverse = (uint32_t)(((UINT64_C(1) << 31) + across - 1) / across),
                                 .down = blocks / across,
                                 .stretch = step->stretch,
                                 .flag = flags != NULL && step->sets >= 0 ? flags[step->sets] : 0};
}

static bool is_left_out(const gf_cuda_stages *stages, const gf_ptx_step *step) {
    return stages->pieces == GF_CUDA_PIECES_NONE && stages->text.stages[step->stage].is_of_pieces;
}

static bool add_stage(building *b, CUgraph graph, const gf_ptx_step *step, gf_cuda_tail *tail) {
    const gf_ptx_stage *stage = &b->stages->text.stages[step->stage];
    gf_ptx_stage_params params = params_of(b->stages, step, b->flags);
    void *arguments[] = {&params};
    CUDA_KERNEL_NODE_PARAMS node = {.func = b->stages->functions[step->stage],
                                    .gridDimX = b->stages->blocks[step->stage],
                                    .blockDimX = stage->threads,
                                    .sharedMemBytes = (unsigned)stage->shared_bytes,
                                    .kernelParams = arguments};
    return gf_cuda_add_kernel(b->context, graph, node, tail, b->diags);
}

/* Flags belong to the graph in which their loop stands, and are made before the stage that sets them first. Loops nest
 * no deeper than the text of a program. */
static bool add_steps(building *b, CUgraph graph, size_t begin, size_t end) {
    const gf_ptx_step *steps = b->stages->text.steps;
    gf_cuda_tail tail = {0};
    for (size_t i = begin; i < end; i++) {
        if (steps[i].kind != GF_PTX_STEP_LOOP) {
            continue;
        }
        if (!gf_cuda_try(
                b->context,
                b->driver->cuGraphConditionalHandleCreate(&b->flags[steps[i].loop], graph, b->context->context, 0, 0),
                "cuGraphConditionalHandleCreate", b->diags)) {
            return false;
        }
        i += steps[i].child_count;
    }
    for (size_t i = begin; i < end; i++) {
        CUgraph body = NULL;
        if (steps[i].kind == GF_PTX_STEP_STAGE) {
            if (!is_left_out(b->stages, &steps[i]) && !add_stage(b, graph, &steps[i], &tail)) {
                return false;
            }
            continue;
        }
        if (!gf_cuda_add_while(b->context, graph, b->flags[steps[i].loop], &tail, &body, b->diags) ||
            !add_steps(b, body, i + 1, i + 1 + steps[i].child_count)) {
            return false;
        }
        i += steps[i].child_count;
    }
    return true;
}

/* Handles are numbered by loop: loops and branches share their numbers, so there are no more than steps. */
static size_t flag_count(const gf_ptx_stages *text) {
    size_t count = 0;
    for (size_t i = 0; i < text->step_count; i++) {
        size_t loop = text->steps[i].kind == GF_PTX_STEP_LOOP ? text->steps[i].loop + (size_t)1 : 0;
        count = loop > count ? loop : count;
    }
    return count;
}

static bool fill_graph(void *user, CUgraph graph) {
    building *b = user;
    return add_steps(b, graph, 0, b->stages->text.step_count);
}

static bool build_graph(gf_cuda_device *device, gf_cuda_stages *stages, gf_diags *diags) {
    building b = {.context = &device->context, .driver = device->context.driver, .stages = stages, .diags = diags};
    b.flags = gf_calloc(flag_count(&stages->text), sizeof *b.flags);
    if (b.flags == NULL) {
        gf_cuda_graph_drop(b.driver, &stages->graph); /* it is of another shape */
        return gf_fail_memory(diags);
    }
    bool done = gf_cuda_graph_build(b.context, &stages->graph, device->stream, fill_graph, &b, diags);
    gf_free(b.flags);
    return done;
}

static bool launch_steps(gf_cuda_device *device, gf_cuda_stages *stages, gf_diags *diags) {
    for (size_t i = 0; i < stages->text.step_count; i++) {
        const gf_ptx_step *step = &stages->text.steps[i];
        const gf_ptx_stage *stage = &stages->text.stages[step->stage];
        gf_ptx_stage_params params = params_of(stages, step, NULL);
        void *arguments[] = {&params};
        if (is_left_out(stages, step)) {
            continue;
        }
        CUresult result = device->context.driver->cuLaunchKernel(
            stages->functions[step->stage], stages->blocks[step->stage], 1, 1, stage->threads, 1, 1,
            (unsigned)stage->shared_bytes, device->stream, arguments, NULL);
        if (!gf_cuda_try(&device->context, result, "cuLaunchKernel", diags)) {
            return false;
        }
    }
    return true;
}

bool gf_cuda_stages_launch(gf_cuda_device *device, gf_cuda_stages *stages, CUevent done, CUdeviceptr state,
                           const unsigned *blocks, const unsigned *across, gf_diags *diags) {
    size_t bytes = stages->text.stage_count * sizeof *blocks;
    bool is_new = memcmp(stages->blocks, blocks, bytes) != 0 || memcmp(stages->across, across, bytes) != 0 ||
                  stages->state != state;
    memcpy(stages->blocks, blocks, bytes);
    memcpy(stages->across, across, bytes);
    stages->state = state;
    stages->graph.done = done;
    if (stages->text.loop_count == 0 && stages->text.step_count <= FEW_STEPS) {
        return launch_steps(device, stages, diags);
    }
    if ((is_new || stages->graph.exec == NULL) && !build_graph(device, stages, diags)) {
        return false;
    }
    return gf_cuda_try(&device->context, device->context.driver->cuGraphLaunch(stages->graph.exec, device->stream),
                       "cuGraphLaunch", diags);
}

/* The first run has them, for what a list would have saved may be far more than they cost; and once one had long rows
 * all have them. */
void gf_cuda_stages_learn(gf_cuda_device *device, gf_cuda_stages *stages, bool has_pieces) {
    gf_cuda_pieces before = stages->pieces;
    if (has_pieces) {
        stages->pieces = GF_CUDA_PIECES_SOME;
    } else if (before == GF_CUDA_PIECES_UNKNOWN && stages->text.module.list_bytes > 0) {
        stages->pieces = GF_CUDA_PIECES_NONE;
    }
    if ((before == GF_CUDA_PIECES_NONE) != (stages->pieces == GF_CUDA_PIECES_NONE)) {
        gf_cuda_graph_drop(device->context.driver, &stages->graph);
    }
}
