/* The workloads as kernels of OpenCL, a launch per segment from a loop of the host. Made for PoCL on the CPU: buffers
 * lie over memory of the host, the host reads back only what its loops ask. */
#define _GNU_SOURCE /* setenv */
#include "opencl.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void must(cl_int status, const char *what) {
    if (status != CL_SUCCESS) {
        errno = 0;
        (void)fprintf(stderr, "OpenCL status %d\n", (int)status);
        peer_die("OpenCL fails", what);
    }
}

static void open_device(void) {
    char threads[16];
    (void)snprintf(threads, sizeof threads, "%d", peer_threads);
    if (setenv("POCL_MAX_PTHREAD_COUNT", threads, 1) != 0 || setenv("POCL_AFFINITY", "1", 0) != 0) {
        peer_die("cannot set", "POCL_MAX_PTHREAD_COUNT");
    }
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int status = CL_DEVICE_NOT_FOUND;
    must(clGetPlatformIDs(16, platforms, &count), "platforms");
    for (cl_uint i = 0; i < count && i < 16 && status != CL_SUCCESS; i++) {
        status = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL);
    }
    must(status, "devices");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    must(status, "queue");
}

static char *read_source(const char *name) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", PEER_KERNELS, name);
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        peer_die("cannot read", path);
    }
    long bytes = ftell(file);
    rewind(file);
    char *text = bytes < 0 ? NULL : calloc((size_t)bytes + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
        peer_die("cannot read", path);
    }
    (void)fclose(file);
    return text;
}

void ocl_build(const char *const *files, size_t count, const char *options) {
    char *texts[8];
    cl_int status;
    if (queue == NULL) {
        open_device();
    }
    for (size_t i = 0; i < count; i++) {
        texts[i] = read_source(files[i]);
    }
    program = clCreateProgramWithSource(context, (cl_uint)count, (const char **)texts, NULL, &status);
    must(status, "program");
    status = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[65536];
        (void)clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        (void)fprintf(stderr, "%s\n", log);
    }
    must(status, "build");
    for (size_t i = 0; i < count; i++) {
        free(texts[i]);
    }
}

cl_kernel ocl_kernel(const char *name) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    must(status, name);
    return kernel;
}

/* Zero-copy: the device works on `data` itself. A buffer may not have zero bytes. */
static ocl_array wrap(void *data, size_t count, size_t bytes) {
    cl_int status;
    ocl_array array = {data, count, bytes, NULL};
    array.mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes > 0 ? bytes : 4, data, &status);
    must(status, "buffer");
    return array;
}

ocl_array ocl_read(const char *buffer, const char *type) {
    size_t count;
    void *data = peer_read(buffer, type, &count);
    return wrap(data, count, count * (strcmp(type, "u8") == 0 ? 1 : 4));
}

ocl_array ocl_new(size_t count) {
    void *data = peer_alloc(count * 4);
    memset(data, 0, count * 4);
    return wrap(data, count, count * 4);
}

void ocl_args(cl_kernel kernel, const char *letters, ...) {
    va_list list;
    va_start(list, letters);
    for (cl_uint i = 0; letters[i] != '\0'; i++) {
        cl_uint word;
        cl_float real;
        if (letters[i] == 'b') {
            must(clSetKernelArg(kernel, i, sizeof(cl_mem), &va_arg(list, ocl_array *)->mem), "argument");
        } else if (letters[i] == 'u') {
            word = va_arg(list, cl_uint);
            must(clSetKernelArg(kernel, i, sizeof word, &word), "argument");
        } else {
            real = (cl_float)va_arg(list, double);
            must(clSetKernelArg(kernel, i, sizeof real, &real), "argument");
        }
    }
    va_end(list);
}

void ocl_launch(cl_kernel kernel, size_t items, size_t local) {
    size_t global = (items + local - 1) / local * local;
    if (items > 0) {
        must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
    }
}

void ocl_fill(ocl_array *array, uint32_t value) {
    if (array->bytes > 0) {
        must(clEnqueueFillBuffer(queue, array->mem, &value, sizeof value, 0, array->bytes, 0, NULL, NULL), "fill");
    }
}

void *ocl_host(ocl_array *array) {
    cl_int status;
    void *data = clEnqueueMapBuffer(queue, array->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                    array->bytes > 0 ? array->bytes : 4, 0, NULL, NULL, &status);
    must(status, "map");
    return data;
}

void ocl_device(ocl_array *array) {
    must(clEnqueueUnmapMemObject(queue, array->mem, array->data, 0, NULL, NULL), "unmap");
}

void ocl_words(ocl_array *array, size_t count, void *words) {
    must(clEnqueueReadBuffer(queue, array->mem, CL_TRUE, 0, count * 4, words, 0, NULL, NULL), "read");
}

void ocl_write(const char *buffer, const char *type, ocl_array *array) {
    peer_write(buffer, type, ocl_host(array), array->count);
    ocl_device(array);
}

static peer_workload table[] = {
    {"flows_to", flows_load, NULL, flows_run, flows_write, 0},
    {"reach", reach_load, reach_reset, reach_run, reach_write, 0},
    {"bfs", bfs_load, NULL, bfs_run, bfs_write, 0},
    {"components", components_load, NULL, components_run, components_write, 0},
    {"pagerank", rank_load, NULL, rank_run, rank_write, 0},
    {"sssp", sssp_load, NULL, sssp_run, sssp_write, 0},
    {"jacobi", jacobi_load, jacobi_reset, jacobi_run, jacobi_write, 0},
    {"cg", cg_load, cg_reset, cg_run, cg_write, 0},
    {"scan", scan_load, NULL, scan_run, scan_write, 0},
    {"sort", sort_load, sort_reset, sort_run, sort_write, 0},
    {"histogram", histogram_load, NULL, histogram_run, histogram_write, 0},
    {"kmeans", kmeans_load, kmeans_reset, kmeans_run, kmeans_write, 0},
};

int main(int argc, char **argv) {
    return peer_main(argc, argv, table, sizeof table / sizeof *table);
}
