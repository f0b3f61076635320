/* Measuring, on a stream of its own, by kernels of its own, of the same form as those of programs. Each figure is the
 * least of some tries: what else the device does meanwhile can only make it larger. */
#include "backend/cuda/measure.h"
#include "backend/cuda/kernel.h"
#include "base/clock.h"
#include "base/str.h"
#include <string.h>

#define TRIES 3
#define FEW 20
#define MANY 120     /* differences of these leave out what is paid once */
#define WARM_UP 1500 /* barriers: clocks that were low go up */
#define NODES 40
#define LAUNCHES 20
#define TURNS 100
#define WORDS 8192 /* bytes in front: words of barriers, the flag, the counter of turns */
#define FLAG 4096
#define COUNTER 4224
#define MOST_COPY ((size_t)128 << 20)
#define TRANSFER ((size_t)8 << 20)

/* A barrier is that of emit/ptx/barrier.c without votes: flat, or by groups of blocks where blocks are many. */
static const char barriers_text[] =
    ".visible .entry gf_barriers(.param .align 8 .b8 gf_params[16])\n.maxntid 1024, 1, 1\n{\n"
    "    .reg .pred %p<8>;\n    .reg .b32 %r<24>;\n    .reg .b64 %rd<16>;\n"
    "    ld.param.u64 %rd1, [gf_params+0];\n    ld.param.u32 %r1, [gf_params+8];\n"
    "    mov.u32 %r2, %tid.x;\n    mov.u32 %r3, %nctaid.x;\n    mov.u32 %r4, %ctaid.x;\n    mov.u32 %r5, 0;\n"
    "$AGAIN:\n"
    "    setp.ge.u32 %p1, %r5, %r1;\n    @%p1 bra $DONE;\n"
    "    bar.sync 0;\n"
    "    setp.ne.u32 %p2, %r2, 0;\n    @%p2 bra $MET;\n"
    "    and.b32 %r6, %r5, 1;\n    mul.wide.u32 %rd2, %r6, 128;\n    add.u64 %rd3, %rd1, %rd2;\n"
    "    shr.u32 %r7, %r5, 1;\n    add.u32 %r7, %r7, 1;\n"
    "    setp.le.u32 %p3, %r3, 800;\n    @%p3 bra $FLAT;\n"
    "    and.b32 %r8, %r4, 15;\n    sub.u32 %r9, %r3, %r8;\n    add.u32 %r9, %r9, 15;\n    shr.u32 %r9, %r9, 4;\n"
    "    mul.wide.u32 %rd4, %r8, 128;\n    add.u64 %rd4, %rd4, %rd1;\n"
    "    atom.acq_rel.gpu.global.add.u32 %r10, [%rd4+256], 1;\n    add.u32 %r10, %r10, 1;\n"
    "    add.u32 %r11, %r5, 1;\n    mul.lo.u32 %r11, %r11, %r9;\n"
    "    shl.b32 %r12, %r7, 4;\n    sub.u32 %r13, %r12, 1;\n    cvt.u64.u32 %rd5, %r13;\n"
    "    setp.ne.u32 %p4, %r10, %r11;\n    @%p4 bra $SPIN;\n"
    "    atom.acq_rel.gpu.global.add.u64 %rd5, [%rd3], 1;\n    add.u64 %rd5, %rd5, 1;\n    bra $SPIN;\n"
    "$FLAT:\n"
    "    mul.lo.u32 %r12, %r7, %r3;\n"
    "    atom.acq_rel.gpu.global.add.u64 %rd5, [%rd3], 1;\n    add.u64 %rd5, %rd5, 1;\n"
    "$SPIN:\n"
    "    cvt.u32.u64 %r14, %rd5;\n    sub.u32 %r15, %r14, %r12;\n    setp.ge.s32 %p5, %r15, 0;\n    @%p5 bra $MET;\n"
    "    ld.acquire.gpu.global.u64 %rd5, [%rd3];\n    bra $SPIN;\n"
    "$MET:\n"
    "    bar.sync 0;\n    add.u32 %r5, %r5, 1;\n    bra $AGAIN;\n"
    "$DONE:\n    ret;\n}\n\n";

/* Four bytes of another block are read, and four written, where the flag says so. */
static const char step_head[] = ".visible .entry gf_step(.param .align 8 .b8 gf_params[24])\n.maxntid 1024, 1, 1\n{\n"
                                "    .reg .pred %p<4>;\n    .reg .b32 %r<16>;\n    .reg .b64 %rd<12>;\n"
                                "    ld.param.u64 %rd1, [gf_params+0];\n    ld.param.u64 %rd2, [gf_params+8];\n"
                                "    ld.param.u64 %rd3, [gf_params+16];\n";
