/* Who may use which array how until the next barrier. */
#include "writer.h"

static bool agrees(const array *a, use_kind use, uint32_t detail) {
    return a->use == USE_NONE || (a->use == use && a->detail == detail);
}

bool could_claim(const writer *w, size_t index, use_kind use, uint32_t detail) {
    const array *a = &w->arrays[index];
    /* Heads are evaluated once, between two barriers. */
    return (w->in_head && use == USE_READ) || agrees(a, use, detail);
}

static void record(writer *w, size_t index, use_kind use, uint32_t detail) {
    helper *f = w->recording;
    for (size_t i = 0; i < f->need_count; i++) {
        if (f->needs[i].array == index) {
            return;
        }
    }
    if (f->need_count < MOST_NEEDS) {
        f->needs[f->need_count++] = (need){index, use, detail};
    }
    if (use == USE_OWN || use == USE_SPREAD || use == USE_GROUP) {
        f->owner = w->owner;
    }
}

bool claim(writer *w, size_t index, use_kind use, uint32_t detail) {
    if (!could_claim(w, index, use, detail)) {
        return false;
    }
    if (w->in_head) {
        return true;
    }
    if (w->recording != NULL) {
        if (w->recording->need_count == MOST_NEEDS) {
            return false;
        }
        record(w, index, use, detail);
    }
    w->arrays[index].use = use;
    w->arrays[index].detail = detail;
    return true;
}

void fence_group(writer *w) {
    for (size_t i = 0; i < w->array_count; i++) {
        array *a = &w->arrays[i];
        a->group_use = USE_NONE;
        /* A copy goes on across a barrier of the workgroup. */
        if (a->is_shared && a->use != USE_BUSY) {
            a->use = USE_NONE;
        }
    }
}

void fence(writer *w) {
    for (size_t i = 0; i < w->array_count; i++) {
        /* Where there is but one workgroup, its barrier fences, yet does not end a copy either. */
        if (!w->one_group || w->arrays[i].use != USE_BUSY) {
            w->arrays[i].use = USE_NONE;
        }
        w->arrays[i].group_use = USE_NONE;
    }
}
