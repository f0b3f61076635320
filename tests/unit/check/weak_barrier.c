/* A barrier of the workgroup where one of the grid was meant: when the warning comes, and when it does not. */
#include "check/check.h"
#include "check/group_index.h"
#include "ir/program.h"

#include "unit/unit.h"

#define HEAD                                                                                                           \
    "program p;\nparam u32 n;\nparam u32 m;\nin u32 perm[n];\ninout u32 y[n];\nout u32 x[n];\nshared u32 w[64];\n"     \
    "fn put(u32 i, u32 v) { y[i] = v; }\nfn u32 get(u32 i) { return y[i]; }\n"

static gf_program *parse(const char *text, size_t *warnings) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "p.gf", diags);
    if (program == NULL) {
        gf_diags_print(diags, stderr);
        fail_msg("refused: %s", text);
    }
    size_t found = 0;
    gf_diag diag;
    for (size_t i = 0; gf_diags_get(diags, i, &diag); i++) {
        if (strcmp(diag.name, "weak-barrier") == 0) {
            assert_int_equal(diag.note_count, 2);
            found++;
        }
    }
    *warnings = found;
    gf_diags_destroy(diags);
    return program;
}

static void run(const char *kernel, const char *body, size_t expected) {
    char text[4096];
    snprintf(text, sizeof text, HEAD "kernel %s {\n%s\n}\n", kernel, body);
    size_t found;
    gf_program *program = parse(text, &found);
    gf_program_destroy(program);
    if (found != expected) {
        fail_msg("%zu warnings, not %zu: kernel %s { %s }", found, expected, kernel, body);
    }
}

static const char *const many = "groups(n) workgroup(64)";

