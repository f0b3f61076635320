#include "cli/progress.h"
#include "base/clock.h"
#include "cli/cli.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;

/* The second one does not wait for the run. */
static void note_interrupt(int number) {
    (void)number;
    if (interrupts > 0) {
        _exit(GF_EXIT_INTERRUPTED);
    }
    interrupts = 1;
}

bool gf_cli_interrupted(void) {
    return interrupts > 0;
}

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
    bool asked = false;
    double shown = 0;
    while (!is_over_soon(progress)) {
        if (interrupts > 0 && !asked) {
            gf_cancel_request(progress->cancel);
            asked = true;
        }
        double elapsed = gf_clock_seconds() - progress->begin;
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
    struct sigaction action = {.sa_handler = note_interrupt};
    progress->cancel = gf_cancel_create();
    progress->begin = gf_clock_seconds();
    progress->shows = show && isatty(STDERR_FILENO) == 1;
    atomic_init(&progress->pass, 0);
    atomic_init(&progress->changed, false);
    progress->has_thread = progress->cancel != NULL && sem_init(&progress->over, 0, 0) == 0 &&
                           pthread_create(&progress->thread, NULL, watch, progress) == 0;
    if (progress->has_thread) {
        (void)sigaction(SIGINT, &action, NULL);
    }
    options->cancel = progress->cancel;
    /* A device may need a launch for each pass where somebody listens. */
    options->on_pass = progress->shows ? note_pass : NULL;
    options->on_pass_user = progress;
}

void gf_cli_progress_end(gf_cli_progress *progress) {
    if (progress->has_thread) {
        (void)sem_post(&progress->over);
        (void)pthread_join(progress->thread, NULL);
        (void)sem_destroy(&progress->over);
        (void)signal(SIGINT, SIG_DFL);
    }
    gf_cancel_destroy(progress->cancel);
}
