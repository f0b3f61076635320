/* copy: what memory gives at best. */
#include "cuda_peer.cuh"

namespace {

uint32_t *x, *y;
size_t n;

__device__ __forceinline__ void copy_rest(const uint32_t *from, uint32_t *to, size_t count) {
    size_t i = count / 4 * 4 + thread_index();
    if (i < count) {
        to[i] = from[i];
    }
}

/* Four loads of a thread on their way at once. */
__global__ void __launch_bounds__(512) copy_far(const uint32_t *from, uint32_t *to, size_t count) {
    const uint4 *in = (const uint4 *)from;
    uint4 *out = (uint4 *)to;
    size_t step = thread_count();
    size_t i = thread_index();
    for (; i + 3 * step < count / 4; i += 4 * step) {
        uint4 part[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            part[k] = __ldcs(in + i + k * step);
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            __stcs(out + i + k * step, part[k]);
        }
    }
    for (; i < count / 4; i += step) {
        out[i] = in[i];
    }
    copy_rest(from, to, count);
}

__global__ void __launch_bounds__(512) copy_once(const uint32_t *from, uint32_t *to, size_t count) {
    size_t i = thread_index();
    if (i < count / 4) {
        ((uint4 *)to)[i] = ((const uint4 *)from)[i];
    }
    copy_rest(from, to, count);
}

void add(std::vector<variant> &out, const char *name, const std::function<void()> &launches) {
    if (form == FORM_GRAPH) {
        recording *graph = record(launches);
        out.push_back({name, [=] {
                           replay(graph);
                           finish();
                       }});
    } else {
        out.push_back({name, [=] {
                           launches();
                           finish();
                       }});
    }
}

} // namespace

void copy_load() {
    x = device_read<uint32_t>("x", "u32", &n);
    y = device_alloc<uint32_t>(n);
    std::vector<variant> variants;
    if (form == FORM_COOP) {
        for (unsigned per : {1, 2, 4}) {
            unsigned blocks = resident(copy_far, 512, per);
            add(variants, "as many blocks as are resident",
                [=] { launch_together(copy_far, blocks, 512, 0, x, y, n); });
        }
    } else {
        unsigned blocks = (unsigned)(n / 4 / 512 + 1);
        add(variants, "a thread for 16 bytes", [=] { launch(copy_once, blocks, 512, x, y, n); });
        add(variants, "a thread for 64 bytes", [=] { launch(copy_far, blocks / 4 + 1, 512, x, y, n); });
        add(variants, "cudaMemcpy", [] { copy_on_device(y, x, n * sizeof *x); });
    }
    choose_variant("copy", nullptr, std::move(variants));
}

void copy_write() {
    device_write("y", "u32", y, n);
}
