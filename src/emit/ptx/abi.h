/* What PTX kernels and the one who launches them agree on.
 *
 * Kernels find what they work on in the module's constant array `gf_args`, of 64-bit words, which is written before a
 * run (ordered with its launches) and not while it runs; and in the state, memory of the device that belongs to the run.
 */
#ifndef GF_EMIT_PTX_ABI_H
#define GF_EMIT_PTX_ABI_H

#include <stdint.h>

/* Words of gf_args: the address of the state, the program's space and workgroups per axis, its params in order of
 * declaration as bits, then for each buffer of the plan its address and its length in elements. */
#define GF_PTX_ARGS_STATE 0
#define GF_PTX_ARGS_SPACE 1
#define GF_PTX_ARGS_GROUPS 4
#define GF_PTX_ARGS_PARAMS 7

/* Offsets in the state, in bytes. What different blocks write lies on lines of its own. */
#define GF_PTX_LINE 128
#define GF_PTX_STATE_LOCK 0    /* u32: who holds it writes the record */
#define GF_PTX_STATE_CULPRIT 8 /* u64: linear id of the invocation; UINT64_MAX: nobody */
#define GF_PTX_STATE_EVENT 16  /* u64: gf_ptx_event */
#define GF_PTX_STATE_PLACE 24  /* u64: number of the place */
#define GF_PTX_STATE_VALUE 32  /* u64: address of a trap as bits; index of an access */
#define GF_PTX_STATE_COUNT 40  /* u64: length of the array */

#endif
