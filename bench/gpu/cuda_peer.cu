#include "cuda_peer.cuh"
#include <string>

static const char *const form_names[] = {"coop", "loop", "graph"};

peer_form form;

static unsigned *barrier_memory;
static std::vector<variant> all_variants;
static size_t chosen;
static void (*reset_workload)();

unsigned *barrier_words() {
    if (barrier_memory == nullptr) {
        barrier_memory = device_alloc<unsigned>(BARRIER_WORDS);
    }
    return barrier_memory;
}

/* Before a run the device is this process's own again, and awake. */
static __global__ void wake(unsigned *word) {
    *word = 0;
}

static void reset_all() {
    zero(barrier_words(), BARRIER_WORDS * sizeof(unsigned));
    if (reset_workload != nullptr) {
        reset_workload();
    }
    launch(wake, 1, 1, barrier_words());
    finish();
}

static double time_variant(size_t index) {
    reset_all();
    double begin = peer_clock();
    all_variants[index].run();
    return peer_clock() - begin;
}

void choose_variant(const char *workload, void (*reset)(), std::vector<variant> variants) {
    const char *wanted = getenv("PEER_VARIANT"); /* a number, to try each */
    double budget = 1;
    reset_workload = reset;
    all_variants = std::move(variants);
    if (all_variants.empty()) {
        errno = 0;
        peer_die("no variant of", workload);
    }
    if (wanted != nullptr) {
        chosen = strtoul(wanted, nullptr, 10) % all_variants.size();
    } else if (all_variants.size() > 1) {
        std::vector<double> best(all_variants.size(), 1e30);
        for (size_t i = 0; i < best.size(); i++) {
            (void)time_variant(i);
        }
        double begin = peer_clock();
        for (int round = 0; round < 5 && (round < 1 || peer_clock() - begin < budget); round++) {
            for (size_t i = 0; i < best.size(); i++) {
                best[i] = std::min(best[i], time_variant(i));
            }
        }
        chosen = (size_t)(std::min_element(best.begin(), best.end()) - best.begin());
    }
    (void)fprintf(stderr, "cuda-%s %s: %s (%zu of %zu)\n", form_names[form], workload, all_variants[chosen].name,
                  chosen, all_variants.size());
}

void run_variant() {
    all_variants[chosen].run();
}

static void look_at_stream(mapped word, uint32_t done);

void run_chunks(recording *chunk, mapped word, bool ahead) {
    *word.host = 0;
    replay(chunk);
    for (uint32_t done = 1;; done++) {
        if (ahead) {
            replay(chunk);
        }
        uint32_t seen = 0;
        for (uint32_t looks = 1; (seen = *word.host) >> 1 < done; looks++) {
            if (looks % (1 << 20) == 0) {
                look_at_stream(word, done);
            }
        }
        if ((seen & 1) != 0) {
            break;
        }
        if (!ahead) {
            replay(chunk);
        }
    }
    finish();
}

/* ---- CUDA, or what stands in for it ---- */

#ifdef PEER_STANDIN

static recording *recorded;

void begin_device() {
}
unsigned processor_count() {
    return standin::PROCESSORS;
}
void *device_alloc_bytes(size_t bytes) {
    void *data = aligned_alloc(256, (bytes / 256 + 1) * 256);
    memset(data, 0xa5, bytes);
    return data;
}
void do_or_record(std::function<void()> step) {
    if (recorded != nullptr) {
        recorded->steps.push_back(std::move(step));
    } else {
        step();
    }
}
void copy_to_device(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
}
void copy_to_host(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
}
void copy_on_device(void *to, const void *from, size_t bytes) {
    do_or_record([=] { memcpy(to, from, bytes); });
}
void copy_to_pinned(void *to, const void *from, size_t bytes) {
    copy_on_device(to, from, bytes);
}
void zero(void *at, size_t bytes) {
    do_or_record([=] { memset(at, 0, bytes); });
}
void finish() {
}
static void look_at_stream(mapped word, uint32_t done) {
    if (*word.host >> 1 < done) {
        peer_die("no word from", "the graph");
    }
}
mapped make_mapped() {
    uint32_t *word = (uint32_t *)calloc(LINE, sizeof *word);
    return {word, word};
}
void *pinned_alloc(size_t bytes) {
    return calloc(1, bytes);
}
recording *record(const std::function<void()> &launches) {
    recording *out = new recording;
    recorded = out;
    launches();
    recorded = nullptr;
    return out;
}
void replay(recording *which) {
    for (auto &step : which->steps) {
        step();
    }
}
void forget(recording *which) {
    delete which;
}

