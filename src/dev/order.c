#include "dev/order.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

void gf_order_submit(gf_ticket *tickets, size_t count) {
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        tickets[i].number = tickets[i].queue->drawn++;
    }
    (void)pthread_mutex_unlock(&lock);
}

static bool all_at_head(const gf_ticket *tickets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (tickets[i].queue->served != tickets[i].number) {
            return false;
        }
    }
    return true;
}

void gf_order_begin(const gf_ticket *tickets, size_t count) {
    if (count == 0) {
        return;
    }
    (void)pthread_mutex_lock(&lock);
    while (!all_at_head(tickets, count)) {
        (void)pthread_cond_wait(&moved, &lock);
    }
    (void)pthread_mutex_unlock(&lock);
}

void gf_order_end(const gf_ticket *tickets, size_t count) {
    if (count == 0) {
        return;
    }
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        tickets[i].queue->served++;
    }
    (void)pthread_cond_broadcast(&moved);
    (void)pthread_mutex_unlock(&lock);
}