static const char step_waits[] = "    griddepcontrol.wait;\n";
static const char step_text[] =
    "    ld.global.u32 %r1, [%rd1+4096];\n"
    "    bar.sync 0;\n"
    "    setp.eq.u32 %p1, %r1, 0;\n    @%p1 bra $OUT;\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n    mov.u32 %r5, %nctaid.x;\n"
    "    mul.lo.u32 %r6, %r2, %r3;\n    add.u32 %r6, %r6, %r4;\n"
    "    add.u32 %r7, %r2, 1;\n    setp.ge.u32 %p2, %r7, %r5;\n    selp.b32 %r7, 0, %r7, %p2;\n"
    "    mul.lo.u32 %r8, %r7, %r3;\n    add.u32 %r8, %r8, %r4;\n"
    "    mul.wide.u32 %rd4, %r8, 4;\n    add.u64 %rd4, %rd4, %rd2;\n    ld.global.u32 %r9, [%rd4];\n"
    "    add.u32 %r9, %r9, 1;\n"
    "    mul.wide.u32 %rd5, %r6, 4;\n    add.u64 %rd5, %rd5, %rd3;\n    st.global.u32 [%rd5], %r9;\n"
    "$OUT:\n    ret;\n}\n";

/* A turn of a loop: one thread counts down, and sets the flag. */
static const char turn_text[] =
    "// what the device measures of itself: loops of graphs\n"
    ".version 6.0\n.target sm_70\n.address_size 64\n\n"
    ".extern .func cudaGraphSetConditional (.param .b64 gf_a, .param .b32 gf_b);\n"
    ".visible .entry gf_turn(.param .align 8 .b8 gf_params[16])\n.maxntid 32, 1, 1\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<8>;\n    .reg .b64 %rd<8>;\n"
    "    ld.param.u64 %rd1, [gf_params+0];\n    ld.param.u64 %rd2, [gf_params+8];\n"
    "    mov.u32 %r1, %tid.x;\n    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bra $OUT;\n"
    "    ld.global.u32 %r2, [%rd1+4224];\n    sub.u32 %r2, %r2, 1;\n    st.global.u32 [%rd1+4224], %r2;\n"
    "    { .param .b64 gf_flag; .param .b32 gf_go;\n"
    "    st.param.b64 [gf_flag], %rd2;\n    st.param.b32 [gf_go], %r2;\n"
    "    call.uni cudaGraphSetConditional, (gf_flag, gf_go); }\n"
    "$OUT:\n    ret;\n}\n";

/* The parameters of kernels, as they stand there. */
typedef struct barrier_params {
    CUdeviceptr words;
    uint64_t count;
} barrier_params;

typedef struct step_params {
    CUdeviceptr words, from, to;
} step_params;

typedef struct turn_params {
    CUdeviceptr words;
    CUgraphConditionalHandle flag;
} turn_params;

typedef struct measuring {
    gf_cuda_device *device;
    const gf_cuda_driver *driver;
    gf_cuda_figures *figures;
    gf_diags *diags;
    CUstream stream;
    CUevent from, to;
    CUmodule module, turns;
    CUfunction barriers, step, turn;
    CUdeviceptr memory; /* words, then two halves */
    size_t half;        /* bytes */
    void *pinned;
} measuring;

static bool tried(measuring *m, CUresult result, const char *call) {
    return gf_cuda_try(&m->device->context, result, call, m->diags);
}

#define TRY(m, call, arguments) tried(m, (m)->driver->call arguments, #call)

/* ---- time ---- */

static bool begin_time(measuring *m) {
    return TRY(m, cuEventRecord, (m->from, m->stream));
}

static bool end_time(measuring *m, double *seconds) {
    float milliseconds = 0;
    if (!TRY(m, cuEventRecord, (m->to, m->stream)) || !TRY(m, cuEventSynchronize, (m->to)) ||
        !TRY(m, cuEventElapsedTime, (&milliseconds, m->from, m->to))) {
        return false;
    }
    *seconds = (double)milliseconds / 1e3;
    return true;
}

static void keep_least(double *least, double seconds) {
    if (*least <= 0 || seconds < *least) {
        *least = seconds;
    }
}

/* As wait() of a run: the host looks all the time. */
static bool look_until_done(measuring *m) {
    CUresult result = CUDA_ERROR_NOT_READY;
    while (result == CUDA_ERROR_NOT_READY) {
        result = m->driver->cuStreamQuery(m->stream);
    }
    return tried(m, result, "cuStreamQuery");
}

/* ---- barriers ---- */

