#include "modes.h"

const mode interpreter_modes[] = {
    {.name = "native", .strategy = GF_STRATEGY_NATIVE},
    {.name = "host", .strategy = GF_STRATEGY_HOST},
    {.name = "native, checked for races", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_NATIVE, .races = true},
    {.name = "native, formatted text", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_NATIVE, .formatted = true},
    {.name = "host, checked", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_HOST, .checked = true},
    {.name = "host, barriers kept",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_HOST,
     .plan = {.keep_barriers = true}},
    {.name = "host, empty stretches kept",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_HOST,
     .plan = {.keep_empty = true}},
    {.name = "host, all carried", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_HOST, .plan = {.all_carry = true}},
    {.name = "host, all kept and carried",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_HOST,
     .plan = {.all_carry = true, .keep_empty = true}},
    {.name = "host, all recomputed that may be",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_HOST,
     .plan = {.all_recompute = true}},
    {.name = "host, exits lowered", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_HOST, .plan = {.lower_exits = true}},
    {.name = "resident", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_RESIDENT},
    {.name = "resident, planned for many passes",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_RESIDENT,
     .plan = {.many_passes = true},
     .in_place = true},
    {.name = "host, cut at workgroup barriers",
     .when = WHEN_ONE_GROUP,
     .strategy = GF_STRATEGY_HOST,
     .plan = {.workgroup = true}},
    {.name = "host, cut there, all kept",
     .when = WHEN_ONE_GROUP,
     .strategy = GF_STRATEGY_HOST,
     .plan = {.workgroup = true, .keep_empty = true}},
};
const size_t interpreter_mode_count = sizeof interpreter_modes / sizeof *interpreter_modes;

const mode device_modes[] = {
    {.name = "native", .strategy = GF_STRATEGY_NATIVE},
    {.name = "resident, in place", .strategy = GF_STRATEGY_RESIDENT, .in_place = true},
    {.name = "persistent", .strategy = GF_STRATEGY_PERSISTENT},
    {.name = "host", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_HOST},
    {.name = "native, checked", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_NATIVE, .checked = true},
    {.name = "host, checked", .when = WHEN_IN_TURN, .strategy = GF_STRATEGY_HOST, .checked = true},
    {.name = "native, barriers kept",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_NATIVE,
     .plan = {.keep_barriers = true}},
    {.name = "native, empty stretches kept",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_NATIVE,
     .plan = {.keep_empty = true}},
    {.name = "resident, all carried",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_RESIDENT,
     .plan = {.all_carry = true}},
    {.name = "native, all recomputed that may be",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_NATIVE,
     .plan = {.all_recompute = true}},
    {.name = "native, exits lowered",
     .when = WHEN_IN_TURN,
     .strategy = GF_STRATEGY_NATIVE,
     .plan = {.lower_exits = true}},
};
const size_t device_mode_count = sizeof device_modes / sizeof *device_modes;

bool is_same_plan(const mode *a, const mode *b) {
    const gf_plan_options *x = &a->plan;
    const gf_plan_options *y = &b->plan;
    return !a->formatted && !b->formatted && x->keep_barriers == y->keep_barriers && x->keep_empty == y->keep_empty &&
           x->many_passes == y->many_passes && x->all_carry == y->all_carry && x->workgroup == y->workgroup &&
           x->lower_exits == y->lower_exits && x->all_recompute == y->all_recompute;
}
