#include "run/cancel.h"
#include "base/memory.h"
#include <pthread.h>

struct gf_cancel {
    pthread_mutex_t lock;
    bool requested;
    gf_cancel_link *links;
};

gf_cancel *gf_cancel_create(void) {
    gf_cancel *cancel = gf_calloc(1, sizeof *cancel);
    if (cancel != NULL && pthread_mutex_init(&cancel->lock, NULL) != 0) {
        gf_free(cancel);
        return NULL;
    }
    return cancel;
}

void gf_cancel_destroy(gf_cancel *cancel) {
    if (cancel != NULL) {
        (void)pthread_mutex_destroy(&cancel->lock);
        gf_free(cancel);
    }
}

void gf_cancel_request(gf_cancel *cancel) {
    if (cancel == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&cancel->lock);
    cancel->requested = true;
    for (gf_cancel_link *link = cancel->links; link != NULL; link = link->next) {
        gf_stop_request(link->stop, GF_STOP_CANCELLED);
    }
    (void)pthread_mutex_unlock(&cancel->lock);
}

void gf_cancel_clear(gf_cancel *cancel) {
    if (cancel == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&cancel->lock);
    cancel->requested = false;
    (void)pthread_mutex_unlock(&cancel->lock);
}

void gf_cancel_attach(gf_cancel *cancel, gf_cancel_link *link, gf_stop *stop) {
    if (cancel == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&cancel->lock);
    *link = (gf_cancel_link){.stop = stop, .next = cancel->links, .from = &cancel->links};
    if (cancel->links != NULL) {
        cancel->links->from = &link->next;
    }
    cancel->links = link;
    if (cancel->requested) {
        gf_stop_request(stop, GF_STOP_CANCELLED);
    }
    (void)pthread_mutex_unlock(&cancel->lock);
}

void gf_cancel_detach(gf_cancel *cancel, gf_cancel_link *link) {
    if (cancel == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&cancel->lock);
    *link->from = link->next;
    if (link->next != NULL) {
        link->next->from = link->from;
    }
    (void)pthread_mutex_unlock(&cancel->lock);
}
