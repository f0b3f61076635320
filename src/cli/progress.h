/* While a run goes on: a line for those who wait, and an ear for Ctrl-C, and an end for what is long past its time. */
#ifndef GF_CLI_PROGRESS_H
#define GF_CLI_PROGRESS_H

#include <gridfence/run.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

/* One at a time per process. */
typedef struct gf_cli_progress {
    gf_cancel *cancel;
    pthread_t thread;
    bool has_thread, shows;
    double begin;
    double timeout; /* of the run; 0: none */
    _Atomic(uint64_t) pass;
    atomic_bool changed;
    sem_t over;
} gf_cli_progress;

/* Sets cancel of the options, and on_pass where a line is shown. `show`: it is wanted, if standard error is a
 * terminal. */
void gf_cli_progress_begin(gf_cli_progress *progress, gf_run_options *options, bool show);
void gf_cli_progress_end(gf_cli_progress *progress);

#endif