static void warned(void **state) {
    (void)state;
    /* Neighbours, mirrors, gathers, one element for all. */
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x + 1];", 1);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[n - 1 - gid.x];", 1);
    run(many, "let i = gid.x; let v = i - 1; y[i] = 1; barrier; x[i] = y[v];", 1);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[perm[gid.x]];", 1);
    run(many, "y[perm[gid.x]] = 1; barrier; x[gid.x] = y[gid.x];", 1);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[0];", 1);
    run(many, "if gid.x == 0 { y[0] = 1; } barrier; x[gid.x] = y[0];", 1);
    run(many, "if gid.x == 0 { y[5] = 1; } barrier; if gid.x == 64 { x[0] = y[5]; }", 1);
    run(many, "y[gid.x] = 1; barrier; for e in perm[gid.x] .. perm[gid.x + 1] { x[gid.x] += y[e]; }", 1);
    run(many, "y[gid.x] = 1; barrier; var u32 s = 0; for k in 0 .. n { s += y[k]; } x[gid.x] = s;", 1);
    run(many, "y[gid.x ^ 64] = 1; barrier; x[gid.x] = y[gid.x];", 1);
    /* A result per workgroup, gathered by one of them. */
    run(many, "if lid.x == 0 { y[wid.x] = 1; } barrier; if lid.x == 0 { for k in 0 .. 4 { x[0] += y[k]; } }", 1);
    run(many, "if lid.x == 0 { y[wid.x] = 1; } barrier; x[gid.x] = y[lid.x];", 1);
    run(many, "y[gid.x] = 1; barrier; if lid.x == 0 { x[wid.x] = y[wid.x]; }", 1);
    /* A guard that leaves the last lane its neighbour. */
    run(many, "y[gid.x] = 1; barrier; if lid.x < 64 { x[gid.x] = y[gid.x + 1]; }", 1);
    run(many, "y[gid.x] = 1; barrier; if gid.x + 1 < n { x[gid.x] = y[gid.x + 1]; }", 1);
    /* Any barrier of the workgroup, whoever hides it; any access. */
    run(many, "y[gid.x] = 1; let s = group_add(1); x[gid.x] = y[gid.x + 1] + s;", 1);
    run(many, "y[gid.x] = 1; group if w[0] == 0 { x[gid.x] = 2; } x[gid.x] = y[gid.x + 1];", 1);
    run(many, "atomic_add(y[0], 1); barrier; x[gid.x] = y[0];", 1);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = atomic_load(y[gid.x + 1]);", 1);
    run(many, "put(gid.x, 1); barrier; x[gid.x] = get(gid.x + 1);", 1);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = select(m == 1, y[gid.x + 1], 0);", 1);
    run(many, "y[gid.x] = 1; barrier; if m == 1 && y[gid.x + 1] == 2 { x[gid.x] = 1; }", 1);
    run(many, "if lid.x == 0 { copy_async(y, gid.x, perm, gid.x, 65, t); wait(t); } barrier; x[gid.x] = y[gid.x];", 1);
    run(many, "y[gid.x] = 1; barrier; if lid.x == 0 { copy_async(x, gid.x, y, gid.x, 65, t); wait(t); }", 1);
    /* First the read, then the write. */
    run(many, "x[gid.x] = y[gid.x + 1]; barrier; y[gid.x] = 1;", 1);
    run(many, "let v = y[gid.x + 1]; barrier; y[gid.x] += v;", 1);
    /* Over the back edge of a loop of the workgroup. */
    run(many, "for t in 0 .. 4 { x[gid.x] = y[gid.x + 1]; barrier; x[gid.x] = 0; y[gid.x] = t; }", 1);
    run(many, "group for t in 0 .. 4 { x[gid.x] = y[gid.x + 1]; y[gid.x] = t; }", 1);
    run(many, "group while w[0] < 4 { if lid.x == 0 { w[0] += 1; y[wid.x] = 1; } x[gid.x] = y[0]; }", 1);
    /* Several axes. */
    run("groups(n, n) workgroup(8, 8)", "y[gid.x] = 1; barrier; x[gid.linear] = y[gid.x];", 1);
    run("groups(n, n) workgroup(8, 8)", "y[gid.linear] = 1; barrier; x[gid.linear] = y[gid.linear + 1];", 1);
    run("groups(n, n) workgroup(8, 8)", "y[gid.linear * 4] = 1; barrier; x[gid.linear] = y[gid.linear * 4 + 4];", 1);
    run("(n, 3) workgroup(8, 2)", "y[gid.linear] = 1; barrier; x[gid.linear] = y[n * 3 - 1 - gid.linear];", 1);
    run("groups(1, n) workgroup(8, 8)", "y[gid.y] = 1; barrier; x[gid.linear] = y[gid.y + 1];", 1);
    /* Once for each buffer. */
    run(many,
        "y[gid.x] = 1; x[gid.x] = 1; barrier; let a = y[gid.x + 1] + y[gid.x + 2]; let b = x[0]; x[gid.x] = a + b;", 2);
}

