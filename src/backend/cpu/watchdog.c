#include "backend/cpu/watchdog.h"
#include "base/clock.h"
#include <errno.h>
#include <time.h>

static void *watch(void *user) {
    gf_watchdog *w = user;
    (void)pthread_mutex_lock(&w->lock);
    while (!w->is_over && gf_stop_poll(w->stop) == GF_STOP_NONE) {
        double left = w->stop->deadline - gf_clock_seconds();
        left = left < 0 ? 0 : left > 3600 ? 3600 : left;
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += (time_t)left;
        until.tv_nsec += (long)((left - (double)(time_t)left) * 1e9);
        if (until.tv_nsec >= 1000000000L) {
            until.tv_nsec -= 1000000000L;
            until.tv_sec++;
        }
        (void)pthread_cond_timedwait(&w->over, &w->lock, &until);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return NULL;
}

void gf_watchdog_start(gf_watchdog *w, gf_stop *stop) {
    if (stop == NULL || stop->deadline <= 0) {
        return;
    }
    w->stop = stop;
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return;
    }
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    bool has_lock = pthread_mutex_init(&w->lock, NULL) == 0;
    bool has_over = has_lock && pthread_cond_init(&w->over, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    w->runs = has_over && pthread_create(&w->thread, NULL, watch, w) == 0;
    if (!w->runs && has_over) {
        (void)pthread_cond_destroy(&w->over);
    }
    if (!w->runs && has_lock) {
        (void)pthread_mutex_destroy(&w->lock);
    }
}

void gf_watchdog_end(gf_watchdog *w) {
    if (!w->runs) {
        return;
    }
    (void)pthread_mutex_lock(&w->lock);
    w->is_over = true;
    (void)pthread_cond_signal(&w->over);
    (void)pthread_mutex_unlock(&w->lock);
    (void)pthread_join(w->thread, NULL);
    (void)pthread_cond_destroy(&w->over);
    (void)pthread_mutex_destroy(&w->lock);
    w->runs = false;
}
