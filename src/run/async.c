/* Runs on threads of their own. */
#include "base/memory.h"
#include "run/runner.h"
#include <pthread.h>
#include <stdatomic.h>

struct gf_pending {
    gf_run_state run;
    gf_diags *diags; /* of the run */
    pthread_t thread;
    atomic_bool over;
    bool done;
};

static void *execute(void *context) {
    gf_pending *pending = context;
    pending->done = gf_run_state_execute(&pending->run, pending->diags);
    atomic_store_explicit(&pending->over, true, memory_order_release);
    return NULL;
}

static void release(gf_pending *pending) {
    gf_diags_destroy(pending->diags);
    gf_run_state_finish(&pending->run);
    gf_free(pending);
}

gf_pending *gf_run_async(gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options, gf_diags *diags) {
    if (kernel == NULL || bindings == NULL) {
        return NULL;
    }
    gf_pending *pending = gf_calloc(1, sizeof *pending);
    if (pending == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    pending->diags = gf_diags_create();
    if (pending->diags == NULL) {
        (void)gf_fail_memory(diags);
        gf_free(pending);
        return NULL;
    }
    if (!gf_run_state_submit(&pending->run, kernel, bindings, options, diags)) {
        release(pending);
        return NULL;
    }
    (void)atomic_fetch_add(&bindings->in_flight, 1);
    if (pthread_create(&pending->thread, NULL, execute, pending) != 0) {
        (void)gf_fail(diags, GF_CODE_NO_MEMORY, GF_NO_SPAN, "the process cannot have another thread for a run");
        /* Its place in the order is given back by letting it come. */
        gf_order_begin(pending->run.tickets, pending->run.ticket_count);
        gf_order_end(pending->run.tickets, pending->run.ticket_count);
        (void)atomic_fetch_sub(&bindings->in_flight, 1);
        release(pending);
        return NULL;
    }
    return pending;
}

bool gf_run_poll(const gf_pending *pending) {
    return pending == NULL || atomic_load_explicit(&pending->over, memory_order_acquire);
}

bool gf_run_wait(gf_pending *pending, gf_stats *stats, gf_diags *diags) {
    if (pending == NULL) {
        return false;
    }
    (void)pthread_join(pending->thread, NULL);
    bool done = pending->done;
    if (stats != NULL) {
        *stats = pending->run.stats;
    }
    gf_diags_take(diags, pending->diags);
    (void)atomic_fetch_sub(&pending->run.bindings->in_flight, 1);
    release(pending);
    return done;
}
