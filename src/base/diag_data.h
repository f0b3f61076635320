/* The inside of a sink: shared by the files diag*.c and nobody else. */
#ifndef GF_BASE_DIAG_DATA_H
#define GF_BASE_DIAG_DATA_H

#include "base/diag.h"

#define GF_DIAGS_KEPT 64  /* of errors, and of warnings */
#define GF_DIAG_NOTES 256 /* of one message */

/* A message or a note. Its strings lie behind it in the same allocation, but for `fix`. */
typedef struct gf_diag_item {
    gf_diag data;
    char code[16];
    char *fix; /* owned, or NULL */
    struct gf_diag_item *notes, *last_note, *next;
} gf_diag_item;

struct gf_diags {
    gf_diag_item *items[2 * GF_DIAGS_KEPT + 1]; /* + 1 for `memory` */
    size_t count;
    size_t kept[2];       /* by severity */
    size_t seen[2];       /* those not kept among them */
    gf_diag_item *latest; /* what notes and a fix belong to; NULL after a message that was not kept */
    gf_diag_item memory;  /* "out of memory", which needs none */
    bool out_of_memory;   /* `memory` is in use */
};

#endif
