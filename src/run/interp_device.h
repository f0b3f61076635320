/* The interpreter as a device. */
#ifndef GF_RUN_INTERP_DEVICE_H
#define GF_RUN_INTERP_DEVICE_H

#include <gridfence/backend.h>

const gf_backend *gf_interp_backend(void);

#endif
