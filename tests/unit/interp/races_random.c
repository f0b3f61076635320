/* The shadow memory against plain comparison of all pairs: random turns of workgroups, with barriers, foralls between
 * them, and workgroups that come back. Whatever few witnesses are kept, a race is found with its second access. */
#include "backend/interp/machine.h"
#include "backend/interp/races.h"

#include "unit/unit.h"

enum { GROUPS = 3, LANES = 3, ELEMENTS = 2, ARRAYS = 2, SHARED = 1, MOST = 256 };

typedef struct event {
    gf_race_kind kind;
    unsigned array, copy; /* copy: of the workgroup array */
    uint64_t index, value;
    bool item;
    uint64_t group, who; /* who: 1 + lane, 0 for all; of items forall << 8 | index */
    uint32_t epoch;
} event;

typedef struct trial {
    gf_machine m;
    event events[MOST];
    size_t count;
    uint32_t epochs[GROUPS];
    uint64_t random;
    unsigned store_values, writes, elements, steps, accesses; /* how often a race is risked */
    bool raced;
} trial;

static unsigned below(trial *t, unsigned limit) {
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((t->random >> 33) % limit);
}

static bool is_load(gf_race_kind kind) {
    return kind == GF_RACE_LOAD || kind == GF_RACE_ATOMIC_LOAD;
}

static bool is_atomic(gf_race_kind kind) {
    return kind == GF_RACE_ATOMIC || kind == GF_RACE_ATOMIC_LOAD;
}

/* The rule, word by word. */
static bool is_race(const event *a, const event *b) {
    bool one_element = a->array == b->array && a->copy == b->copy && a->index == b->index;
    bool one_invocation = a->item == b->item && a->group == b->group && a->who == b->who;
    bool ordered = !a->item && !b->item && a->group == b->group && a->epoch != b->epoch;
    bool same_store = a->kind == GF_RACE_STORE && b->kind == GF_RACE_STORE && a->value == b->value;
    return one_element && !one_invocation && !ordered && !same_store && !(is_load(a->kind) && is_load(b->kind)) &&
           !(is_atomic(a->kind) && is_atomic(b->kind));
}

static void access_as(trial *t, bool item, uint64_t who) {
    if (t->count == MOST || t->raced) {
        return;
    }
    static const gf_race_kind loads[] = {GF_RACE_LOAD, GF_RACE_ATOMIC_LOAD};
    static const gf_race_kind writes[] = {GF_RACE_STORE, GF_RACE_STORE, GF_RACE_STORE, GF_RACE_ATOMIC};
    bool writes_now = !(who == 0 && !item) && below(t, 100) < t->writes;
    event now = {.kind = writes_now ? writes[below(t, 4)] : loads[below(t, 4) == 0],
                 .array = item ? 0 : below(t, 8) == 0,
                 .index = below(t, t->elements),
                 .value = below(t, t->store_values),
                 .item = item,
                 .group = item ? 0 : t->m.actor.group,
                 .who = who,
                 .epoch = item ? 0 : t->epochs[t->m.actor.group]};
    now.copy = now.array == SHARED ? (unsigned)now.group : 0;
    for (size_t i = 0; i < t->count; i++) {
        t->raced = t->raced || is_race(&t->events[i], &now);
    }
    t->events[t->count++] = now;
    gf_races_access(&t->m, now.kind, now.array, now.index, now.value, 0);
}

static void run_groups(trial *t) {
    for (uint64_t group = 0; group < GROUPS; group++) {
        t->m.actor = (gf_actor){.kind = GF_ACTOR_GROUP, .group = group};
        t->m.epoch = 0;
        gf_races_enter(&t->m);
        for (unsigned steps = below(t, t->steps); steps > 0; steps--) {
            for (unsigned accesses = below(t, t->accesses); accesses > 0; accesses--) {
                unsigned who = below(t, LANES + 1);
                t->m.actor.kind = who == 0 ? GF_ACTOR_GROUP : GF_ACTOR_LANE;
                t->m.actor.index = who == 0 ? 0 : who - 1;
                access_as(t, false, who);
            }
            if (below(t, 2) == 0) {
                t->m.epoch++;
                t->epochs[group]++;
            }
        }
        gf_races_leave(&t->m);
    }
}

static void run_items(trial *t) {
    t->m.foralls++;
    gf_races_forall(&t->m);
    for (uint64_t item = 0; item < 3; item++) {
        t->m.actor = (gf_actor){.kind = GF_ACTOR_ITEM, .forall = t->m.foralls, .index = item};
        if (below(t, 3) == 0) {
            access_as(t, true, (uint64_t)t->m.foralls << 8 | item);
        }
    }
}

/* True if there was a race. `back`: workgroups have more than one turn in a stretch. */
static bool attempt(uint64_t seed, bool back) {
    gf_symbol names[ARRAYS] = {{.name = "x"}, {.name = "w"}};
    gf_array_info infos[ARRAYS] = {{.symbol = &names[0], .home = GF_HOME_BUFFER},
                                   {.symbol = &names[1], .home = GF_HOME_SHARED}};
    gf_array arrays[ARRAYS] = {{.count = ELEMENTS}, {.count = ELEMENTS}};
    gf_module code = {.arrays = infos, .array_count = ARRAYS, .buffer_count = 1, .frames_needed = back};
    trial t = {
        .m = {.code = &code, .arrays = arrays, .group_size = LANES, .group_count = GROUPS, .extent = {LANES, 1, 1}},
        .random = seed * 2 + 1};
    t.elements = 1 + below(&t, ELEMENTS);
    t.steps = 2 + below(&t, 5);
    t.accesses = 2 + below(&t, 2);
    t.writes = below(&t, 3) == 0 ? 100 : 3 + 6 * below(&t, 8);
    t.store_values = 1 + (below(&t, 3) == 0);
    t.m.races = gf_races_create(&t.m);
    assert_non_null(t.m.races);
    for (unsigned stretch = 0; stretch < 3 && !t.raced; stretch++) {
        run_groups(&t);
        for (unsigned more = back ? below(&t, 4) : 0; more > 0; more--) {
            run_items(&t);
            if (below(&t, 2) == 0) {
                run_groups(&t);
            }
        }
        if (gf_races_found(t.m.races) != t.raced) {
            fail_msg("seed %llu%s: %s", (unsigned long long)seed, back ? ", back" : "",
                     t.raced ? "a race was missed" : "a race that is none");
        }
        gf_races_barrier(&t.m);
        t.m.foralls = 0;
        t.count = 0;
        memset(t.epochs, 0, sizeof t.epochs);
    }
    assert_false(t.m.no_memory);
    gf_races_destroy(t.m.races);
    return t.raced;
}

static void all_pairs(void **state) {
    (void)state;
    size_t raced = 0, trials = 200000;
    for (uint64_t seed = 0; seed < trials; seed++) {
        raced += attempt(seed, seed % 2 == 0);
    }
    /* Neither side is rare. */
    assert_in_range(raced, trials / 4, trials - trials / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
