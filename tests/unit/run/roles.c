/* Segments say of each buffer whether what is in it matters to them. Here is a device that takes them at their word:
 * what a segment only writes is zeros when it begins, and what it is sure to write whole is garbage. Every program must
 * give what it gives on the interpreter as it stands. */
#include "ir/program.h"
#include "plan/plan.h"
#include "run/interp_device.h"
#include "run_test.h"

typedef struct strict {
    gf_backend table;
    const gf_backend *interp;
    const gf_plan *plan; /* as the kernel makes it: says what is written whole */
} strict;

typedef struct strict_kernel {
    void *kernel;
    const gf_tree *tree;
    const gf_segment *segment;
} strict_kernel;

static bool open_strict(void *user, const char *which, void **device, gf_backend_limits *limits, gf_diags *diags) {
    strict *s = user;
    bool done = s->interp->open(NULL, which, device, limits, diags);
    *device = s;
    limits->host_memory = false;
    limits->grid_barrier = false;
    return done;
}

static void close_strict(void *device) {
    (void)device;
}

static void *alloc_strict(void *device, size_t bytes, gf_diags *diags) {
    (void)device;
    (void)diags;
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memset(memory, 0xab, bytes);
}

static void release_strict(void *device, void *memory) {
    (void)device;
    free(memory);
}

static bool upload_strict(void *device, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    (void)device;
    (void)diags;
    return memcpy((char *)memory + offset, data, bytes) != NULL;
}

static bool download_strict(void *device, const void *memory, size_t offset, void *data, size_t bytes,
                            gf_diags *diags) {
    (void)device;
    (void)diags;
    return memcpy(data, (const char *)memory + offset, bytes) != NULL;
}

static void *compile_strict(void *device, gf_program *program, gf_diags *diags) {
    const strict *s = device;
    strict_kernel *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->kernel = s->interp->compile(NULL, program, diags);
    made->tree = program->checked;
    for (size_t i = 0; i < s->plan->segment_count; i++) {
        if (strcmp(s->plan->segments[i]->tree->name, made->tree->name) == 0) {
            made->segment = s->plan->segments[i];
        }
    }
    assert_non_null(made->segment);
    return made;
}

static void discard_strict(void *device, void *kernel) {
    const strict *s = device;
    s->interp->discard(NULL, ((strict_kernel *)kernel)->kernel);
    free(kernel);
}

static bool launch_strict(void *device, void *kernel, const gf_backend_launch *launch, gf_backend_result *result,
                          gf_diags *diags) {
    const strict *s = device;
    const strict_kernel *k = kernel;
    assert_int_equal(launch->buffer_count, k->segment->buffer_count);
    for (size_t i = 0; i < launch->buffer_count; i++) {
        const gf_segment_buffer *buffer = &k->segment->buffers[i];
        const gf_backend_buffer *given = &launch->buffers[i];
        if (buffer->role == GF_ROLE_OUT && given->count > 0) {
            memset(given->memory, buffer->overwrites ? 0xa5 : 0,
                   (size_t)given->count * gf_type_bytes(buffer->symbol->type));
        }
    }
    return s->interp->launch(NULL, k->kernel, launch, result, diags);
}

/* ---- programs ---- */

#define HEAD "program roles;\nin u32 x[8];\nout u32 y[8];\nout u32 z[16];\ninout u32 b[8];\nscratch u32 a[8];\n"
#define BODY "kernel (8) workgroup(3) { let v = gid.x; "

