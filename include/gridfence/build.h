/* gridfence/build.h - the same programs as text makes, made by calls.
 *
 *     gf_builder *b = gf_build_program("twice", diags);
 *     gf_build_param(b, GF_TYPE_U32, "n", NULL);
 *     gf_build_buffer(b, GF_BUFFER_INOUT, GF_TYPE_U32, "x", gf_build_name(b, "n"));
 *     gf_build_kernel(b);
 *     gf_build_space(b, gf_build_name(b, "n"), NULL, NULL);
 *     gf_build_store(b, "x", gf_build_builtin(b, "gid.x"), "*", gf_build_integer(b, 2));
 *     gf_build_end(b);
 *     gf_program *program = gf_build_finish(b, diags);
 *     gf_build_destroy(b);
 *
 * Names are the user's: references are by name, as in text, and are resolved when the program is finished. All strings
 * are copied. Expressions belong to the builder, live as long as it, and may be used more than once.
 *
 * Errors: whatever is wrong goes to the sink of gf_build_program, which must outlive the builder; the call then returns
 * false or NULL, later calls go on, and gf_build_finish fails. A NULL builder, or a NULL expression that an earlier
 * failed call gave, makes a call fail without a second message. What only the whole program shows (types, uniformity)
 * is told by gf_build_finish, with lines of the program's canonical text.
 *
 * Threads: a builder belongs to one thread at a time. */
#ifndef GRIDFENCE_BUILD_H
#define GRIDFENCE_BUILD_H

#include <gridfence/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_builder gf_builder;
typedef struct gf_build_expr gf_build_expr;

/* ---- the program ---- */

/* NULL without memory, or where the name is no identifier. */
GF_API gf_builder *gf_build_program(const char *name, gf_diags *diags);
/* Checks what was built and gives it as a program; NULL if it is wrong. The builder stays as it is, and is needed no
 * more by the program. */
GF_API gf_program *gf_build_finish(gf_builder *builder, gf_diags *diags);
GF_API void gf_build_destroy(gf_builder *builder);

/* ---- declarations, in the order in which they shall stand ---- */

GF_API bool gf_build_const(gf_builder *b, gf_type type, const char *name, const gf_build_expr *value);
/* `value`: the default, or NULL. */
GF_API bool gf_build_param(gf_builder *b, gf_type type, const char *name, const gf_build_expr *value);
/* `size` in elements; NULL: as long as what is bound (`[]`). */
GF_API bool gf_build_buffer(gf_builder *b, gf_buffer_role role, gf_type type, const char *name,
                            const gf_build_expr *size);
/* Hands back only elements from .. to of an out buffer that was declared before. */
GF_API bool gf_build_returns(gf_builder *b, const char *buffer, const gf_build_expr *from, const gf_build_expr *to);
/* A workgroup array. */
GF_API bool gf_build_shared(gf_builder *b, gf_type type, const char *name, const gf_build_expr *size);
/* Opens the body of a function, up to gf_build_end. GF_TYPE_NONE: it gives nothing back. Arguments come first. */
GF_API bool gf_build_function(gf_builder *b, gf_type type, const char *name);
GF_API bool gf_build_argument(gf_builder *b, gf_type type, const char *name);

/* Opens the body of the kernel, up to gf_build_end. What follows here comes before its first statement; without a space
 * the kernel is one invocation. */
GF_API bool gf_build_kernel(gf_builder *b);
/* Invocations, or whole workgroups, per axis; y and z may be NULL. */
GF_API bool gf_build_space(gf_builder *b, const gf_build_expr *x, const gf_build_expr *y, const gf_build_expr *z);
GF_API bool gf_build_groups(gf_builder *b, const gf_build_expr *x, const gf_build_expr *y, const gf_build_expr *z);
GF_API bool gf_build_indirect(gf_builder *b, const char *buffer, const gf_build_expr *index);
GF_API bool gf_build_workgroup(gf_builder *b, const gf_build_expr *x, const gf_build_expr *y, const gf_build_expr *z);
GF_API bool gf_build_fixpoint(gf_builder *b, const gf_build_expr *max_passes);
/* One more buffer of `on (...)`. */
GF_API bool gf_build_watch(gf_builder *b, const char *buffer);

/* ---- expressions ---- */

/* Literals without a type: they take that of their place, as in text. */
GF_API const gf_build_expr *gf_build_integer(gf_builder *b, uint64_t value);
GF_API const gf_build_expr *gf_build_real(gf_builder *b, double value);
/* Literals with a type, written as a cast: i32(-3). */
GF_API const gf_build_expr *gf_build_bool(gf_builder *b, bool value);
GF_API const gf_build_expr *gf_build_u32(gf_builder *b, uint32_t value);
GF_API const gf_build_expr *gf_build_i32(gf_builder *b, int32_t value);
GF_API const gf_build_expr *gf_build_u64(gf_builder *b, uint64_t value);
GF_API const gf_build_expr *gf_build_i64(gf_builder *b, int64_t value);
GF_API const gf_build_expr *gf_build_f32(gf_builder *b, float value);
GF_API const gf_build_expr *gf_build_f64(gf_builder *b, double value);

