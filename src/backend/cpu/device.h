/* The CPU as a device: plans compiled by LLVM, run by all cores. */
#ifndef GF_BACKEND_CPU_DEVICE_H
#define GF_BACKEND_CPU_DEVICE_H

#include <gridfence/backend.h>

const gf_backend *gf_cpu_backend(void);

#endif
