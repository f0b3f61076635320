/* Shadow memory.
 *
 * Two accesses are ordered if one invocation makes both, if a grid barrier lies between, or, in one workgroup, a
 * barrier. Workgroups take their turns one after the other in a stretch, and foralls come when all have had theirs.
 * So of each kind of access an element needs few witnesses:
 *   - one by a workgroup that had its turn before: it races with whatever comes now, from anyone;
 *   - of the present workgroup since its last barrier two by different invocations: one of them is not the next one.
 * Stores of one value do not race, so of stores the witnesses are kept by value: two values of earlier turns (or of
 * the present workgroup behind a barrier, which still count for the workgroups to come), and, since the last barrier,
 * two that differ in value or invocation. More would only repeat a race that was found before.
 * The items of a forall are invocations of one workgroup that has no barrier. */
#include "backend/interp/races.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define MOST_RACES 5

typedef struct witness {
    uint64_t actor; /* forall << 48 | index of the invocation or of the item */
    uint32_t group, epoch;
    uint32_t where;
    bool used;
    uint64_t value;
} witness;

typedef struct history {
    witness plain[3][2];    /* loads, atomic loads, atomics */
    witness old[2], now[2]; /* stores */
} history;

typedef struct shadow {
    uint64_t *entries; /* per element: stamp << 32 | history; NULL: never touched */
    uint64_t count;
} shadow;

typedef struct race {
    witness first, second;
    gf_race_kind first_kind, second_kind;
    unsigned array;
    uint64_t index;
    uint64_t stretch;
    gf_span spans[2];
    uint64_t items[2]; /* the i, of items of a forall */
} race;

struct gf_races {
    shadow *shadows;
    size_t array_count;
    history *histories;
    size_t count, room;
    uint64_t *starts; /* of the foralls of this stretch: a */
    size_t start_room;
    uint32_t stamp, group_stamp; /* what entries of buffers and of workgroup arrays must carry to count */
    race found[MOST_RACES];
    size_t found_count;
};

gf_races *gf_races_create(gf_machine *m) {
    gf_races *races = gf_calloc(1, sizeof *races);
    if (races == NULL) {
        return NULL;
    }
    races->array_count = m->code->array_count;
    races->stamp = races->group_stamp = 1;
    races->shadows = gf_calloc(races->array_count, sizeof *races->shadows);
    if (races->shadows == NULL) {
        gf_races_destroy(races);
        return NULL;
    }
    return races;
}

void gf_races_destroy(gf_races *races) {
    if (races == NULL) {
        return;
    }
    for (size_t i = 0; races->shadows != NULL && i < races->array_count; i++) {
        gf_free(races->shadows[i].entries);
    }
    gf_free(races->shadows);
    gf_free(races->histories);
    gf_free(races->starts);
    gf_free(races);
}

bool gf_races_found(const gf_races *races) {
    return races != NULL && races->found_count > 0;
}

/* Stamps wrap after 2^32 stretches: then everything is forgotten the slow way. */
static void next_stamp(gf_races *races, uint32_t *stamp) {
    if (++*stamp != 0) {
        return;
    }
    *stamp = 1;
    for (size_t i = 0; i < races->array_count; i++) {
        if (races->shadows[i].entries != NULL) {
            memset(races->shadows[i].entries, 0, (size_t)races->shadows[i].count * sizeof(uint64_t));
        }
    }
}

void gf_races_group(gf_machine *m) {
    if (m->races != NULL) {
        next_stamp(m->races, &m->races->group_stamp);
    }
}

void gf_races_barrier(gf_machine *m) {
    if (m->races != NULL) {
        next_stamp(m->races, &m->races->stamp);
        next_stamp(m->races, &m->races->group_stamp);
        m->races->count = 0;
    }
}

void gf_races_forall(gf_machine *m) {
    gf_races *races = m->races;
    if (races == NULL) {
        return;
    }
    if (m->foralls > races->start_room) {
        size_t room = races->start_room == 0 ? 16 : races->start_room * 2;
        uint64_t *grown = gf_realloc(races->starts, room * sizeof *grown);
        if (grown == NULL) {
            m->no_memory = true;
            return;
        }
        races->starts = grown;
        races->start_room = room;
    }
    races->starts[m->foralls - 1] = m->item_from;
}

