/* A request to stop, from another thread or from the clock, polled by whatever takes long. */
#ifndef GF_BASE_STOP_H
#define GF_BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

typedef enum gf_stop_reason { GF_STOP_NONE, GF_STOP_CANCELLED, GF_STOP_TIMEOUT } gf_stop_reason;

typedef struct gf_stop {
    atomic_int reason; /* gf_stop_reason; set once, stays */
    double deadline;   /* gf_clock_seconds() at which time is up; 0: never */
} gf_stop;

/* Looks at the clock too; cheap enough for every few thousand operations. NULL gives NONE. */
gf_stop_reason gf_stop_poll(gf_stop *stop);
void gf_stop_request(gf_stop *stop, gf_stop_reason reason);

#endif
