/* Shadow memory.
 *
 * Two accesses are ordered if one invocation makes both, if a grid barrier lies between, or, in one workgroup, a
 * barrier. Within a stretch a workgroup never goes back behind a barrier, so of its own accesses only those since its
 * last barrier can race with what it does next; with everybody else all of them can. So of each kind of access an
 * element needs few witnesses:
 *   - of the workgroup that came first, since its last barrier: two by different invocations, one of which is not the
 *     next one;
 *   - one of any other workgroup: where there is one, whoever comes next is foreign to one of the two workgroups.
 * A workgroup may have several turns in a stretch, before and after a forall that is no barrier; it goes on in the
 * epoch in which it left.
 * Stores of one value do not race. So two stores of the first workgroup are kept that differ in value or invocation,
 * and, from before its last barrier, two that differ in value. A store of another workgroup that is no race has the one
 * value that all have; one that is a race is found when it is made, and more would only repeat it.
 * The items of a forall are invocations of one workgroup that has no barrier. */
#include "backend/interp/races.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define MOST_RACES 5

typedef struct witness {
    uint64_t actor; /* forall << 48 | index of the invocation or of the item; each forall has a register, so 2^16 do */
    uint64_t value;
    uint32_t group, epoch;
    uint32_t where;
    uint32_t next; /* of the same element: 1 and its place; 0: none */
    uint8_t slot;
    bool used;
    bool by_all; /* the workgroup as one, in a head */
} witness;

/* What a witness is of its element: of loads, atomic loads, atomics and stores (the kind, times SEEN) two of the
 * workgroup that came first, and one of another; and two stores of the first workgroup before its last barrier. */
enum { SEEN = 3, FOREIGN = 2, PAST = 4 * SEEN, LISTS = 5 };

typedef struct shadow {
    uint64_t *entries; /* per element, of workgroup arrays for each copy: stamp << 32 | 1 and the place of its first
                          witness, 0 for none; NULL: never touched */
    uint64_t count;
} shadow;

typedef struct forall_start {
    uint64_t from; /* a */
    gf_type type;  /* of i */
} forall_start;

typedef struct race {
    witness first, second;
    gf_race_kind first_kind, second_kind;
    unsigned array;
    uint64_t index;
    uint64_t stretch;
    gf_span spans[2];
    forall_start items[2]; /* the i, of items of a forall */
} race;

