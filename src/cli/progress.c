#include "cli/progress.h"
#include "base/clock.h"
#include "cli/signals.h"
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A run that has not ended by then, once it was asked to, cannot be asked: it compiles, or a stretch without a loop of
 * its own goes on for long. */
#define PATIENCE_SECONDS 2.0
/* The same for a run past its time limit: a device that looks at no clock in a nest of long loops. */
#define TIMEOUT_PATIENCE_SECONDS 5.0

/* True once the run is over, for which nobody shall wait; else false, a little later. */
static bool is_over_soon(gf_cli_progress *progress) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (sem_timedwait(&progress->over, &until) != 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

static void *watch(void *user) {
    gf_cli_progress *progress = user;
    double asked = 0;
    double shown = 0;
    while (!is_over_soon(progress)) {
        double elapsed = gf_clock_seconds() - progress->begin;
        if (gf_cli_signal() != 0 && asked == 0) {
            gf_cancel_request(progress->cancel);
            asked = elapsed;
        }
        if (asked > 0 && elapsed > asked + PATIENCE_SECONDS) {
            (void)fputs("gridfence: ended while a run was going on\n", stderr);
            gf_cli_signal_end(gf_cli_signal());
        }
        if (progress->timeout > 0 && elapsed > progress->timeout + TIMEOUT_PATIENCE_SECONDS) {
            (void)fprintf(
                stderr,
                "error[GF0701]: the run took longer than its limit of %g seconds, and did not end when it was "
                "asked to: it is ended with the command\n",
                progress->timeout);
            gf_cli_end(GF_STATUS_TIME);
        }
        if (progress->shows && elapsed > 1 && elapsed - shown > 0.2) {
            (void)fprintf(stderr, "\rpass %llu, %s, %.1f s \033[K", (unsigned long long)atomic_load(&progress->pass),
                          atomic_load(&progress->changed) ? "changed" : "no change yet", elapsed);
            (void)fflush(stderr);
            shown = elapsed;
        }
    }
    if (shown > 0) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    return NULL;
}

static bool note_pass(void *user, uint64_t pass, bool changed, double elapsed) {
    gf_cli_progress *progress = user;
    (void)elapsed;
    atomic_store(&progress->pass, pass);
    atomic_store(&progress->changed, changed);
    return true;
}

void gf_cli_progress_begin(gf_cli_progress *progress, gf_run_options *options, bool show) {
    progress->cancel = gf_cancel_create();
    progress->begin = gf_clock_seconds();
    progress->timeout = options->timeout;
    progress->shows = show && isatty(STDERR_FILENO) == 1;
    atomic_init(&progress->pass, 0);
    atomic_init(&progress->changed, false);
    progress->has_thread = progress->cancel != NULL && sem_init(&progress->over, 0, 0) == 0 &&
                           pthread_create(&progress->thread, NULL, watch, progress) == 0;
    gf_cli_signals_wait(progress->has_thread);
    options->cancel = progress->cancel;
    /* A device may need a launch for each pass where somebody listens. */
    options->on_pass = progress->shows ? note_pass : NULL;
    options->on_pass_user = progress;
}

void gf_cli_progress_end(gf_cli_progress *progress) {
    gf_cli_signals_wait(false);
    if (progress->has_thread) {
        (void)sem_post(&progress->over);
        (void)pthread_join(progress->thread, NULL);
        (void)sem_destroy(&progress->over);
    }
    gf_cancel_destroy(progress->cancel);
}