static void silent(void **state) {
    (void)state;
    /* One's own, one's workgroup's. */
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[wid.x * 64 + 63 - lid.x];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x - lid.x + (lid.x + 1) % 64];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x ^ 63];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x & ~63];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x / 64 * 64];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[wid.x * group_size.x + ((lid.x + 1) & 63)];", 0);
    run(many, "let first = wid.x << 6; y[gid.x] = 1; barrier; for k in 0 .. 64 { x[gid.x] += y[first + k]; }", 0);
    run(many, "y[gid.x] = 1; barrier; for k in wid.x * 64 .. wid.x * 64 + 64 { x[gid.x] += y[k]; }", 0);
    run(many, "y[gid.x * 2] = 1; y[gid.x * 2 + 1] = 2; barrier; x[gid.x] = y[wid.x * 128 + 127 - lid.x];", 0);
    run(many, "if lid.x == 0 { y[wid.x] = 1; } barrier; x[gid.x] = y[wid.x];", 0);
    run(many, "y[m + gid.x] = 1; barrier; x[gid.x] = y[m + (gid.x ^ 1)];", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[wid.x * 64 + perm[lid.x] % 64];", 0);
    /* Neighbours inside the workgroup. */
    run(many, "y[gid.x] = 1; barrier; if lid.x > 0 { x[gid.x] = y[gid.x - 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; if lid.x < 63 { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; if lid.x + 1 < group_size.x { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; if lid.x == 63 || gid.x == 7 { } else { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; if !(lid.x >= 63) { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; if !(lid.x == 63 || m == 2) { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; let last = lid.x == 63; if !last { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = select(lid.x != 63, y[gid.x + 1], 0);", 0);
    run(many, "y[gid.x] = 1; barrier; if lid.x != 0 && y[gid.x - 1] == 1 { x[gid.x] = 1; }", 0);
    run(many, "for k in 0 .. 6 { let h = 32 >> k; if lid.x < h { y[gid.x] += y[gid.x + h]; } barrier; }", 0);
    /* One workgroup. */
    run("groups(1) workgroup(64)", "y[gid.x] = 1; barrier; x[gid.x] = y[63 - gid.x];", 0);
    run("(64) workgroup(64)", "y[gid.x] = 1; barrier; x[gid.x] = y[63 - gid.x];", 0);
    run(many, "if wid.x == 0 { y[lid.x] = 1; } barrier; if wid.x == 0 { x[gid.x] = y[63 - lid.x]; }", 0);
    run(many, "if gid.x == 0 { y[5] = 1; } barrier; if gid.x == 9 { x[0] = y[5]; }", 0);
    run(many, "group if wid.x == 0 { y[0] = 1; } else { barrier; x[gid.x] = y[0]; }", 0);
    /* A grid barrier, whoever hides it; no barrier at all; nothing written; atomics alone. */
    run(many, "y[gid.x] = 1; barrier; grid_barrier; x[gid.x] = y[gid.x + 1];", 0);
    run(many, "y[gid.x] = 1; barrier; let s = grid_add(1); x[gid.x] = y[gid.x + 1] + s;", 0);
    run(many, "y[gid.x] = 1; barrier; let s = grid_load(y[5]); x[gid.x] = s;", 0);
    run(many, "y[gid.x] = 1; barrier; swap(x, y); x[gid.x] = y[gid.x + 1];", 0);
    run(many, "y[gid.x] = 1; barrier; grid if m == 1 { x[gid.x] = y[gid.x + 1]; }", 0);
    run(many, "grid for t in 0 .. 4 { x[gid.x] = y[gid.x + 1]; grid_barrier; y[gid.x] = t; barrier; }", 0);
    run(many, "barrier; y[gid.x] = 1; x[gid.x] = y[gid.x + 1];", 0);
    run(many, "w[lid.x] = 1; barrier; x[gid.x] = perm[gid.x + 1] + w[63 - lid.x];", 0);
    run(many, "atomic_add(y[0], 1); barrier; x[gid.x] = atomic_load(y[0]);", 0);
    /* A place that an atomic gave, or that is the same on both sides. */
    run(many, "let at = atomic_add(x[0], 1); y[at] = 1; barrier; y[at] += 1;", 0);
    run(many, "let at = perm[gid.x]; y[at] = 1; barrier; y[at] += 1;", 0);
    run(many, "for k in gid.x .. n step m { y[k] = 1; } barrier; for k in gid.x .. n step m { x[k] = y[k]; }", 0);
    run("groups(n, n) workgroup(8, 8)", "let i = gid.y * m + gid.x; y[i] = 1; barrier; x[i] = y[i];", 0);
    run("groups(n, n) workgroup(8, 8)", "y[gid.linear] = 1; barrier; x[gid.linear] = y[gid.linear];", 0);
    run("groups(n, n) workgroup(8, 8)", "let i = gid.linear * 4; y[i + 3] = 1; barrier; x[i] = y[i + m % 4];", 0);
    run(many, "copy_async(y, gid.x * 4, perm, 0, min(m, 4), t); wait(t); barrier; x[gid.x] = y[gid.x * 4 + 3];", 0);
    run(many, "copy_async(y, gid.x * m, perm, 0, m, t); wait(t); barrier; x[gid.x] = y[gid.x * m];", 0);
    /* Parts of a buffer. */
    run(many, "y[gid.x] = 1; barrier; x[gid.x] = y[n + gid.x];", 0);
    run("groups(4) workgroup(64)", "y[gid.x] = 1; barrier; x[gid.x] = y[256 + lid.x];", 0);
    run(many, "if gid.x == 0 { y[m] = 1; } barrier; x[gid.x] = y[n];", 0);
}

