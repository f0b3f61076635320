/* Calls of the builder in any order, with names that exist, that do not and that are none, with expressions of earlier
 * calls, NULL among them, and with huge numbers. What is finished prints, and its text is a right program too. */
#include "base/memory.h"
#include "bytes.h"
#include <gridfence/build.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KEPT = 16, MOST_CALLS = 400 };

typedef struct state {
    bytes in;
    gf_builder *b;
    const gf_build_expr *kept[KEPT];
    unsigned next;
} state;

static const char *name(state *s) {
    static const char *const names[] = {"n", "a",    "b",   "s", "f", "x",   "y", "i",
                                        "o", "gf_x", "for", "",  "1", "a b", NULL};
    return names[take(&s->in) % (sizeof names / sizeof *names)];
}

static const char *word(state *s) {
    static const char *const words[] = {"+",
                                        "-",
                                        "*",
                                        "/",
                                        "%",
                                        "&&",
                                        "||",
                                        "<",
                                        "==",
                                        "!",
                                        "~",
                                        "<<",
                                        "min",
                                        "select",
                                        "fma",
                                        "sqrt",
                                        "pow",
                                        "add",
                                        "or",
                                        "max",
                                        "gid.x",
                                        "lid.linear",
                                        "wid.y",
                                        "space.z",
                                        "rank",
                                        "gid",
                                        "atomic_add",
                                        "atomic_load",
                                        "atomic_compare_exchange",
                                        "group_add",
                                        "grid_any",
                                        "grid_load",
                                        "grid_scan_add",
                                        "no such",
                                        "",
                                        NULL};
    return words[take(&s->in) % (sizeof words / sizeof *words)];
}

static gf_type type(state *s) {
    unsigned chosen = take(&s->in);
    return (gf_type)(chosen % 4 == 0 ? (int)chosen - 100 : chosen % 4 == 1 ? GF_TYPE_F32 : GF_TYPE_U32);
}

static const gf_build_expr *expr(state *s) {
    unsigned which = take(&s->in);
    return which == 0 ? NULL : s->kept[which % KEPT];
}

static void keep(state *s, const gf_build_expr *made) {
    s->kept[s->next++ % KEPT] = made;
}

static void make_expr(state *s, unsigned call) {
    gf_builder *b = s->b;
    const gf_build_expr *arguments[3] = {expr(s), expr(s), expr(s)};
    const char *text = word(s), *called = name(s);
    double real;
    uint64_t bits = take_u64(&s->in);
    memcpy(&real, &bits, sizeof real);
    switch (call % 20) {
    case 0:
        keep(s, gf_build_integer(b, bits));
        break;
    case 1:
        keep(s, gf_build_integer(b, bits % 9));
        break;
    case 2:
        keep(s, gf_build_real(b, real));
        break;
    case 3:
        keep(s, gf_build_bool(b, bits % 2 != 0));
        break;
    case 4:
        keep(s, gf_build_i32(b, (int32_t)bits));
        break;
    case 5:
        keep(s, gf_build_i64(b, (int64_t)bits));
        break;
    case 6:
        keep(s, gf_build_f32(b, (float)real));
        break;
    case 7:
        keep(s, gf_build_f64(b, real));
        break;
    case 8:
        keep(s, gf_build_name(b, called));
        break;
    case 9:
        keep(s, gf_build_builtin(b, text));
        break;
    case 10:
        keep(s, gf_build_len(b, called));
        break;
    case 11:
        keep(s, gf_build_load(b, called, arguments[0]));
        break;
    case 12:
        keep(s, gf_build_op1(b, text, arguments[0]));
        break;
    case 13:
        keep(s, gf_build_op2(b, text, arguments[0], arguments[1]));
        break;
    case 14:
        keep(s, gf_build_op3(b, text, arguments[0], arguments[1], arguments[2]));
        break;
    case 15:
        keep(s, gf_build_cast(b, type(s), arguments[0]));
        break;
    case 16:
        keep(s, gf_build_bitcast(b, type(s), arguments[0]));
        break;
    case 17:
        keep(s, gf_build_atomic(b, text, called, arguments[0], arguments[1], arguments[2]));
        break;
    case 18:
        keep(s, gf_build_cross(b, text, arguments[0]));
        break;
    case 19:
        keep(s, gf_build_call(b, called, arguments, bits % 4));
        break;
    }
}

