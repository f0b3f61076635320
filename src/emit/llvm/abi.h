/* What compiled code and the one who runs it agree on. Everything is 64 bits wide, so that both sides count alike. */
#ifndef GF_EMIT_LLVM_ABI_H
#define GF_EMIT_LLVM_ABI_H

#include <stdint.h>

/* What stands in place of an invocation where nothing has been recorded. */
#define GF_ABI_NOBODY UINT64_MAX

typedef enum gf_abi_event {
    GF_ABI_TRAP,   /* trap or failed assert */
    GF_ABI_BOUNDS, /* checked code: an access outside its array */
    GF_ABI_DIVISION,
} gf_abi_event;

/* One per thread. Of what an invocation did wrong the one with the lowest linear id stays; `place` says where: see
 * gf_llvm_places. */
typedef struct gf_abi_worker {
    const volatile int *stop; /* nonzero once the run should end */
    void *group_memory;       /* gf_llvm_segment.group_bytes, aligned to 64 */
    uint64_t culprit;         /* linear id; GF_ABI_NOBODY */
    uint64_t event, place;
    uint64_t value;   /* address of a trap; index of an access */
    uint64_t count;   /* length of the array */
    uint64_t changed; /* a tracked buffer got another value */
} gf_abi_worker;

/* The arguments of one launch of a segment: space, workgroups per axis, how many invocations have one result of a fused
 * reduction (at most gf_llvm_reduce.block; ranges begin at multiples of it), then params in order of declaration, then
 * for each buffer its address and its length, then for each fused reduction the address of its results. If it is less
 * than gf_llvm_reduce.block, reductions in a fixed order leave their values there, one per invocation, unfolded. Last
 * of all, for each of gf_llvm_segment.largest the largest element of that buffer, or UINT64_MAX where it is not known.
 */
#define GF_ABI_SPACE 0
#define GF_ABI_GROUPS 3
#define GF_ABI_BLOCK 6
#define GF_ABI_PARAMS 7

/* Runs the units begin <= u < end: invocations by linear id, or workgroups where the segment is one of groups. */
typedef void gf_abi_segment(const uint64_t *args, gf_abi_worker *worker, uint64_t begin, uint64_t end);

typedef struct gf_abi_buffer {
    void *data;
    uint64_t count;
} gf_abi_buffer;

/* What a scalar expression of the plan sees. */
typedef struct gf_abi_scalars {
    const uint64_t *params;
    const uint64_t *registers;
    const gf_abi_buffer *buffers; /* of the plan, by index */
    gf_abi_worker *worker;        /* where checked code records what it did wrong */
    uint64_t space[3], groups[3];
} gf_abi_scalars;

typedef uint64_t gf_abi_scalar(const gf_abi_scalars *scalars);

#endif