static bool time_barriers(measuring *m, unsigned blocks, unsigned threads, unsigned count, double *least) {
    barrier_params params = {m->memory, count};
    void *arguments[] = {&params};
    double seconds = 0;
    if (!TRY(m, cuMemsetD8Async, (m->memory, 0, WORDS, m->stream)) || !begin_time(m) ||
        !TRY(m, cuLaunchCooperativeKernel, (m->barriers, blocks, 1, 1, threads, 1, 1, 0, m->stream, arguments)) ||
        !end_time(m, &seconds)) {
        return false;
    }
    keep_least(least, seconds);
    return true;
}

static bool measure_barriers(measuring *m) {
    static const unsigned each[] = GF_CUDA_BARRIER_BLOCKS, of[] = GF_CUDA_BARRIER_THREADS;
    double few_alone = 0, many_alone = 0;
    if (!time_barriers(m, 1, 32, FEW, &few_alone) || !time_barriers(m, 1, 32, MANY, &many_alone) ||
        many_alone <= few_alone || !time_barriers(m, 1, 256, WARM_UP, &many_alone)) {
        return false; /* or there is no clock */
    }
    for (int i = 0; i < GF_CUDA_BARRIERS; i++) {
        int fit = 0;
        double few = 0, many = 0;
        unsigned blocks = each[i] * (unsigned)m->device->facts.sms;
        m->figures->barrier[i] = 0;
        if (!TRY(m, cuOccupancyMaxActiveBlocksPerMultiprocessor, (&fit, m->barriers, (int)of[i], 0))) {
            return false;
        }
        for (int k = 0; (unsigned)fit >= each[i] && k < TRIES; k++) {
            if (!time_barriers(m, blocks, of[i], FEW, &few) || !time_barriers(m, blocks, of[i], MANY, &many)) {
                return false;
            }
        }
        m->figures->barrier[i] = many > few ? (many - few) / (MANY - FEW) : 0;
    }
    return true;
}

/* ---- launches ---- */

/* In the form that graphs of this device have. */
static bool load_kernels(measuring *m) {
    bool waits = m->device->context.dependent;
    gf_str text = {0};
    gf_str_addf(&text, "// what the device measures of itself\n.version %s\n.address_size 64\n\n",
                waits ? "7.8\n.target sm_90" : "6.0\n.target sm_70");
    gf_str_add(&text, barriers_text);
    gf_str_add(&text, step_head);
    gf_str_add(&text, waits ? step_waits : "");
    gf_str_add(&text, step_text);
    bool done = !text.failed || gf_fail_memory(m->diags);
    done = done && TRY(m, cuModuleLoadDataEx, (&m->module, text.text, 0, NULL, NULL)) &&
           TRY(m, cuModuleGetFunction, (&m->barriers, m->module, "gf_barriers")) &&
           TRY(m, cuModuleGetFunction, (&m->step, m->module, "gf_step"));
    gf_str_free(&text);
    return done;
}

/* From one half of the memory to the other, and back. */
static step_params step_of(const measuring *m, unsigned index) {
    CUdeviceptr a = m->memory + WORDS, b = a + m->half;
    return (step_params){m->memory, index % 2 == 0 ? a : b, index % 2 == 0 ? b : a};
}

static bool launch_steps(measuring *m, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        step_params params = step_of(m, i);
        void *arguments[] = {&params};
        if (!TRY(m, cuLaunchKernel,
                 (m->step, (unsigned)m->device->facts.sms, 1, 1, 256, 1, 1, 0, m->stream, arguments, NULL))) {
            return false;
        }
    }
    return true;
}

static bool measure_launches(measuring *m) {
    double one = 0, many = 0;
    for (int k = 0; k < TRIES * 2; k++) {
        double begin = gf_clock_seconds();
        if (!launch_steps(m, 1) || !look_until_done(m)) {
            return false;
        }
        keep_least(&one, gf_clock_seconds() - begin);
        begin = gf_clock_seconds();
        if (!launch_steps(m, LAUNCHES) || !look_until_done(m)) {
            return false;
        }
        keep_least(&many, gf_clock_seconds() - begin);
    }
    m->figures->launch = one;
    m->figures->launch_more = (many - one) / (LAUNCHES - 1);
    return true;
}

/* ---- graphs ---- */

static bool add_steps(measuring *m, CUgraph graph, unsigned count, unsigned blocks) {
    gf_cuda_tail tail = {0};
    for (unsigned i = 0; i < count; i++) {
        step_params params = step_of(m, i);
        void *arguments[] = {&params};
        CUDA_KERNEL_NODE_PARAMS node = {
            .func = m->step, .gridDimX = blocks, .blockDimX = 256, .kernelParams = arguments};
        if (!gf_cuda_add_kernel(&m->device->context, graph, node, &tail, m->diags)) {
            return false;
        }
    }
    return true;
}

