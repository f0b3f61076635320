/* The order of submission holds whatever thread comes first. */
#include "dev/order.h"
#include "unit/unit.h"
#include <pthread.h>

enum { THREADS = 8 };

typedef struct user {
    gf_ticket tickets[2];
    size_t count;
    int name;
    int *log; /* who was served, in order; guarded by the queues themselves */
    size_t *logged;
} user;

static void *use(void *context) {
    user *u = context;
    gf_order_begin(u->tickets, u->count);
    u->log[(*u->logged)++] = u->name;
    gf_order_end(u->tickets, u->count);
    return NULL;
}

static void served_as_submitted(void **state) {
    (void)state;
    gf_queue queue = {0};
    int log[THREADS];
    size_t logged = 0;
    user users[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        users[i] = (user){.tickets = {{.queue = &queue}}, .count = 1, .name = i, .log = log, .logged = &logged};
        gf_order_submit(users[i].tickets, 1);
    }
    /* The last one submitted asks first. */
    for (int i = THREADS - 1; i >= 0; i--) {
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(log[i], i);
    }
    assert_int_equal(queue.served, queue.drawn);
}

/* Each shares one queue with its neighbours on either side, so all of them wait for one another. */
static void rings_do_not_lock(void **state) {
    (void)state;
    gf_queue queues[THREADS] = {0};
    int log[THREADS][1];
    size_t logged[THREADS] = {0};
    user users[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        users[i] = (user){.tickets = {{.queue = &queues[i]}, {.queue = &queues[(i + 1) % THREADS]}},
                          .count = 2,
                          .name = i,
                          .log = log[i],
                          .logged = &logged[i]};
        gf_order_submit(users[i].tickets, 2);
    }
    for (int i = THREADS - 1; i >= 0; i--) {
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(log[i][0], i);
        assert_int_equal(queues[i].drawn, 2);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(queues[i].served, 2);
    }
}

static void nothing_shared_waits_for_nothing(void **state) {
    (void)state;
    gf_order_submit(NULL, 0);
    gf_order_begin(NULL, 0);
    gf_order_end(NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(served_as_submitted),
        cmocka_unit_test(rings_do_not_lock),
        cmocka_unit_test(nothing_shared_waits_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
