/* What a sink amounts to: the status of a call, and messages handed from one sink to another. */
#include "base/diag_data.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

static const unsigned code_numbers[GF_CODE_COUNT] = {
#define CODE(name, number, slug, meaning) number,
#include "base/diags.def"
#undef CODE
};

gf_code gf_code_from_text(const char *text) {
    unsigned long number = strncmp(text, "GF", 2) == 0 ? strtoul(text + 2, NULL, 10) : 0;
    for (int code = 0; code < GF_CODE_COUNT; code++) {
        if (code_numbers[code] == number) {
            return (gf_code)code;
        }
    }
    return GF_CODE_COUNT;
}

static gf_status status_of_running(gf_code code) {
    if (code == GF_CODE_TIMEOUT || code == GF_CODE_CANCELLED) {
        return GF_STATUS_TIME;
    }
    if (code == GF_CODE_SEGMENT_FAILED) {
        return GF_STATUS_DEVICE;
    }
    if (code == GF_CODE_NOT_CONVERGED) {
        return GF_STATUS_NOT_CONVERGED;
    }
    /* 703 to 719: found by running the program; from 720: how the run was asked for. */
    return code_numbers[code] < 720 ? GF_STATUS_TRAP : GF_STATUS_USAGE;
}

static gf_status status_of_general(gf_code code) {
    if (code == GF_CODE_NO_MEMORY) {
        return GF_STATUS_DEVICE;
    }
    if (code_numbers[code] >= 20) {
        /* 002x: values of the program's text; 003x: calls of the builder */
        return code_numbers[code] < 30 ? GF_STATUS_PROGRAM : GF_STATUS_USAGE;
    }
    return code == GF_CODE_BAD_ARGUMENT ? GF_STATUS_USAGE : GF_STATUS_INTERNAL;
}

static gf_status status_of_code(gf_code code) {
    if (code == GF_CODE_COUNT) {
        return GF_STATUS_INTERNAL;
    }
    switch (code_numbers[code] / 100) {
    case 0:
        return status_of_general(code);
    case 1:
    case 2:
    case 3:
    case 4:
        return GF_STATUS_PROGRAM;
    case 5:
        return code == GF_CODE_PLAN_LARGE || code == GF_CODE_PLAN_TO_COMPILE ? GF_STATUS_DEVICE : GF_STATUS_PROGRAM;
    case 6:
        return GF_STATUS_DEVICE;
    case 7:
        return status_of_running(code);
    case 8:
        return GF_STATUS_FILE;
    case 9:
        return GF_STATUS_USAGE;
    default:
        return GF_STATUS_INTERNAL;
    }
}

gf_status gf_diags_status(const gf_diags *diags) {
    if (diags == NULL) {
        return GF_STATUS_OK;
    }
    for (size_t i = 0; i < diags->count; i++) {
        const gf_diag *data = &diags->items[i]->data;
        if (data->severity == GF_SEVERITY_ERROR) {
            return status_of_code(gf_code_from_text(data->code));
        }
    }
    return GF_STATUS_OK;
}

static void take_item(gf_diags *to, gf_diag_item *item) {
    gf_severity severity = item->data.severity;
    if (to->kept[severity] >= GF_DIAGS_KEPT) {
        for (gf_diag_item *note = item->notes; note != NULL;) {
            gf_diag_item *next = note->next;
            gf_free(note);
            note = next;
        }
        gf_free(item->fix);
        gf_free(item);
        return;
    }
    to->items[to->count++] = item;
    to->kept[severity]++;
    to->latest = item;
}

void gf_diags_take(gf_diags *to, gf_diags *from) {
    if (from == NULL) {
        return;
    }
    if (to == NULL) {
        gf_diags_clear(from);
        return;
    }
    for (size_t i = 0; i < from->count; i++) {
        if (from->items[i] == &from->memory) {
            /* It lies inside its sink: made anew, and the notes with it go. */
            for (gf_diag_item *note = from->memory.notes; note != NULL;) {
                gf_diag_item *next = note->next;
                gf_free(note);
                note = next;
            }
            gf_free(from->memory.fix);
            from->seen[GF_SEVERITY_ERROR]--;
            (void)gf_fail_memory(to);
        } else {
            take_item(to, from->items[i]);
        }
    }
    to->seen[0] += from->seen[0];
    to->seen[1] += from->seen[1];
    memset(from, 0, sizeof *from);
}
