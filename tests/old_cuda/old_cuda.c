/* A driver library before CUDA 12.4: the one that is here, whichever that is, without loops of graphs. Its symbols are
 * those of libcuda.so.1, which it needs, but for one that cmake/fake_cuda.cmake sets to 0. */
typedef int old_cuda_is_no_empty_unit;
