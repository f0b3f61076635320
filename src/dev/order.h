/* The order of submission: whoever shares something with others draws a ticket for it, and is served in that order. */
#ifndef GF_DEV_ORDER_H
#define GF_DEV_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One thing that is shared; zeros at first. Guarded by one lock of the process. */
typedef struct gf_queue {
    uint64_t drawn, served;
} gf_queue;

typedef struct gf_ticket {
    gf_queue *queue;
    uint64_t number;
} gf_ticket;

/* Draws one ticket for each, at one moment: of two calls one comes first in all queues, so nobody waits in a circle.
 * tickets[i].queue is set by the caller; a queue that stands there twice must be left out by the caller. */
void gf_order_submit(gf_ticket *tickets, size_t count);
/* Waits until all tickets are at the head. */
void gf_order_begin(const gf_ticket *tickets, size_t count);
/* Lets the next ones in. After gf_order_begin alone. */
void gf_order_end(const gf_ticket *tickets, size_t count);

#endif
