/* Requests to stop, and the runs that listen to them. */
#ifndef GF_RUN_CANCEL_H
#define GF_RUN_CANCEL_H

#include "base/stop.h"
#include <gridfence/run.h>

/* A run that listens; lives in the run. */
typedef struct gf_cancel_link {
    gf_stop *stop;
    struct gf_cancel_link *next, **from;
} gf_cancel_link;

/* From now on a request stops `stop`, at once if there was one before. NULL cancel allowed. */
void gf_cancel_attach(gf_cancel *cancel, gf_cancel_link *link, gf_stop *stop);
void gf_cancel_detach(gf_cancel *cancel, gf_cancel_link *link);

#endif