static const char *const programs[] = {
    /* What a segment does not write of what an earlier one wrote. */
    HEAD BODY "y[v] = v + 1; a[7 - v] = v; grid_barrier; if a[v] < 3 { y[v] = 100; } }",
    HEAD BODY "z[v] = 1; z[v + 8] = 2; a[7 - v] = v; grid_barrier; z[v] = a[v]; }",
    HEAD BODY "if v % 2 == 0 { b[v] = 1; } grid_barrier; y[v] = b[7 - v]; }",
    HEAD BODY "y[v] = v + 1; a[7 - v] = v; grid_barrier; if a[v] == 2 { return; } y[v] = 50 + a[v]; }",
    HEAD BODY "y[v] = v + 1; a[7 - v] = v; grid_barrier; y[v] += a[v]; }",
    HEAD BODY "y[v] = v + 1; a[7 - v] = v; grid_barrier; y[v] = a[v] * 2; grid_barrier; z[v] = y[7 - v]; }",
    HEAD BODY "y[v] = v + 1; a[7 - v] = v; grid_barrier; y[7 - v] = a[v]; }",
    HEAD BODY "atomic_add(y[v % 2], 1); a[7 - v] = v; grid_barrier; atomic_add(y[a[v] % 2], 10); }",
    HEAD BODY "y[v] = 3; a[7 - v] = v; grid_barrier; if a[v] > 20 { trap(\"no\", v); } y[7 - a[v]] = 4; }",
    /* Turns of a loop, sides of an if, passes. */
    HEAD BODY "for k in 0 .. 5 { if v == 0 { y[k] = k + 1; } a[7 - v] = k; grid_barrier; z[v] += a[v]; } }",
    HEAD BODY "for k in 0 .. 4 { grid if k % 2 == 0 { y[k] = 1; } else { y[k + 1] = 2; } a[7 - v] = k; "
              "grid_barrier; z[v] += a[v]; } }",
    HEAD BODY "if b[0] == x[0] { y[v] = v + 1; } grid_barrier; if v == 0 { b[0] += 1; } grid_barrier; "
              "if b[0] > x[0] + 1 { y[0] = 70; } }",
    HEAD BODY "for k in 0 .. 4 { y[k] = 5; grid if k == 2 { return; } grid_barrier; z[k + 1] = y[k]; } z[0] = 1; }",
    HEAD BODY "var u32 k = 0; loop { y[k] = k + 9; grid if k == 3 { break; } a[7 - v] = k; grid_barrier; "
              "z[v] = a[v]; k += 1; } z[k + 8] = 1; }",
    HEAD BODY "var u32 t = b[7 - v]; for k in 0 .. x[1] - 1 { t = k; a[7 - v] = k; grid_barrier; z[v] = t + a[v]; } "
              "y[v] = t; }",
    HEAD BODY "grid if b[0] == 3 { if v == 0 { b[0] = 9; } y[v] = 5; return; } if v == 0 { y[0] = 7; } }",
    HEAD BODY
    "var u32 t = v; for k in 0 .. 5 { y[v] += t; a[7 - v] = k; grid if k % 2 == 1 { t = x[v] + k; continue; } "
    "grid_barrier; z[v] += t + a[v]; t = 2 * v; } }",
    HEAD BODY "y[v] = v; a[7 - v] = v; grid_barrier; z[v] = atomic_add(y[v], 1) + a[v]; y[v] = 7; }",
    HEAD BODY
    "grid if b[0] < 6 { if v == b[0] { y[v] = 5; } grid_barrier; if v == 0 { b[0] += 1; } return; } z[v] = 1; }",
    /* Names that trade storage. */
    HEAD BODY "a[v] = v + 1; grid_barrier; swap(a, y); if v == 0 { a[3] = 9; } grid_barrier; z[v] = y[7 - v]; "
              "z[v + 8] = a[v]; }",
    HEAD BODY "for k in 0 .. 3 { if v == k { a[v] = v + 1; } swap(a, y); } z[v] = y[7 - v]; z[v + 8] = a[v]; }",
    /* Foralls, of ranges that are the buffer and that are not. */
    HEAD BODY "forall i in 0 .. 8 { y[i] = u32(i) + 1; } grid_barrier; forall i in 2 .. 8 { y[i] = 60; } }",
    HEAD BODY "forall i in 0 .. 8 { y[i] = u32(i) + 1; } grid_barrier; forall i in 0 .. 5 { y[i] = 60; } }",
    HEAD BODY "forall i in 0 .. 8 { y[i] = u32(i) + 1; } grid_barrier; forall i in 0 .. 8 { if i == 3 { continue; } "
              "y[i] = 60; } }",
    HEAD BODY "forall i in 0 .. 8 { y[i] = u32(i) + 1; } grid_barrier; forall i in 0 .. 8 { y[7 - i] = x[i]; } }",
    HEAD BODY "var u32 s = 4; forall i in 1 .. 8 reduce(add s) { if i == 3 { continue; } s += x[i]; } y[v] = s; }",
    HEAD BODY "var u32 low = 900; var u32 s = 1; forall i in 0 .. 8 reduce(min low, add s) { if i == 3 { continue; } "
              "low = x[i]; s += 1; } y[v] = low + s; }",
    /* Hidden buffers: values that cross, returned invocations, operations of all, workgroup arrays. */
    HEAD BODY
    "var u32 t = x[v]; if v == 5 { return; } t += b[v]; grid_barrier; b[7 - v] = t; grid_barrier; y[v] = t + b[v]; "
    "grid_barrier; b[v] = t; }",
    HEAD BODY "let t = b[v]; if t > 40 { return; } grid_barrier; b[7 - v] = t; grid_barrier; y[v] = t; grid_barrier; "
              "let s = grid_add(t); let low = grid_min(t); z[v] = s + low; let at = grid_scan_add(t); z[v + 8] = at; }",
    HEAD "shared u32 w[4];\n" BODY
         "w[lid.x] = v + 1; grid_barrier; if lid.x == 0 { w[1] += 10; } grid_barrier; y[v] = w[(lid.x + 1) % 3]; }",
    HEAD
    "shared u32 w[4];\n" BODY
    "w[lid.x] = v + 1; grid_barrier; if v == 1 || v == 4 { return; } w[lid.x] = 7; grid_barrier; y[v] = w[lid.x]; }",
    HEAD "kernel (2, 4) workgroup(2, 3) { let v = gid.linear; let low = grid_min(x[v]); y[v] = low; "
         "if v == 2 { return; } let s = grid_add(x[v]); let high = grid_max(i32(x[v]) - 1000); z[v] = s + u32(high); "
         "let at = grid_scan_add(x[v]); z[v + 8] = at; }",
    /* Exits of the tree, which some devices want as registers and ifs. */
    HEAD BODY "for k in 0 .. 6 { grid if k % 2 == 1 { continue; } a[7 - v] = k; grid_barrier; y[k] += a[v] + 1; } }",
    HEAD BODY "for k in i32(6) .. i32(-1) step -2 { a[7 - v] = u32(k); grid_barrier; y[u32(k)] += a[v] + 1; } }",
    HEAD BODY "for k in 0 .. 5 step x[1] - 1 { a[7 - v] = k; grid_barrier; y[k] = 9; } z[v] = 1; }",
    HEAD BODY "var u32 k = 0; loop { a[7 - v] = k; grid_barrier; y[v] += a[v]; grid if k == 3 { return; } k += 1; } }",
    HEAD BODY "var u32 k = 0; while k < 3 { for j in 0 .. 4 { a[7 - v] = j; grid_barrier; y[v] += a[v]; "
              "grid if j == k { break; } z[v] += 1; } k += 1; z[v + 8] += k; } }",
    /* What a value is made of changes before it is used: beside it, behind the cut, further on, in the tree. */
    HEAD BODY "let t = b[v] + 1; b[v] = 50; a[7 - v] = v; grid_barrier; y[v] = t + a[v]; }",
    HEAD BODY "let t = b[7 - v]; a[7 - v] = v; grid_barrier; b[v] = 70 + v; y[v] = t + a[v]; }",
    HEAD BODY "let u = b[7 - v]; grid_barrier; b[v] = 70 + v; grid_barrier; let t = u + 1; a[7 - v] = v; grid_barrier; "
              "y[v] = t + a[v]; }",
    HEAD BODY "var u32 k = 1; let t = k + v; a[7 - v] = v; grid_barrier; k += 5; z[v] = k + a[v]; grid_barrier; "
              "y[v] = t + k; }",
    HEAD BODY "var u32 k = 1; let t = k + v; a[7 - v] = v; grid_barrier; if x[0] == 3 { k += 5; } z[v] = k + a[v]; "
              "grid_barrier; y[v] = t + k; }",
    HEAD BODY "var u32 k = 1; let t = k + v; k = grid_add(x[v]); y[v] = t + k; }",
    HEAD BODY "var u32 s = 1; let t = s + v; forall i in 0 .. 8 reduce(add s) { s += x[i]; } y[v] = t + s; }",
    HEAD BODY "var u32 k = 1; a[7 - v] = v; grid_barrier; z[v] = a[v]; let t = k + v; grid_barrier; a[7 - v] = v; "
              "if x[0] == 3 { k += 5; } z[v + 8] = k; grid_barrier; y[v] = t + k + a[v]; }",
    HEAD BODY "var u32 k = 1; a[7 - v] = v; grid_barrier; z[v] = a[v]; let t = k + v; k = grid_add(x[v]); "
              "y[v] = t + k; }",
    HEAD BODY "var u32 s = 1; a[7 - v] = v; grid_barrier; z[v] = a[v]; let t = s + v; "
              "forall i in 0 .. 8 reduce(add s) { s += x[i]; } y[v] = t + s; }",
    HEAD BODY "let t = b[v]; if t > 40 { return; } let low = grid_min(t); z[v] = low; }",
    /* Values that share memory: lives that come back, types of two widths. */
    HEAD BODY "var u32 t = b[7 - v]; grid_barrier; b[v] = v; grid_barrier; z[v] = t; let u = b[7 - v]; grid_barrier; "
              "b[v] = 2 * v; grid_barrier; y[v] = u; t = b[7 - v]; let w = b[v] * 3; grid_barrier; b[v] = 0; "
              "grid_barrier; y[v] += t * 100 + w; }",
    HEAD BODY "let t = b[7 - v]; grid_barrier; b[v] = v; grid_barrier; z[v] = t; let u = u64(b[7 - v]) << 33; "
              "grid_barrier; b[v] = 2 * v; grid_barrier; y[v] = u32(u >> 32); }",
    /* Returns inside a construct that is not come to, and beside more. */
    HEAD BODY "grid if x[0] == 99 { if x[v] > 4 { return; } a[7 - v] = 1; grid_barrier; z[v] = a[v]; } y[v] = 1; }",
    HEAD BODY "if x[v] > 4 { return; } else { z[v] = 5; } a[7 - v] = 1; grid_barrier; y[v] = a[v] + 1; }",
    HEAD BODY "if x[v] > 4 { z[v] = 6; return; } a[7 - v] = 1; grid_barrier; y[v] = a[v] + 1; }",
    HEAD "shared u32 w[4];\n" BODY "w[lid.x] = 5 + v; grid_barrier; let t = atomic_max(w[lid.x], 3); y[v] = t; }",
    HEAD BODY "grid if x[0] == 3 { all_gather(x, b); } y[v] = b[7 - v]; }",
    HEAD BODY "b[7 - v] = v; all_gather(x, z); z[8 + v] += 1; y[v] = z[7 - v]; }",
    HEAD BODY "copy_async(b, 2, x, 0, select(v == 0, 3, 0), \"t\"); wait(\"t\"); grid_barrier; y[v] = b[v]; }",
};

