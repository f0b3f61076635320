/* gridfence/cuda.h - for callers that use CUDA themselves: this library on their context, stream and memory.
 *
 * Needs no header of CUDA; handles are taken as pointers, so that those of the driver (CUcontext, CUstream) and those
 * of the runtime (cudaStream_t, what cudaMalloc gives) go in as they are. Where there is no NVIDIA driver, both
 * functions fail with a message. */
#ifndef GRIDFENCE_CUDA_H
#define GRIDFENCE_CUDA_H

#include <gridfence/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device that works in the caller's CUcontext, on the caller's CUstream; both stay the caller's, are not destroyed,
 * and must live until the device and all that was made on it is destroyed.
 *
 * context NULL: the one that is current for the calling thread, which after any call of the CUDA runtime is the
 * runtime's. stream NULL: the default stream. The stream for each thread (CU_STREAM_PER_THREAD) is refused, since this
 * library works from threads of its own.
 *
 * What is submitted, writes of buffers among it, goes into that stream behind the caller's own work there. Runs and
 * reads return when they are done; a write returns as soon as the caller's memory may change, and work that the caller
 * puts into the same stream afterwards sees it. While the stream is being captured, calls fail. */
GF_API gf_device *gf_device_open_cuda(void *context, void *stream, gf_diags *diags);

/* A buffer that is the caller's memory on the GPU of that device (of "cuda", "cuda:I" or gf_device_open_cuda), used in
 * place: [pointer, pointer + bytes), contents as they are. It is not freed here, and must live until the buffer is
 * destroyed. The pointer must be a multiple of 16; where the driver knows how far its allocation reaches, bytes may not
 * reach further. Work that the caller has in other streams than the device's must be waited for before and after, as
 * between any two streams. Two buffers of memory that overlaps may be bound to one run only if both are `in`. */
GF_API gf_buffer *gf_buffer_wrap_cuda(gf_device *device, void *pointer, size_t bytes, gf_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
