/* Finds two accesses to one element by different invocations that nothing orders. Exact at the level of elements: what
 * is remembered of an element is enough to see a race with any later access. */
#ifndef GF_INTERP_RACES_H
#define GF_INTERP_RACES_H

#include "backend/interp/machine.h"

typedef enum gf_race_kind { GF_RACE_LOAD, GF_RACE_ATOMIC_LOAD, GF_RACE_ATOMIC, GF_RACE_STORE } gf_race_kind;

gf_races *gf_races_create(gf_machine *m); /* NULL without memory */
void gf_races_destroy(gf_races *races);
/* Notes an access by m->actor to a buffer or workgroup array, inside its bounds. Stores with the bits they leave. */
void gf_races_access(gf_machine *m, gf_race_kind kind, unsigned array, uint64_t index, uint64_t value, uint32_t where);
void gf_races_enter(gf_machine *m);   /* a workgroup begins a turn; sets m->epoch */
void gf_races_leave(gf_machine *m);   /* and ends it */
void gf_races_forall(gf_machine *m);  /* forall number m->foralls of the stretch begins */
void gf_races_barrier(gf_machine *m); /* a grid barrier: nothing before it races with anything behind it */
bool gf_races_found(const gf_races *races);
void gf_races_report(const gf_machine *m);

#endif