/* A const, param, local or argument. */
GF_API const gf_build_expr *gf_build_name(gf_builder *b, const char *name);
/* "gid.x", "lid.linear", "grid_size.y", "rank": as in text. */
GF_API const gf_build_expr *gf_build_builtin(gf_builder *b, const char *name);
GF_API const gf_build_expr *gf_build_len(gf_builder *b, const char *buffer);
GF_API const gf_build_expr *gf_build_load(gf_builder *b, const char *array, const gf_build_expr *index);
/* An operation by its spelling, with one, two or three operands: "-", "&&", "<=", "min", "select", "fma". */
GF_API const gf_build_expr *gf_build_op1(gf_builder *b, const char *op, const gf_build_expr *x);
GF_API const gf_build_expr *gf_build_op2(gf_builder *b, const char *op, const gf_build_expr *x, const gf_build_expr *y);
GF_API const gf_build_expr *gf_build_op3(gf_builder *b, const char *op, const gf_build_expr *x, const gf_build_expr *y,
                                         const gf_build_expr *z);
GF_API const gf_build_expr *gf_build_cast(gf_builder *b, gf_type type, const gf_build_expr *x);
GF_API const gf_build_expr *gf_build_bitcast(gf_builder *b, gf_type type, const gf_build_expr *x);
/* "atomic_add" and its kin on array[index]. `x` and `y` are its operands; NULL where it has fewer. */
GF_API const gf_build_expr *gf_build_atomic(gf_builder *b, const char *atomic, const char *array,
                                            const gf_build_expr *index, const gf_build_expr *x, const gf_build_expr *y);
/* "group_add", "grid_any", "grid_load" (of a load) and their kin. */
GF_API const gf_build_expr *gf_build_cross(gf_builder *b, const char *operation, const gf_build_expr *x);
GF_API const gf_build_expr *gf_build_call(gf_builder *b, const char *function, const gf_build_expr *const *arguments,
                                          size_t count);

/* ---- statements, into the body that is open ---- */

GF_API bool gf_build_let(gf_builder *b, const char *name, const gf_build_expr *value);
/* `value` NULL: zero. */
GF_API bool gf_build_var(gf_builder *b, gf_type type, const char *name, const gf_build_expr *value);
GF_API bool gf_build_var_array(gf_builder *b, gf_type type, const char *name, const gf_build_expr *size);
/* `op` is the "+" of `+=`; NULL for plain `=`. */
GF_API bool gf_build_assign(gf_builder *b, const char *name, const char *op, const gf_build_expr *value);
GF_API bool gf_build_store(gf_builder *b, const char *array, const gf_build_expr *index, const char *op,
                           const gf_build_expr *value);
/* An atomic or a call whose result is not wanted. */
GF_API bool gf_build_do(gf_builder *b, const gf_build_expr *value);
GF_API bool gf_build_swap(gf_builder *b, const char *first, const char *second);
GF_API bool gf_build_converged(gf_builder *b, const gf_build_expr *condition);

/* Each of these opens a body, up to gf_build_end. */
GF_API bool gf_build_if(gf_builder *b, const gf_build_expr *condition);
/* Closes the body of the `if` that is open and opens its other one; the same gf_build_end closes both. */
GF_API bool gf_build_else(gf_builder *b);
GF_API bool gf_build_for(gf_builder *b, const char *name, const gf_build_expr *from, const gf_build_expr *to,
                         const gf_build_expr *step); /* `step` may be NULL */
GF_API bool gf_build_while(gf_builder *b, const gf_build_expr *condition);
GF_API bool gf_build_loop(gf_builder *b);
GF_API bool gf_build_forall(gf_builder *b, const char *name, const gf_build_expr *from, const gf_build_expr *to);
GF_API bool gf_build_region(gf_builder *b, const char *label);
GF_API bool gf_build_block(gf_builder *b);
/* Closes what was opened last: a statement, function or kernel. */
GF_API bool gf_build_end(gf_builder *b);

/* Said of the if, for, while or loop just opened: the whole workgroup or grid takes it together (`grid while`). */
GF_API bool gf_build_together(gf_builder *b, bool grid);
/* One more `op NAME` of the forall just opened: "add", "min", "max", "and", "or". */
GF_API bool gf_build_reduce(gf_builder *b, const char *op, const char *variable);

GF_API bool gf_build_break(gf_builder *b);
GF_API bool gf_build_continue(gf_builder *b);
GF_API bool gf_build_return(gf_builder *b, const gf_build_expr *value); /* NULL: without one */
GF_API bool gf_build_barrier(gf_builder *b);
GF_API bool gf_build_grid_barrier(gf_builder *b);
GF_API bool gf_build_assert(gf_builder *b, const gf_build_expr *condition, const char *text);
GF_API bool gf_build_trap(gf_builder *b, const char *tag, const gf_build_expr *address);
GF_API bool gf_build_all_reduce(gf_builder *b, const char *buffer, const char *op);
GF_API bool gf_build_all_gather(gf_builder *b, const char *input, const char *output);
GF_API bool gf_build_reduce_scatter(gf_builder *b, const char *input, const char *output, const char *op);
GF_API bool gf_build_broadcast(gf_builder *b, const char *buffer, const gf_build_expr *root);
GF_API bool gf_build_copy_async(gf_builder *b, const char *to, const gf_build_expr *to_index, const char *from,
                                const gf_build_expr *from_index, const gf_build_expr *count, const char *tag);
GF_API bool gf_build_wait(gf_builder *b, const char *tag);

#ifdef __cplusplus
}
#endif
#endif