/* ---- overlap, against all invocations ---- */

enum { GROUP = 8, GROUPS = 5, ALL = GROUP * GROUPS };

typedef struct maker {
    uint64_t random;
    char *text;
    size_t length;
} maker;

static unsigned below(maker *at, unsigned limit) {
    at->random = at->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((at->random >> 33) % limit);
}

static void say(maker *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at->text + at->length, text, length + 1);
    at->length += length;
}

/* Writes an expression and gives its value for each invocation. */
static void make(maker *at, int depth, uint32_t value[ALL]) {
    uint32_t other[ALL];
    unsigned form = below(at, depth > 0 ? 12 : 4), number = (unsigned[]){1, 2, 3, 4, 7, 8, 16, 24}[below(at, 8)];
    char digits[16];
    snprintf(digits, sizeof digits, "%u", number);
    static const char *const ids[] = {"gid.x", "lid.x", "wid.x"};
    static const char *const ops[] = {" + ", " - ", " * ", " / ", " % ", " & ", " ^ ", " | "};
    if (form < 3) {
        say(at, ids[form]);
    } else if (form == 3) {
        say(at, digits);
    }
    for (uint32_t i = 0; form < 4 && i < ALL; i++) {
        value[i] = (uint32_t[]){i, i % GROUP, i / GROUP, number}[form];
    }
    if (form < 4) {
        return;
    }
    unsigned op = form - 4;
    say(at, "(");
    make(at, depth - 1, value);
    say(at, ops[op]);
    if (op < 2) {
        make(at, depth - 1, other);
    } else {
        say(at, digits);
    }
    say(at, ")");
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t a = value[i], b = op < 2 ? other[i] : number;
        value[i] = (uint32_t[]){a + b, a - b, a * b, a / (b | !b), a % (b | !b), a & b, a ^ b, a | b}[op];
    }
}

static bool do_meet(const uint32_t *a, const uint32_t *b) {
    for (size_t i = 0; i < ALL; i++) {
        for (size_t k = 0; k < ALL; k++) {
            if (i / GROUP != k / GROUP && a[i] == b[k] && a[i] < 1u << 30) {
                return true;
            }
        }
    }
    return false;
}

static void overlaps(void **state) {
    (void)state;
    size_t counts[3] = {0}, loose = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        char text[4096] = "program p;\nout u32 x[64];\nkernel groups(5) workgroup(8) {\n x[";
        maker at = {.random = seed * 2 + 1, .text = text, .length = strlen(text)};
        uint32_t first[ALL], second[ALL];
        make(&at, 3, first);
        say(&at, "] = 0;\n x[");
        make(&at, 3, second);
        say(&at, "] = 1;\n}\n");
        size_t warnings;
        gf_program *program = parse(text, &warnings);
        const gf_kernel_decl *kernel = &program->checked->kernel;
        group_index names[1] = {{false}};
        unsigned char ids[1] = {0};
        index_scope scope;
        gf_check_index_scope(&scope, kernel, names, ids);
        group_index a = gf_check_settle_lanes(&scope, gf_check_group_index(&scope, kernel->body->items[0]->index));
        group_index b = gf_check_settle_lanes(&scope, gf_check_group_index(&scope, kernel->body->items[1]->index));
        index_overlap overlap = gf_check_index_overlap(&scope, &a, &b);
        counts[overlap]++;
        bool meet = do_meet(first, second);
        if (overlap == INDEX_APART && meet) {
            fail_msg("seed %llu: they meet, in %s", (unsigned long long)seed, text);
        }
        loose += overlap == INDEX_SHARED && !meet;
        gf_program_destroy(program);
    }
    /* It knows something, and where it says that they meet, most do, even of expressions that nobody would write. */
    assert_true(counts[INDEX_APART] > 1000);
    assert_true(counts[INDEX_SHARED] > 1000);
    assert_true(loose < counts[INDEX_SHARED] / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warned),
        cmocka_unit_test(silent),
        cmocka_unit_test(overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
