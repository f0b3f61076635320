/* Looks at the clock for those who only look at a flag. */
#ifndef GF_BACKEND_CPU_WATCHDOG_H
#define GF_BACKEND_CPU_WATCHDOG_H

#include "base/stop.h"
#include <pthread.h>

typedef struct gf_watchdog {
    gf_stop *stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over, runs;
} gf_watchdog;

/* From now on the stop is requested once its deadline is past. Without a deadline (or without a thread to be had: then
 * the run ends at its next barrier) nothing is started. `watchdog` is zeroed. */
void gf_watchdog_start(gf_watchdog *watchdog, gf_stop *stop);
void gf_watchdog_end(gf_watchdog *watchdog);

#endif