static history *history_of(gf_machine *m, unsigned array, uint64_t index) {
    gf_races *races = m->races;
    shadow *of = &races->shadows[array];
    if (of->entries == NULL) {
        of->count = m->arrays[array].count;
        of->entries =
            of->count > SIZE_MAX / sizeof *of->entries ? NULL : gf_calloc((size_t)of->count, sizeof *of->entries);
    }
    if (races->count == races->room) {
        size_t room = races->room == 0 ? 256 : races->room * 2;
        history *grown = room >= UINT32_MAX ? NULL : gf_realloc(races->histories, room * sizeof *grown);
        if (grown != NULL) {
            races->histories = grown;
            races->room = room;
        }
    }
    if (of->entries == NULL || races->count == races->room) {
        m->no_memory = true;
        return NULL;
    }
    uint32_t stamp = m->code->arrays[array].home == GF_HOME_SHARED ? races->group_stamp : races->stamp;
    uint64_t *entry = &of->entries[index];
    if (*entry >> 32 != stamp) {
        *entry = (uint64_t)stamp << 32 | races->count;
        races->histories[races->count++] = (history){0};
    }
    return &races->histories[(uint32_t)*entry];
}

static bool unordered(const witness *a, const witness *b) {
    return a->used && a->actor != b->actor && (a->group != b->group || a->epoch == b->epoch);
}

static gf_span span_of(const gf_machine *m, uint32_t where) {
    return where < m->code->place_count ? m->code->places[where].span : GF_NO_SPAN;
}

static bool same_place(gf_span a, gf_span b) {
    return a.source == b.source && a.offset == b.offset;
}

static uint64_t item_of(const gf_races *races, const witness *of) {
    return of->group == UINT32_MAX ? races->starts[(of->actor >> 48) - 1] + (of->actor & ((UINT64_C(1) << 48) - 1)) : 0;
}

static void found(gf_machine *m, const witness *first, gf_race_kind first_kind, const witness *second,
                  gf_race_kind second_kind, unsigned array, uint64_t index) {
    gf_races *races = m->races;
    gf_span a = span_of(m, first->where), b = span_of(m, second->where);
    for (size_t i = 0; i < races->found_count; i++) {
        const race *known = &races->found[i];
        if ((same_place(known->spans[0], a) && same_place(known->spans[1], b)) ||
            (same_place(known->spans[0], b) && same_place(known->spans[1], a))) {
            return;
        }
    }
    if (races->found_count < MOST_RACES) {
        races->found[races->found_count++] = (race){.first = *first,
                                                    .second = *second,
                                                    .first_kind = first_kind,
                                                    .second_kind = second_kind,
                                                    .array = array,
                                                    .index = index,
                                                    .stretch = m->stretch,
                                                    .spans = {a, b},
                                                    .items = {item_of(races, first), item_of(races, second)}};
    }
}

static void compare(gf_machine *m, const witness *list, gf_race_kind kind, const witness *now, gf_race_kind now_kind,
                    unsigned array, uint64_t index) {
    bool stores = kind == GF_RACE_STORE && now_kind == GF_RACE_STORE;
    for (int i = 0; i < 2; i++) {
        if (unordered(&list[i], now) && !(stores && list[i].value == now->value)) {
            found(m, &list[i], kind, now, now_kind, array, index);
            return;
        }
    }
}

/* Which earlier kinds race with this one. */
static bool conflict(gf_race_kind a, gf_race_kind b) {
    bool load = a == GF_RACE_LOAD || a == GF_RACE_ATOMIC_LOAD,
         other_load = b == GF_RACE_LOAD || b == GF_RACE_ATOMIC_LOAD;
    bool atomic = a == GF_RACE_ATOMIC || a == GF_RACE_ATOMIC_LOAD;
    bool other_atomic = b == GF_RACE_ATOMIC || b == GF_RACE_ATOMIC_LOAD;
    return !(load && other_load) && !(atomic && other_atomic);
}

static void keep_plain(witness *list, const witness *now) {
    if (!list[0].used) {
        list[0] = *now;
    } else if (list[0].group != now->group) {
        return;
    } else if (list[0].epoch != now->epoch) {
        list[0] = *now;
        list[1].used = false;
    } else if (list[0].actor != now->actor && !list[1].used) {
        list[1] = *now;
    }
}