/* On the device, and for the host that waits; the flag says whether there is anything to do. */
static bool time_graph(measuring *m, CUgraphExec exec, unsigned flag, double *least, double *least_host) {
    for (int k = 0; k <= TRIES; k++) {
        double seconds = 0, begin = 0;
        if (!TRY(m, cuMemsetD32Async, (m->memory + FLAG, flag, 1, m->stream)) || !begin_time(m) ||
            !TRY(m, cuGraphLaunch, (exec, m->stream)) || !end_time(m, &seconds)) {
            return false;
        }
        begin = gf_clock_seconds();
        if (!TRY(m, cuGraphLaunch, (exec, m->stream)) || !look_until_done(m)) {
            return false;
        }
        if (k > 0) { /* the first is slower */
            keep_least(least, seconds);
            keep_least(least_host, gf_clock_seconds() - begin);
        }
    }
    return true;
}

/* The times of a graph of so many kernels: with work, without, and for the host. */
static bool measure_graph(measuring *m, unsigned count, unsigned blocks, double times[3]) {
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    double any = 0;
    memset(times, 0, 3 * sizeof *times);
    bool done = TRY(m, cuGraphCreate, (&graph, 0)) && add_steps(m, graph, count, blocks) &&
                TRY(m, cuGraphInstantiateWithFlags, (&exec, graph, 0)) && TRY(m, cuGraphUpload, (exec, m->stream)) &&
                time_graph(m, exec, 1, &times[0], &times[2]) && time_graph(m, exec, 0, &times[1], &any);
    if (exec != NULL) {
        (void)m->driver->cuGraphExecDestroy(exec);
    }
    if (graph != NULL) {
        (void)m->driver->cuGraphDestroy(graph);
    }
    return done;
}

static bool measure_graphs(measuring *m) {
    gf_cuda_figures *figures = m->figures;
    for (int i = 0; i < 2; i++) {
        unsigned blocks = (i == 0 ? 1 : 8) * (unsigned)m->device->facts.sms;
        double one[3], many[3];
        if (!measure_graph(m, 1, blocks, one) || !measure_graph(m, NODES, blocks, many)) {
            return false;
        }
        figures->node[i] = (many[0] - one[0]) / (NODES - 1);
        figures->idle[i] = (many[1] - one[1]) / (NODES - 1);
        figures->graph = i == 0 ? one[2] : figures->graph;
    }
    return true;
}

/* ---- loops of graphs ---- */

static bool add_loop(measuring *m, CUgraph graph) {
    gf_cuda_context *context = &m->device->context;
    CUgraphConditionalHandle flag = 0;
    gf_cuda_tail tail = {0}, inside = {0};
    CUgraph body = NULL;
    if (!TRY(m, cuGraphConditionalHandleCreate, (&flag, graph, context->context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT)) ||
        !gf_cuda_add_while(context, graph, flag, &tail, &body, m->diags)) {
        return false;
    }
    turn_params turn = {m->memory, flag};
    void *arguments[] = {&turn};
    CUDA_KERNEL_NODE_PARAMS node = {.func = m->turn, .gridDimX = 1, .blockDimX = 32, .kernelParams = arguments};
    return gf_cuda_add_kernel(context, body, node, &inside, m->diags);
}

static bool time_turns(measuring *m, CUgraphExec exec, unsigned turns, double *least) {
    double seconds = 0;
    if (!TRY(m, cuMemsetD32Async, (m->memory + COUNTER, turns, 1, m->stream)) || !begin_time(m) ||
        !TRY(m, cuGraphLaunch, (exec, m->stream)) || !end_time(m, &seconds)) {
        return false;
    }
    keep_least(least, seconds);
    return true;
}