static void make_declaration(state *s, unsigned call) {
    gf_builder *b = s->b;
    switch (call % 14) {
    case 0:
        (void)gf_build_const(b, type(s), name(s), expr(s));
        break;
    case 1:
        (void)gf_build_param(b, type(s), name(s), expr(s));
        break;
    case 2:
        (void)gf_build_buffer(b, (gf_buffer_role)(take(&s->in) % 6), type(s), name(s), expr(s));
        break;
    case 3:
        (void)gf_build_returns(b, name(s), expr(s), expr(s));
        break;
    case 4:
        (void)gf_build_shared(b, type(s), name(s), expr(s));
        break;
    case 5:
        (void)gf_build_function(b, type(s), name(s));
        break;
    case 6:
        (void)gf_build_argument(b, type(s), name(s));
        break;
    case 7:
        (void)gf_build_kernel(b);
        break;
    case 8:
        (void)gf_build_space(b, expr(s), expr(s), expr(s));
        break;
    case 9:
        (void)gf_build_groups(b, expr(s), expr(s), expr(s));
        break;
    case 10:
        (void)gf_build_indirect(b, name(s), expr(s));
        break;
    case 11:
        (void)gf_build_workgroup(b, expr(s), expr(s), expr(s));
        break;
    case 12:
        (void)gf_build_fixpoint(b, expr(s));
        break;
    case 13:
        (void)gf_build_watch(b, name(s));
        break;
    }
}

static void make_statement(state *s, unsigned call) {
    gf_builder *b = s->b;
    switch (call % 33) {
    case 0:
        (void)gf_build_let(b, name(s), expr(s));
        break;
    case 1:
        (void)gf_build_var(b, type(s), name(s), expr(s));
        break;
    case 2:
        (void)gf_build_var_array(b, type(s), name(s), expr(s));
        break;
    case 3:
        (void)gf_build_assign(b, name(s), word(s), expr(s));
        break;
    case 4:
        (void)gf_build_store(b, name(s), expr(s), word(s), expr(s));
        break;
    case 5:
        (void)gf_build_do(b, expr(s));
        break;
    case 6:
        (void)gf_build_swap(b, name(s), name(s));
        break;
    case 7:
        (void)gf_build_converged(b, expr(s));
        break;
    case 8:
        (void)gf_build_if(b, expr(s));
        break;
    case 9:
        (void)gf_build_else(b);
        break;
    case 10:
        (void)gf_build_for(b, name(s), expr(s), expr(s), expr(s));
        break;
    case 11:
        (void)gf_build_while(b, expr(s));
        break;
    case 12:
        (void)gf_build_loop(b);
        break;
    case 13:
        (void)gf_build_forall(b, name(s), expr(s), expr(s));
        break;
    case 14:
        (void)gf_build_region(b, name(s));
        break;
    case 15:
        (void)gf_build_block(b);
        break;
    case 16:
    case 17:
    case 18:
        (void)gf_build_end(b);
        break;
    case 19:
        (void)gf_build_together(b, take(&s->in) % 2 != 0);
        break;
    case 20:
        (void)gf_build_reduce(b, word(s), name(s));
        break;
    case 21:
        (void)gf_build_break(b);
        break;
    case 22:
        (void)gf_build_continue(b);
        break;
    case 23:
        (void)gf_build_return(b, expr(s));
        break;
    case 24:
        (void)gf_build_barrier(b);
        break;
    case 25:
        (void)gf_build_grid_barrier(b);
        break;
    case 26:
        (void)gf_build_assert(b, expr(s), name(s));
        break;
    case 27:
        (void)gf_build_trap(b, name(s), expr(s));
        break;
    case 28:
        (void)gf_build_all_reduce(b, name(s), word(s));
        break;
    case 29:
        (void)gf_build_reduce_scatter(b, name(s), name(s), word(s));
        break;
    case 30:
        (void)gf_build_broadcast(b, name(s), expr(s));
        break;
    case 31:
        (void)gf_build_copy_async(b, name(s), expr(s), name(s), expr(s), expr(s), name(s));
        break;
    case 32:
        (void)gf_build_wait(b, name(s));
        break;
    }
}

static void finish(state *s, gf_diags *diags) {
    gf_program *program = gf_build_finish(s->b, diags);
    if (program == NULL) {
        if (s->b != NULL && gf_diags_error_count(diags) == 0) {
            abort(); /* an error without a message */
        }
        return;
    }
    char *text = gf_program_text(program, diags);
    gf_program *again = text != NULL ? gf_program_parse(text, strlen(text), "built", diags) : NULL;
    if (again == NULL) {
        fprintf(stderr, "%s", text != NULL ? text : "no text\n");
        gf_diags_print(diags, stderr);
        abort();
    }
    gf_free(text);
    gf_program_destroy(again);
    gf_program_destroy(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gf_diags *diags = gf_diags_create();
    state s = {.in = {.at = data, .left = size}};
    unsigned first = take(&s.in);
    s.b = gf_build_program(first % 16 == 15 ? name(&s) : "p", diags);
    for (unsigned i = 0; i < MOST_CALLS && s.in.left > 0; i++) {
        unsigned kind = take(&s.in), call = take(&s.in);
        switch (kind % 8) {
        case 0:
        case 1:
        case 2:
            make_expr(&s, call);
            break;
        case 3:
        case 4:
            make_declaration(&s, call);
            break;
        case 5:
        case 6:
            make_statement(&s, call);
            break;
        case 7:
            if (kind > 240) {
                finish(&s, diags);
            } else {
                make_statement(&s, call);
            }
            break;
        }
    }
    finish(&s, diags);
    gf_build_destroy(s.b);
    gf_diags_destroy(diags);
    return 0;
}