#else

struct recording {
    cudaGraphExec_t made;
};

cudaStream_t stream;
static int processors;

void cuda_check(cudaError_t error, const char *call) {
    if (error != cudaSuccess) {
        errno = 0;
        std::string text = std::string(call) + ": " + cudaGetErrorName(error) + ": " + cudaGetErrorString(error);
        peer_die("CUDA", text.c_str());
    }
}
void begin_device() {
    int device = 0;
    CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost));
    CUDA(cudaSetDevice(device));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}
unsigned processor_count() {
    return (unsigned)processors;
}
void *device_alloc_bytes(size_t bytes) {
    void *data = nullptr;
    CUDA(cudaMalloc(&data, bytes));
    return data;
}
void copy_to_device(void *to, const void *from, size_t bytes) {
    CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaDeviceSynchronize()); /* the last of it may be on its way yet, and the stream waits for no other */
}
void copy_to_host(void *to, const void *from, size_t bytes) {
    CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
void copy_on_device(void *to, const void *from, size_t bytes) {
    CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}
void copy_to_pinned(void *to, const void *from, size_t bytes) {
    CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
}
void zero(void *at, size_t bytes) {
    CUDA(cudaMemsetAsync(at, 0, bytes, stream));
}
void finish() {
    CUDA(cudaStreamSynchronize(stream));
}
/* A kernel that failed writes no word. */
static void look_at_stream(mapped word, uint32_t done) {
    cudaError_t error = cudaStreamQuery(stream);
    if (error == cudaErrorNotReady) {
        return;
    }
    CUDA(error);
    if (*word.host >> 1 < done) {
        errno = 0;
        peer_die("no word from", "the graph");
    }
}
mapped make_mapped() {
    void *host = nullptr;
    void *device = nullptr;
    CUDA(cudaHostAlloc(&host, LINE * sizeof(uint32_t), cudaHostAllocMapped));
    CUDA(cudaHostGetDevicePointer(&device, host, 0));
    memset(host, 0, LINE * sizeof(uint32_t));
    return {(volatile uint32_t *)host, (uint32_t *)device};
}
void *pinned_alloc(size_t bytes) {
    void *host = nullptr;
    CUDA(cudaHostAlloc(&host, bytes, cudaHostAllocDefault));
    return host;
}
recording *record(const std::function<void()> &launches) {
    cudaGraph_t graph = nullptr;
    recording *out = new recording;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launches();
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&out->made, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphUpload(out->made, stream));
    finish();
    return out;
}
void replay(recording *which) {
    CUDA(cudaGraphLaunch(which->made, stream));
}
void forget(recording *which) {
    CUDA(cudaGraphExecDestroy(which->made));
    delete which;
}
void launch_kernel(bool together, const void *kernel, unsigned blocks, unsigned threads, size_t shared, void **values) {
    if (together) {
        CUDA(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), values, shared, stream));
    } else {
        CUDA(cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), values, shared, stream));
    }
}
unsigned resident_blocks(const void *kernel, unsigned threads, unsigned per_processor, size_t shared) {
    int most = 0;
    if (shared > 0) {
        CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    }
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel, (int)threads, shared));
    return std::min((unsigned)most, per_processor) * processor_count();
}

#endif

/* ---- the table ---- */

#define WORKLOAD(name)                                                                                                 \
    void name##_load();                                                                                                \
    void name##_write();
#include "cuda_workloads.inc"
#undef WORKLOAD

static peer_workload table[] = {
#define WORKLOAD(name) {#name, name##_load, reset_all, run_variant, name##_write, 0},
#include "cuda_workloads.inc"
#undef WORKLOAD
};

static void read_form() {
    const char *wanted = getenv("PEER_FORM");
    for (int i = FORM_COOP; wanted != nullptr && i <= FORM_GRAPH; i++) {
        if (strcmp(wanted, form_names[i]) == 0) {
            form = (peer_form)i;
            return;
        }
    }
    errno = 0;
    peer_die("PEER_FORM must be coop, loop or graph, not", wanted != nullptr ? wanted : "nothing");
}

int main(int argc, char **argv) {
    read_form();
    /* What a workload lacks is said before CUDA is asked for anything. */
    for (size_t i = 0; argc > 1 && i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, argv[1]) == 0) {
            begin_device();
        }
    }
    /* The last one, vote, is a grid barrier's alone. */
    return peer_main(argc, argv, table, sizeof table / sizeof table[0] - (form == FORM_COOP ? 0 : 1));
}