static bool measure_turns(measuring *m) {
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    double few = 0, many = 0;
    m->figures->turn = 0;
    if (!gf_cuda_has_loops(&m->device->context, NULL)) {
        return true;
    }
    bool done = TRY(m, cuModuleLoadDataEx, (&m->turns, turn_text, 0, NULL, NULL)) &&
                TRY(m, cuModuleGetFunction, (&m->turn, m->turns, "gf_turn")) && TRY(m, cuGraphCreate, (&graph, 0)) &&
                add_loop(m, graph) && TRY(m, cuGraphInstantiateWithFlags, (&exec, graph, 0)) &&
                TRY(m, cuGraphUpload, (exec, m->stream));
    for (int k = 0; done && k < TRIES; k++) {
        done = time_turns(m, exec, 1, &few) && time_turns(m, exec, TURNS + 1, &many);
    }
    /* A driver that has the calls and not what kernels want of it has no loops either, which is no reason to do without
     * the rest. */
    bool is_well = done || !gf_cuda_is_lost(&m->device->context);
    double turn = (many - few) / TURNS - m->figures->idle[0];
    m->figures->turn = !done ? gf_cuda_figures_default().turn : turn > 0 ? turn : 0;
    if (exec != NULL) {
        (void)m->driver->cuGraphExecDestroy(exec);
    }
    if (graph != NULL) {
        (void)m->driver->cuGraphDestroy(graph);
    }
    return is_well;
}

/* ---- bandwidth ---- */

static bool measure_bandwidth(measuring *m) {
    CUdeviceptr a = m->memory + WORDS, b = a + m->half;
    double up = 0, down = 0, copy = 0, seconds = 0;
    size_t bytes = TRANSFER < m->half ? TRANSFER : m->half;
    for (int k = 0; k < TRIES; k++) {
        if (!begin_time(m) || !TRY(m, cuMemcpyHtoDAsync, (a, m->pinned, bytes, m->stream)) || !end_time(m, &seconds)) {
            return false;
        }
        keep_least(&up, seconds);
        if (!begin_time(m) || !TRY(m, cuMemcpyDtoHAsync, (m->pinned, a, bytes, m->stream)) || !end_time(m, &seconds)) {
            return false;
        }
        keep_least(&down, seconds);
        if (!begin_time(m) || !TRY(m, cuMemcpyDtoDAsync, (b, a, m->half, m->stream)) || !end_time(m, &seconds)) {
            return false;
        }
        keep_least(&copy, seconds);
    }
    m->figures->up = up > 0 ? (double)bytes / up : 0;
    m->figures->down = down > 0 ? (double)bytes / down : 0;
    m->figures->copy = copy > 0 ? 2 * (double)m->half / copy : 0;
    return true;
}

/* ---- begin and end ---- */

/* Less will do where others have most of it. */
static bool take_memory(measuring *m) {
    size_t share = m->device->facts.memory_bytes / 32, least = (size_t)m->device->facts.sms * 8 * 256 * 4;
    m->half = share < MOST_COPY ? share & ~(size_t)255 : MOST_COPY;
    while (m->half / 4 > least && m->driver->cuMemAlloc(&m->memory, WORDS + 2 * m->half) == CUDA_ERROR_OUT_OF_MEMORY) {
        m->memory = 0;
        m->half = m->half / 4 & ~(size_t)255;
    }
    return m->memory != 0 || TRY(m, cuMemAlloc, (&m->memory, WORDS + 2 * m->half));
}

static bool begin(measuring *m) {
    return TRY(m, cuStreamCreate, (&m->stream, CU_STREAM_NON_BLOCKING)) &&
           TRY(m, cuEventCreate, (&m->from, CU_EVENT_DEFAULT)) && TRY(m, cuEventCreate, (&m->to, CU_EVENT_DEFAULT)) &&
           load_kernels(m) && take_memory(m) && TRY(m, cuMemHostAlloc, (&m->pinned, TRANSFER, 0)) &&
           TRY(m, cuMemsetD8Async, (m->memory, 0, WORDS, m->stream));
}

static void end(measuring *m) {
    const gf_cuda_driver *driver = m->driver;
    if (m->stream != NULL) {
        (void)driver->cuStreamSynchronize(m->stream);
        (void)driver->cuStreamDestroy(m->stream);
    }
    CUevent events[] = {m->from, m->to};
    CUmodule modules[] = {m->module, m->turns};
    for (int i = 0; i < 2; i++) {
        if (events[i] != NULL) {
            (void)driver->cuEventDestroy(events[i]);
        }
        if (modules[i] != NULL) {
            (void)driver->cuModuleUnload(modules[i]);
        }
    }
    if (m->memory != 0) {
        (void)driver->cuMemFree(m->memory);
    }
    if (m->pinned != NULL) {
        (void)driver->cuMemFreeHost(m->pinned);
    }
}

bool gf_cuda_measure(gf_cuda_device *device, gf_cuda_figures *figures, gf_diags *diags) {
    measuring m = {.device = device, .driver = device->context.driver, .figures = figures, .diags = diags};
    memset(figures, 0, sizeof *figures);
    bool done = begin(&m) && measure_barriers(&m) && measure_launches(&m) && measure_graphs(&m) && measure_turns(&m) &&
                measure_bandwidth(&m);
    end(&m);
    return done;
}
