/* A plan by steps: a graph whose kernels are all the same one, and each does what comes next. Some stand one behind the
 * other, and behind them a loop with more. Steps behind the end of a run cost little, a turn of the loop the time of
 * some steps, and to come to it at all more; so what runs took decides how many stand before it.
 *
 * Drivers before CUDA 12.4 have no loops: there the host launches the graph again until it is told of the end. */
#include "backend/cuda/kernel.h"
#include "backend/cuda/load.h"
#include "backend/cuda/turns.h"
#include "base/memory.h"
#include "emit/ptx/abi.h"

/* Multiples of GF_PTX_SETS, as those in load.h. */
#define MOST_FIRST 60 /* before the loop; where runs take more, a turn of it hardly counts */
#define LONG_BODY 96  /* of runs that take hundreds */
#define LONG_RUN 300

bool gf_cuda_goes_by_steps(gf_cuda_kernel *kernel, const gf_ptx_options *options, const gf_backend_launch *launch) {
    gf_cuda_sizes sizes = {.plan = kernel->plan, .asked = launch};
    gf_ptx_options wanted = *options;
    if (!kernel->may_go_by_steps) {
        return false;
    }
    if (!gf_cuda_has_loops(&kernel->device->context, NULL) && gf_ptx_wants_loops(kernel->plan, options)) {
        return true;
    }
    gf_ptx_guess *turns = gf_cuda_guess_turns(&sizes, &wanted.turns_count);
    wanted.turns = turns;
    bool wants = gf_ptx_wants_steps(kernel->plan, &wanted);
    gf_free(turns);
    return wants;
}

static unsigned first_of(const gf_cuda_steps *steps) {
    uint64_t most = (steps->most + GF_PTX_SETS - 1) / GF_PTX_SETS * GF_PTX_SETS;
    return most > 0 && most <= MOST_FIRST ? (unsigned)most : GF_CUDA_FIRST_STEPS;
}

static unsigned body_of(const gf_cuda_steps *steps) {
    return steps->most > LONG_RUN ? LONG_BODY : GF_CUDA_BODY_STEPS;
}

void gf_cuda_steps_finish(gf_cuda_context *context, gf_cuda_steps *steps) {
    if (gf_cuda_can_free(context)) {
        gf_cuda_graph_drop(context->driver, &steps->graph);
    }
}

/* ---- the graph ---- */

typedef struct building {
    gf_cuda_context *context;
    gf_cuda_code *code;
    CUgraphConditionalHandle flag;
    gf_diags *diags;
} building;

/* So many, and the look whether they were enough. */
static bool add_steps(building *b, CUgraph graph, unsigned count, gf_cuda_tail *tail) {
    const gf_cuda_steps *steps = &b->code->steps;
    uint64_t sets[GF_PTX_SETS];
    for (unsigned i = 0; i < GF_PTX_SETS; i++) {
        sets[i] = steps->sets + (uint64_t)GF_PTX_SET_BYTES * i;
    }
    for (unsigned i = 0; i < count; i++) {
        gf_ptx_step_params params = {
            .in = sets[i % GF_PTX_SETS], .out = sets[(i + 1) % GF_PTX_SETS], .next = sets[(i + 2) % GF_PTX_SETS]};
        void *arguments[] = {&params};
        CUDA_KERNEL_NODE_PARAMS node = {.func = b->code->function,
                                        .gridDimX = steps->blocks,
                                        .blockDimX = steps->threads,
                                        .sharedMemBytes = (unsigned)steps->shared_bytes,
                                        .kernelParams = arguments};
        if (!gf_cuda_add_kernel(b->context, graph, node, tail, b->diags)) {
            return false;
        }
    }
    gf_ptx_more_params params = {.in = sets[0], .flag = b->flag};
    void *arguments[] = {&params};
    CUDA_KERNEL_NODE_PARAMS node = {
        .func = steps->more, .gridDimX = 1, .blockDimX = GF_PTX_MORE_THREADS, .kernelParams = arguments};
    return gf_cuda_add_kernel(b->context, graph, node, tail, b->diags);
}

static bool fill_graph(void *user, CUgraph graph) {
    building *b = user;
    const gf_cuda_steps *steps = &b->code->steps;
    gf_cuda_tail tail = {0}, inside = {0};
    CUgraph body = NULL;
    if (b->code->options.polled) {
        return add_steps(b, graph, body_of(steps) > first_of(steps) ? body_of(steps) : first_of(steps), &tail);
    }
    return gf_cuda_try(b->context,
                       b->context->driver->cuGraphConditionalHandleCreate(&b->flag, graph, b->context->context, 0, 0),
                       "cuGraphConditionalHandleCreate", b->diags) &&
           add_steps(b, graph, first_of(steps), &tail) &&
           gf_cuda_add_while(b->context, graph, b->flag, &tail, &body, b->diags) &&
           add_steps(b, body, body_of(steps), &inside);
}

static bool build_graph(gf_cuda_device *device, gf_cuda_code *code, gf_diags *diags) {
    building b = {.context = &device->context, .code = code, .diags = diags};
    return (code->options.polled || gf_cuda_has_loops(b.context, diags)) &&
           gf_cuda_graph_build(b.context, &code->steps.graph, device->stream, fill_graph, &b, diags);
}

bool gf_cuda_steps_launch(gf_cuda_device *device, gf_cuda_code *code, CUevent done, CUdeviceptr state, unsigned blocks,
                          unsigned threads, uint64_t shared_bytes, gf_diags *diags) {
    gf_cuda_steps *steps = &code->steps;
    CUdeviceptr sets = state + GF_PTX_STATE_SETS;
    bool is_same = steps->sets == sets && steps->blocks == blocks && steps->threads == threads &&
                   steps->shared_bytes == shared_bytes;
    steps->sets = sets;
    steps->blocks = blocks;
    steps->threads = threads;
    steps->shared_bytes = shared_bytes;
    steps->graph.done = done;
    if ((!is_same || steps->graph.exec == NULL) && !build_graph(device, code, diags)) {
        return false;
    }
    return gf_cuda_try(&device->context, device->context.driver->cuGraphLaunch(steps->graph.exec, device->stream),
                       "cuGraphLaunch", diags);
}

void gf_cuda_steps_learn(gf_cuda_device *device, gf_cuda_code *code, uint64_t count) {
    gf_cuda_steps *steps = &code->steps, before = *steps;
    steps->most = count > steps->most ? count : steps->most;
    if (first_of(steps) != first_of(&before) || body_of(steps) != body_of(&before)) {
        gf_cuda_graph_drop(device->context.driver, &steps->graph);
    }
}
