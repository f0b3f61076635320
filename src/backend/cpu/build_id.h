/* What tells one build of this library from another. */
#ifndef GF_BACKEND_CPU_BUILD_ID_H
#define GF_BACKEND_CPU_BUILD_ID_H

#include <stddef.h>

/* The build id that the linker put into the file in which this code lies, in hex; "" where there is none. */
void gf_build_id(char *text, size_t size);

#endif