static const gf_plan_options forms[] = {
    {.many_passes = true},
    {.many_passes = true, .keep_barriers = true},
    {.many_passes = true, .all_carry = true},
    {.many_passes = true, .lower_exits = true},
    {.keep_barriers = true}, /* of one pass */
};
enum { FORMS = sizeof forms / sizeof *forms };

static bool run_program(const char *text, gf_device *device, gf_strategy strategy, const gf_plan_options *form,
                        uint64_t passes, strict *watched, uint32_t y[8], uint32_t z[16], uint32_t b[8]) {
    uint32_t x[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "roles.gf", diags);
    if (program == NULL) {
        gf_diags_destroy(diags);
        return false;
    }
    gf_plan *plan = gf_plan_create(program, form, diags);
    assert_non_null(plan);
    if (watched != NULL) {
        watched->plan = plan;
    }
    gf_kernel *kernel = gf_kernel_create(device, program, &(gf_kernel_options){.plan = *form}, diags);
    gf_bindings *bindings = gf_bindings_create(kernel);
    gf_bind_input(bindings, "x", x, sizeof x);
    gf_bind_output(bindings, "y", y, 8 * sizeof *y);
    gf_bind_output(bindings, "z", z, 16 * sizeof *z);
    for (uint32_t i = 0; i < 8; i++) {
        b[i] = 3 + 7 * i;
    }
    gf_bind_inout(bindings, "b", b, 8 * sizeof *b);
    bool done = gf_run(kernel, bindings, &(gf_run_options){.strategy = strategy, .max_passes = passes, .timeout = 20},
                       NULL, diags);
    if (!done) {
        show(diags);
    }
    assert_true(done);
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return true;
}

