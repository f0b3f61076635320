/* Which of the registers that might live on from step to step do: those that a place behind the end of a step may yet
 * look at. Each cell is loaded by each thread in each step, so it is worth to know. The walk over the tree does not: it
 * writes, and this reads what was written, line by line, from the end to the beginning until nothing changes. */
#include "emit/ptx/steps.h"
#include <stdlib.h>
#include <string.h>

#define WORDS (GF_PTX_SET_BYTES / 4 / 64 + 1) /* of a set of registers: no more than there are cells */

typedef struct line {
    const char *text;
    uint32_t length, target; /* of a jump: the line; else UINT32_MAX */
    bool falls;              /* the next line may come behind it */
} line;

typedef struct reading {
    gf_ptx_walk *walk;
    GF_VEC(line) lines;
    uint64_t (*live)[WORDS];        /* by line: before it */
    uint32_t *labels;               /* by label: its line; UINT32_MAX: it stands elsewhere */
    uint16_t *kept[GF_PTX_CLASSES]; /* by number of the register: its place in the list, from 1 */
} reading;

static bool begins(const line *l, const char *with) {
    return strncmp(l->text, with, strlen(with)) == 0;
}

static void note_kept(reading *r) {
    gf_ptx_emit *e = r->walk->e;
    for (int class = 0; class < GF_PTX_CLASSES; class ++) {
        r->kept[class] = gf_new_array(e->arena, uint16_t, e->p.count[class] + 1);
    }
    for (size_t i = 0; i < r->walk->steps->kept.count; i++) {
        const gf_pv *value = &r->walk->steps->kept.items[i];
        r->kept[gf_ptx_class_of(value->type)][value->number] = (uint16_t)(i + 1);
    }
}

/* The kept register whose name stands here, "%rd12"; 0: another, or none. */
static unsigned kept_at(const reading *r, const char *name) {
    static const char *const classes[GF_PTX_CLASSES] = {"p", "r", "rd", "f", "d", "h"};
    size_t letters = strcspn(name + 1, "0123456789,;.]} ");
    for (int class = 0; class < GF_PTX_CLASSES; class ++) {
        char *end = NULL;
        if (strlen(classes[class]) == letters && strncmp(classes[class], name + 1, letters) == 0) {
            unsigned long number = strtoul(name + 1 + letters, &end, 10);
            return end > name + 1 + letters && number < r->walk->e->p.count[class] ? r->kept[class][number] : 0;
        }
    }
    return 0;
}

static uint32_t label_at(const char *text) {
    const char *name = strstr(text, "$L");
    return name != NULL ? (uint32_t)strtoul(name + 2, NULL, 10) : UINT32_MAX;
}

static void read_lines(reading *r) {
    gf_ptx_emit *e = r->walk->e;
    r->labels = gf_new_array(e->arena, uint32_t, e->p.labels + 1);
    memset(r->labels, 0xff, (e->p.labels + 1) * sizeof *r->labels);
    const char *at = e->p.text.text, *end = at + e->p.text.length;
    while (at < end) {
        line l = {.text = at + strspn(at, " "), .target = UINT32_MAX, .falls = true};
        l.length = (uint32_t)strcspn(l.text, "\n");
        if (begins(&l, "$L")) {
            r->labels[label_at(l.text)] = (uint32_t)r->lines.count;
        }
        gf_push(e->arena, &r->lines, l);
        at = l.text + l.length + 1;
    }
    for (size_t i = 0; i < r->lines.count; i++) {
        line *l = &r->lines.items[i];
        bool is_guarded = l->text[0] == '@';
        const char *word = is_guarded ? l->text + strcspn(l->text, " ") + 1 : l->text;
        bool jumps = strncmp(word, "bra ", 4) == 0;
        l->target = jumps ? r->labels[label_at(word)] : UINT32_MAX;
        l->falls = is_guarded || (!jumps && strncmp(word, "ret", 3) != 0);
    }
}

static bool gives_nothing(const char *word) {
    static const char *const some[] = {"st.",  "red.", "bra ", "bar.sync", "bar.warp", "ret",
                                       "call", "//",   "$L",   ".",        "{"};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        if (strncmp(word, some[i], strlen(some[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* From what is live behind a line to what is before it. */
static void step_back(const reading *r, const line *l, uint64_t *live) {
    bool is_guarded = l->text[0] == '@';
    const char *end = l->text + l->length, *word = is_guarded ? l->text + strcspn(l->text, " ") + 1 : l->text;
    if (strncmp(word, "//", 2) == 0) {
        return;
    }
    const char *first = word + strcspn(word, " \n"), *given = first;
    if (!gives_nothing(word)) {
        given = first[1] == '{' ? first + strcspn(first, "}") : first + strcspn(first, ",;");
    }
    for (const char *at = first; at < given && !is_guarded; at++) {
        unsigned kept = *at == '%' ? kept_at(r, at) : 0;
        if (kept > 0) {
            live[(kept - 1) / 64] &= ~(UINT64_C(1) << (kept - 1) % 64);
        }
    }
    for (const char *at = l->text; at < end; at++) {
        at = at == first ? given : at;
        unsigned kept = at < end && *at == '%' ? kept_at(r, at) : 0;
        if (kept > 0) {
            live[(kept - 1) / 64] |= UINT64_C(1) << (kept - 1) % 64;
        }
    }
}

static bool go_back_once(reading *r) {
    bool changed = false;
    for (size_t i = r->lines.count; i-- > 0;) {
        const line *l = &r->lines.items[i];
        uint64_t now[WORDS] = {0};
        for (size_t w = 0; w < WORDS; w++) {
            now[w] |= l->falls && i + 1 < r->lines.count ? r->live[i + 1][w] : 0;
            now[w] |= l->target != UINT32_MAX ? r->live[l->target][w] : 0;
        }
        step_back(r, l, now);
        changed |= memcmp(now, r->live[i], sizeof now) != 0;
        memcpy(r->live[i], now, sizeof now);
    }
    return changed;
}

void gf_ptx_drop_dead(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    struct gf_ptx_steps *steps = walk->steps;
    reading r = {.walk = walk};
    uint64_t any[WORDS] = {0};
    if (e->p.text.failed || steps->kept.count > (size_t)64 * WORDS) {
        return;
    }
    note_kept(&r);
    read_lines(&r);
    r.live = gf_arena_alloc(e->arena, (r.lines.count + 1) * sizeof *r.live);
    memset(r.live, 0, (r.lines.count + 1) * sizeof *r.live);
    while (go_back_once(&r)) {
    }
    for (size_t i = 0; i <= steps->places.count; i++) {
        uint32_t label = i < steps->places.count ? steps->places.items[i] : walk->on_stop;
        for (size_t w = 0; w < WORDS && i > 0; w++) {
            any[w] |= r.live[r.labels[label]][w];
        }
    }
    size_t left = 0;
    for (size_t i = 0; i < steps->kept.count; i++) {
        if ((any[i / 64] >> i % 64 & 1) != 0) {
            steps->kept.items[left++] = steps->kept.items[i];
        }
    }
    steps->kept.count = left;
}
