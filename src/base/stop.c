#include "base/stop.h"
#include "base/clock.h"
#include <stddef.h>

void gf_stop_request(gf_stop *stop, gf_stop_reason reason) {
    int none = GF_STOP_NONE;
    /* The first reason stays. */
    (void)atomic_compare_exchange_strong(&stop->reason, &none, (int)reason);
}

gf_stop_reason gf_stop_poll(gf_stop *stop) {
    if (stop == NULL) {
        return GF_STOP_NONE;
    }
    gf_stop_reason reason = (gf_stop_reason)atomic_load_explicit(&stop->reason, memory_order_acquire);
    if (reason == GF_STOP_NONE && stop->deadline > 0 && gf_clock_seconds() >= stop->deadline) {
        gf_stop_request(stop, GF_STOP_TIMEOUT);
        reason = (gf_stop_reason)atomic_load_explicit(&stop->reason, memory_order_acquire);
    }
    return reason;
}