struct gf_races {
    shadow *shadows;
    size_t array_count;
    witness *witnesses; /* of this stretch */
    size_t count, room;
    forall_start *starts; /* of the foralls of this stretch */
    size_t start_room;
    uint32_t *epochs;            /* per workgroup, where it left; NULL: no workgroup comes back */
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
    if (m->code->frames_needed && m->group_count <= SIZE_MAX) {
        races->epochs = gf_calloc((size_t)m->group_count, sizeof *races->epochs);
    }
    if (races->shadows == NULL || (m->code->frames_needed && races->epochs == NULL)) {
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
    gf_free(races->witnesses);
    gf_free(races->starts);
    gf_free(races->epochs);
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

void gf_races_enter(gf_machine *m) {
    if (m->races != NULL && m->races->epochs != NULL) {
        m->epoch = m->races->epochs[m->actor.group];
    } else if (m->races != NULL) {
        next_stamp(m->races, &m->races->group_stamp);
    }
}

void gf_races_leave(gf_machine *m) {
    if (m->races != NULL && m->races->epochs != NULL) {
        m->races->epochs[m->actor.group] = m->epoch;
    }
}

void gf_races_barrier(gf_machine *m) {
    gf_races *races = m->races;
    if (races == NULL) {
        return;
    }
    next_stamp(races, &races->stamp);
    next_stamp(races, &races->group_stamp);
    races->count = 0;
    if (races->epochs != NULL) {
        memset(races->epochs, 0, (size_t)m->group_count * sizeof *races->epochs);
    }
}

void gf_races_forall(gf_machine *m) {
    gf_races *races = m->races;
    if (races == NULL) {
        return;
    }
    if (m->foralls > races->start_room) {
        size_t room = races->start_room == 0 ? 16 : races->start_room * 2;
        forall_start *grown = gf_realloc(races->starts, room * sizeof *grown);
        if (grown == NULL) {
            m->no_memory = true;
            return;
        }
        races->starts = grown;
        races->start_room = room;
    }
    races->starts[m->foralls - 1] = (forall_start){.from = m->item_from, .type = m->item_type};
}

/* Workgroup arrays have a copy per workgroup where workgroups come back, else one that all use in turn. */
static bool take_entries(const gf_machine *m, unsigned array, shadow *of) {
    bool every = m->code->arrays[array].home == GF_HOME_SHARED && m->races->epochs != NULL;
    of->count = m->arrays[array].count;
    if (every && !gf_mul_u64(of->count, m->group_count, &of->count)) {
        return false;
    }
    if (of->count <= SIZE_MAX / sizeof *of->entries) {
        of->entries = gf_calloc((size_t)of->count, sizeof *of->entries);
    }
    return of->entries != NULL;
}

static uint64_t *entry_of(gf_machine *m, unsigned array, uint64_t index) {
    gf_races *races = m->races;
    shadow *of = &races->shadows[array];
    if (of->entries == NULL && !take_entries(m, array, of)) {
        m->no_memory = true;
        return NULL;
    }
    uint32_t stamp = races->stamp;
    if (m->code->arrays[array].home == GF_HOME_SHARED) {
        index += races->epochs != NULL ? m->actor.group * m->arrays[array].count : 0;
        stamp = races->epochs != NULL ? stamp : races->group_stamp;
    }
    uint64_t *entry = &of->entries[index];
    if (*entry >> 32 != stamp) {
        *entry = (uint64_t)stamp << 32;
    }
    return entry;
}

/* The witness in that slot of the element, or NULL. */
static witness *kept(const gf_races *races, const uint64_t *entry, unsigned slot) {
    for (uint32_t at = (uint32_t)*entry; at != 0; at = races->witnesses[at - 1].next) {
        if (races->witnesses[at - 1].slot == slot) {
            return races->witnesses[at - 1].used ? &races->witnesses[at - 1] : NULL;
        }
    }
    return NULL;
}

static void keep(gf_machine *m, uint64_t *entry, unsigned slot, witness now) {
    gf_races *races = m->races;
    now.slot = (uint8_t)slot;
    for (uint32_t at = (uint32_t)*entry; at != 0; at = races->witnesses[at - 1].next) {
        if (races->witnesses[at - 1].slot == slot) {
            now.next = races->witnesses[at - 1].next;
            races->witnesses[at - 1] = now;
            return;
        }
    }
    if (races->count == races->room) {
        size_t room = races->room == 0 ? 256 : races->room * 2;
        witness *grown = room >= UINT32_MAX ? NULL : gf_realloc(races->witnesses, room * sizeof *grown);
        if (grown == NULL) {
            m->no_memory = true;
            return;
        }
        races->witnesses = grown;
        races->room = room;
    }
    now.next = (uint32_t)*entry;
    races->witnesses[races->count++] = now;
    *entry = (*entry & ~(uint64_t)UINT32_MAX) | races->count;
}

static void forget(const gf_races *races, const uint64_t *entry, unsigned slot) {
    witness *of = kept(races, entry, slot);
    if (of != NULL) {
        of->used = false;
    }
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

static forall_start item_of(const gf_races *races, const witness *of) {
    if (of->group != UINT32_MAX) {
        return (forall_start){0};
    }
    forall_start item = races->starts[(of->actor >> 48) - 1];
    item.from += of->actor & ((UINT64_C(1) << 48) - 1);
    return item;
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

/* Which earlier kinds race with this one. */
static bool conflict(gf_race_kind a, gf_race_kind b) {
    bool load = a == GF_RACE_LOAD || a == GF_RACE_ATOMIC_LOAD,
         other_load = b == GF_RACE_LOAD || b == GF_RACE_ATOMIC_LOAD;
    bool atomic = a == GF_RACE_ATOMIC || a == GF_RACE_ATOMIC_LOAD;
    bool other_atomic = b == GF_RACE_ATOMIC || b == GF_RACE_ATOMIC_LOAD;
    return !(load && other_load) && !(atomic && other_atomic);
}

/* Races of this access with those before it: one for each kind, and one with stores before a barrier. */
static void compare(gf_machine *m, const uint64_t *entry, const witness *now, gf_race_kind kind, unsigned array,
                    uint64_t index) {
    const gf_races *races = m->races;
    const witness *first[LISTS] = {NULL};
    for (uint32_t at = (uint32_t)*entry; at != 0; at = races->witnesses[at - 1].next) {
        const witness *of = &races->witnesses[at - 1];
        unsigned list = of->slot / SEEN;
        gf_race_kind other = list < LISTS - 1 ? (gf_race_kind)list : GF_RACE_STORE;
        bool same_store = kind == GF_RACE_STORE && other == GF_RACE_STORE && of->value == now->value;
        if (conflict(other, kind) && unordered(of, now) && !same_store &&
            (first[list] == NULL || of->slot < first[list]->slot)) {
            first[list] = of;
        }
    }
    for (unsigned list = 0; list < LISTS; list++) {
        if (first[list] != NULL) {
            found(m, first[list], list < LISTS - 1 ? (gf_race_kind)list : GF_RACE_STORE, now, kind, array, index);
        }
    }
}

static void keep_foreign(gf_machine *m, uint64_t *entry, unsigned list, const witness *now) {
    if (kept(m->races, entry, list + FOREIGN) == NULL) {
        keep(m, entry, list + FOREIGN, *now);
    }
}

static void keep_plain(gf_machine *m, uint64_t *entry, unsigned list, const witness *now) {
    const witness *first = kept(m->races, entry, list);
    if (first != NULL && first->group != now->group) {
        keep_foreign(m, entry, list, now);
    } else if (first == NULL || first->epoch != now->epoch) {
        forget(m->races, entry, list + 1);
        keep(m, entry, list, *now);
    } else if (first->actor != now->actor && kept(m->races, entry, list + 1) == NULL) {
        keep(m, entry, list + 1, *now);
    }
}

static void keep_past(gf_machine *m, uint64_t *entry, const witness *store) {
    const witness *one = kept(m->races, entry, PAST);
    if (one == NULL) {
        keep(m, entry, PAST, *store);
    } else if (one->value != store->value && kept(m->races, entry, PAST + 1) == NULL) {
        keep(m, entry, PAST + 1, *store);
    }
}

static void keep_store(gf_machine *m, uint64_t *entry, unsigned list, const witness *now) {
    const witness *first = kept(m->races, entry, list);
    if (first != NULL && first->group != now->group) {
        keep_foreign(m, entry, list, now);
        return;
    }
    if (first != NULL && first->epoch != now->epoch) {
        for (unsigned i = 0; i < 2; i++) {
            const witness *store = kept(m->races, entry, list + i);
            if (store != NULL) {
                witness copy = *store;
                keep_past(m, entry, &copy);
            }
            forget(m->races, entry, list + i);
        }
        first = NULL;
    }
    if (first == NULL) {
        keep(m, entry, list, *now);
    } else if ((first->actor != now->actor || first->value != now->value) && kept(m->races, entry, list + 1) == NULL) {
        keep(m, entry, list + 1, *now);
    }
}

/* A head is evaluated for the workgroup by all of its invocations together. */
static bool is_by_all(const gf_machine *m) {
    return m->actor.kind == GF_ACTOR_GROUP && m->extent[0] * m->extent[1] * m->extent[2] > 1;
}

void gf_races_access(gf_machine *m, gf_race_kind kind, unsigned array, uint64_t index, uint64_t value, uint32_t where) {
    const gf_actor *actor = &m->actor;
    if (actor->kind == GF_ACTOR_GRID) {
        return; /* a head, between two grid barriers */
    }
    uint64_t *entry = entry_of(m, array, index);
    if (entry == NULL) {
        return;
    }
    bool item = actor->kind == GF_ACTOR_ITEM, by_all = is_by_all(m);
    witness now = {.actor = item     ? (uint64_t)actor->forall << 48 | actor->index
                            : by_all ? UINT64_MAX - actor->group
                                     : actor->group * m->group_size + actor->index,
                   .group = item ? UINT32_MAX : (uint32_t)actor->group,
                   .epoch = item ? 0 : m->epoch,
                   .where = where,
                   .used = true,
                   .by_all = by_all,
                   .value = value};
    compare(m, entry, &now, kind, array, index);
    if (kind == GF_RACE_STORE) {
        keep_store(m, entry, (unsigned)kind * SEEN, &now);
    } else {
        keep_plain(m, entry, (unsigned)kind * SEEN, &now);
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

static void name_witness(const gf_machine *m, const witness *of, forall_start item, char *text, size_t size) {
    gf_actor actor = {.kind = GF_ACTOR_LANE};
    if (of->group == UINT32_MAX) {
        actor.kind = GF_ACTOR_ITEM;
    } else if (of->by_all) {
        actor = (gf_actor){.kind = GF_ACTOR_GROUP, .group = of->group};
    } else {
        actor.group = of->actor / m->group_size;
        actor.index = of->actor % m->group_size;
    }
    gf_name_actor(m, &actor, item.type, item.from, text, size);
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
