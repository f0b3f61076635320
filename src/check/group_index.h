/* Which elements the invocations of a workgroup may reach by an index, as far as arithmetic shows:
 *
 *     index = by_group . wid + by_lane . lid + by_linear * gid.linear + base_factor * base + [low, high]
 *
 * where `base` is one value of the launch, such as a param; gid.linear stands for itself where there are several axes.
 * Wrapping is left out of account. */
#ifndef GF_CHECK_GROUP_INDEX_H
#define GF_CHECK_GROUP_INDEX_H

#include "ir/ir.h"

typedef struct group_index {
    bool is_known;
    int64_t by_group[3], by_lane[3], by_linear;
    const gf_expr *base; /* NULL: none */
    int64_t base_factor;
    int64_t low, high;
} group_index;

/* The ids that an expression is made of. What a workgroup shares, as its arrays, counts as WID; OTHER: it differs by
 * invocation in a way of its own. */
enum { INDEX_LID = 1, INDEX_GID = 2, INDEX_WID = 4, INDEX_OTHER = 8 };
unsigned char gf_check_ids_in(const unsigned char *of_names, const gf_expr *expr); /* of_names: by symbol id */

/* What is known at a place of the program. */
typedef struct index_scope {
    int64_t group[3];                  /* invocations of a workgroup, by axis */
    int64_t groups[3];                 /* workgroups, by axis; 0: not known */
    size_t axes;                       /* of the space */
    int64_t lane_low[3], lane_high[3]; /* lids that come here */
    group_index *names;                /* of locals, by symbol id */
    const unsigned char *ids;          /* the same: which ids are in them */
} index_scope;

typedef enum index_overlap {
    INDEX_APART,  /* invocations of different workgroups never meet there */
    INDEX_SHARED, /* some do */
    INDEX_UNSURE,
} index_overlap;

void gf_check_index_scope(index_scope *scope, const gf_kernel_decl *kernel, group_index *names,
                          const unsigned char *ids);
/* Whether there is more than one workgroup on that axis, as far as is known. */
bool gf_check_has_groups(const index_scope *scope, int axis);
group_index gf_check_group_index(const index_scope *scope, const gf_expr *expr);
bool gf_check_differs_by_group(const group_index *index);
/* Of the variable of a for. */
group_index gf_check_loop_index(const index_scope *scope, const gf_stmt *loop);
/* The same with the lids of this place put in: the by_lane are 0. */
group_index gf_check_settle_lanes(const index_scope *scope, group_index index);
bool gf_check_is_same_index(const group_index *a, const group_index *b);
/* The lids of both are settled. */
index_overlap gf_check_index_overlap(const index_scope *scope, const group_index *a, const group_index *b);
/* Narrows the lids by a condition without `&&`, `||` and `!` that holds here (or does not); false: it asks for lids in
 * a way that is not understood. */
bool gf_check_narrow_lanes(index_scope *scope, const gf_expr *condition, bool holds);

#endif
