/* What the machine has. */
#ifndef GF_BASE_SYSTEM_H
#define GF_BASE_SYSTEM_H

#include <stdint.h>

/* Bytes of memory that a process could still take now without others being pushed out: MemAvailable of /proc/meminfo.
 * 0 where the system does not say. */
uint64_t gf_system_memory_available(void);

#endif