static void what_roles_promise(void **state) {
    (void)state;
    strict watched = {.interp = gf_interp_backend()};
    watched.table = (gf_backend){.version = GF_BACKEND_VERSION,
                                 .size = sizeof(gf_backend),
                                 .name = "strict",
                                 .open = open_strict,
                                 .close = close_strict,
                                 .alloc = alloc_strict,
                                 .release = release_strict,
                                 .upload = upload_strict,
                                 .download = download_strict,
                                 .compile = compile_strict,
                                 .discard = discard_strict,
                                 .launch = launch_strict};
    gf_device *interp = gf_device_open("interp", NULL);
    gf_device *device = gf_device_open_backend(&watched.table, &watched, "", NULL);
    assert_non_null(device);
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        for (uint64_t passes = 1; passes < 4; passes++) {
            uint32_t y[2][8], z[2][16], b[2][8];
            if (!run_program(programs[i], interp, GF_STRATEGY_NATIVE, &forms[0], passes, NULL, y[0], z[0], b[0])) {
                print_error("program %zu is not taken\n", i);
                wrong++;
                break;
            }
            for (size_t f = 0; f < FORMS && (passes == 1 || forms[f].many_passes); f++) {
                (void)run_program(programs[i], device, GF_STRATEGY_RESIDENT, &forms[f], passes, &watched, y[1], z[1],
                                  b[1]);
                if (memcmp(y[0], y[1], sizeof y[0]) != 0 || memcmp(z[0], z[1], sizeof z[0]) != 0 ||
                    memcmp(b[0], b[1], sizeof b[0]) != 0) {
                    print_error("program %zu differs, form %zu, %d passes:\n%s\n", i, f, (int)passes, programs[i]);
                    wrong++;
                }
            }
        }
    }
    assert_int_equal(wrong, 0);
    gf_device_destroy(device);
    gf_device_destroy(interp);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_roles_promise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
