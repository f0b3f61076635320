/* The mode in which the library computes, whatever the caller's thread had set. */
#include "ir/eval.h"

#include <fenv.h>
#include <string.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

typedef struct saved_mode {
    fenv_t environment;
    uint32_t control; /* of SSE, with the flush bits that <fenv.h> knows nothing of */
} saved_mode;

_Static_assert(sizeof(saved_mode) <= sizeof((gf_float_mode *)0)->saved, "gf_float_mode is too small");

void gf_float_mode_enter(gf_float_mode *mode) {
    saved_mode saved;
    memset(&saved, 0, sizeof saved);
    fegetenv(&saved.environment);
#if defined(__SSE__)
    saved.control = _mm_getcsr();
#endif
    memcpy(mode->saved, &saved, sizeof saved);
    fesetenv(FE_DFL_ENV);
#if defined(__SSE__)
    /* All exceptions masked, none raised, nearest, neither flush to zero nor denormals are zero. */
    _mm_setcsr(0x1f80);
#endif
}

void gf_float_mode_leave(const gf_float_mode *mode) {
    saved_mode saved;
    memcpy(&saved, mode->saved, sizeof saved);
    fesetenv(&saved.environment);
#if defined(__SSE__)
    _mm_setcsr(saved.control);
#endif
}