static void keep_store(history *of, const witness *now) {
    witness *recent = of->now, *old = of->old;
    if (recent[0].used && (recent[0].group != now->group || recent[0].epoch != now->epoch)) {
        for (int i = 0; i < 2; i++) {
            if (!recent[i].used) {
                continue;
            }
            if (!old[0].used) {
                old[0] = recent[i];
            } else if (!old[1].used && old[0].value != recent[i].value) {
                old[1] = recent[i];
            }
            recent[i].used = false;
        }
    }
    if (!recent[0].used) {
        recent[0] = *now;
    } else if (!recent[1].used && (recent[0].actor != now->actor || recent[0].value != now->value)) {
        recent[1] = *now;
    }
}

void gf_races_access(gf_machine *m, gf_race_kind kind, unsigned array, uint64_t index, uint64_t value, uint32_t where) {
    const gf_actor *actor = &m->actor;
    if (actor->kind == GF_ACTOR_GRID) {
        return; /* a head, between two grid barriers */
    }
    history *of = history_of(m, array, index);
    if (of == NULL) {
        return;
    }
    bool item = actor->kind == GF_ACTOR_ITEM;
    witness now = {.actor = item ? (uint64_t)actor->forall << 48 | actor->index
                                 : actor->group * m->group_size + actor->index,
                   .group = item ? UINT32_MAX : (uint32_t)actor->group,
                   .epoch = item ? 0 : m->epoch,
                   .where = where,
                   .used = true,
                   .value = value};
    for (int other = 0; other < 3; other++) {
        if (conflict((gf_race_kind)other, kind)) {
            compare(m, of->plain[other], (gf_race_kind)other, &now, kind, array, index);
        }
    }
    if (conflict(GF_RACE_STORE, kind)) {
        compare(m, of->old, GF_RACE_STORE, &now, kind, array, index);
        compare(m, of->now, GF_RACE_STORE, &now, kind, array, index);
    }
    if (kind == GF_RACE_STORE) {
        keep_store(of, &now);
    } else {
        keep_plain(of->plain[kind], &now);
    }
}

/* ---- messages ---- */

static const char *verb(gf_race_kind kind) {
    switch (kind) {
    case GF_RACE_LOAD:
        return "loads it";
    case GF_RACE_ATOMIC_LOAD:
        return "loads it by an atomic";
    case GF_RACE_ATOMIC:
        return "changes it by an atomic";
    case GF_RACE_STORE:
        break;
    }
    return "stores to it";
}

static void name_witness(const gf_machine *m, const witness *of, uint64_t item, char *text, size_t size) {
    gf_actor actor = {.kind = GF_ACTOR_LANE};
    if (of->group == UINT32_MAX) {
        actor.kind = GF_ACTOR_ITEM;
    } else {
        actor.group = of->actor / m->group_size;
        actor.index = of->actor % m->group_size;
    }
    gf_name_actor(m, &actor, item, text, size);
}

static void note_witness(const gf_machine *m, const race *one, int side) {
    const witness *of = side == 0 ? &one->first : &one->second;
    char who[128], barriers[64] = "";
    name_witness(m, of, one->items[side], who, sizeof who);
    if (of->epoch > 0) {
        snprintf(barriers, sizeof barriers, ", %u workgroup barrier%s into it", (unsigned)of->epoch,
                 of->epoch == 1 ? "" : "s");
    }
    gf_note(m->diags, one->spans[side], "%s %s here, in stretch %llu%s", who,
            verb(side == 0 ? one->first_kind : one->second_kind), (unsigned long long)one->stretch, barriers);
}

void gf_races_report(const gf_machine *m) {
    const gf_races *races = m->races;
    for (size_t i = 0; races != NULL && i < races->found_count; i++) {
        const race *one = &races->found[i];
        char first[128], second[128];
        name_witness(m, &one->first, one->items[0], first, sizeof first);
        name_witness(m, &one->second, one->items[1], second, sizeof second);
        gf_fail(m->diags, GF_CODE_RACE, one->spans[1],
                "race on `%s[%llu]`: %s %s and %s %s, and no barrier lies between",
                m->code->arrays[one->array].symbol->name, (unsigned long long)one->index, first, verb(one->first_kind),
                second, verb(one->second_kind));
        note_witness(m, one, 0);
        note_witness(m, one, 1);
        gf_fix(m->diags, "put a barrier between the two, or make both atomic");
    }
}
