/* Many runs in one process: programs, devices, sizes and strategies in turn at random, in line and aside, with failures
 * among them. Results are right to the end, and the process does not grow: memory of ours to the piece, the resident
 * set within GROWTH bytes, open files and threads exactly. 1,000 runs, or FAULTS_RUNS=10000 (then it shows how it
 * goes); FAULTS_SEED takes another order. */
#include "base/memory.h"
#include "draw.h"
#include "place.h"
#include <gridfence/gridfence.h>

#define MOST 4096 /* elements */
#define GROWTH ((size_t)8 << 20)
#define WARM 5 /* the first fifth of the runs makes what stays */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

static uint64_t sum_of(uint64_t n) {
    return n * (n - 1) / 2;
}

static uint64_t right_sum(uint64_t n, uint64_t i) {
    return sum_of(n) + i;
}

static uint64_t right_scan(uint64_t n, uint64_t i) {
    (void)n;
    return sum_of(i);
}

static uint64_t right_passes(uint64_t n, uint64_t i) {
    (void)n;
    (void)i;
    return 12;
}

static uint64_t right_reverse(uint64_t n, uint64_t i) {
    uint64_t last = i / 16 * 16 + 15;
    return last - i % 16 < n ? last - i % 16 : 0;
}

static uint64_t right_spread(uint64_t n, uint64_t i) {
    return 3 * ((i + 1) % n) + sum_of(n);
}

#define HEAD(name) "program " name ";\nparam u32 n;\nparam u32 bad = 4294967295;\nin u32 x[n];\nout u32 y[n];\n"
#define TRAP "    if gid.x == bad { trap(\"bad\", gid.x); }\n"

/* Each has n, x (x[i] = i) and y. */
static const struct {
    const char *text;
    uint64_t (*right)(uint64_t n, uint64_t i);
} programs[] = {
    {HEAD("sum") "kernel (n) {\n" TRAP "    let all = grid_add(x[gid.x]);\n    y[gid.x] = all + gid.x;\n}\n",
     right_sum},
    {HEAD("scan") "kernel (n) workgroup(64) {\n" TRAP "    let at = grid_scan_add(x[gid.x]);\n    y[gid.x] = at;\n}\n",
     right_scan},
    {HEAD("passes") "kernel (n) fixpoint(100) on (y) {\n" TRAP
                    "    y[gid.x] = min(y[gid.x] + 3, 12) + x[gid.x] * 0;\n}\n",
     right_passes},
    {HEAD("reverse") "shared u32 w[16];\nkernel groups((n + 15) / 16) workgroup(16) {\n" TRAP
                     "    w[lid.x] = select(gid.x < n, x[gid.x], 0);\n    barrier;\n"
                     "    y[gid.x] = w[15 - lid.x];\n}\n",
     right_reverse},
    {HEAD("spread") "scratch u32 s[n];\nkernel (n) {\n" TRAP
                    "    var u32 all = 0;\n    s[gid.x] = x[gid.x] * 3;\n    grid_barrier;\n"
                    "    forall i in 0 .. n reduce(add all) { all += x[i]; }\n"
                    "    y[gid.x] = s[(gid.x + 1) % n] + all;\n}\n",
     right_spread},
};
#define PROGRAMS (sizeof programs / sizeof programs[0])

static const char *const devices[] = {"interp", "cpu", "cuda"};
#define DEVICES (sizeof devices / sizeof devices[0])

typedef struct soak {
    gf_diags *diags;
    gf_device *device[DEVICES];
    gf_program *program[PROGRAMS];
    gf_kernel *kernel[DEVICES][PROGRAMS];
    gf_bindings *bindings[DEVICES][PROGRAMS];
    gf_buffer *buffer[DEVICES];
    uint64_t done, failed;
} soak;

static void drop_kernels(soak *s, size_t d) {
    for (size_t p = 0; p < PROGRAMS; p++) {
        gf_bindings_destroy(s->bindings[d][p]);
        gf_kernel_destroy(s->kernel[d][p]);
        s->bindings[d][p] = NULL;
        s->kernel[d][p] = NULL;
    }
}

static void drop_device(soak *s, size_t d) {
    drop_kernels(s, d);
    gf_buffer_destroy(s->buffer[d]);
    gf_device_destroy(s->device[d]);
    s->buffer[d] = NULL;
    s->device[d] = NULL;
}

static void drop_all(soak *s) {
    for (size_t d = 0; d < DEVICES; d++) {
        drop_device(s, d);
    }
    for (size_t p = 0; p < PROGRAMS; p++) {
        gf_program_destroy(s->program[p]);
        s->program[p] = NULL;
    }
    gf_diags_clear(s->diags);
}

/* What is not there is made; now and then something is made anew. */
static bool have(soak *s, size_t d, size_t p) {
    if (draw(50) == 0) {
        drop_kernels(s, d);
    }
    if (draw(200) == 0) {
        drop_device(s, d);
    }
    if (draw(20) == 0) {
        gf_program_destroy(s->program[p]);
        s->program[p] = NULL;
    }
    if (s->device[d] == NULL) {
        s->device[d] = gf_device_open_with(devices[d], &(gf_device_options){.threads = 2}, s->diags);
        s->buffer[d] = gf_buffer_create(s->device[d], MOST * sizeof(uint32_t), s->diags);
    }
    if (s->program[p] == NULL) {
        s->program[p] = gf_program_parse(programs[p].text, strlen(programs[p].text), "soak.gf", s->diags);
    }
    if (s->kernel[d][p] == NULL) {
        s->kernel[d][p] = gf_kernel_create(s->device[d], s->program[p], NULL, s->diags);
        s->bindings[d][p] = gf_bindings_create(s->kernel[d][p]);
    }
    return s->bindings[d][p] != NULL && s->buffer[d] != NULL;
}

/* How this one shall fail. */
typedef enum wish { WELL, BY_TRAP, BY_SIZE, BY_LIMIT, BY_TIME, BY_CANCEL, BY_MEMORY, WISHES } wish;

static bool run_in_some_way(gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options, gf_diags *diags) {
    if (draw(4) == 0) {
        return gf_run_wait(gf_run_async(kernel, bindings, options, diags), NULL, diags);
    }
    return gf_run(kernel, bindings, options, NULL, diags);
}

/* -1: any strategy. */
static void run_one(soak *s, size_t d, size_t p, wish w, int strategy) {
    static uint32_t x[MOST];
    static uint32_t y[MOST];
    static const gf_strategy strategies[] = {GF_STRATEGY_AUTO, GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT,
                                             GF_STRATEGY_HOST, GF_STRATEGY_PERSISTENT};
    gf_bindings *b = s->bindings[d][p];
    /* The GPU that is played is slow. */
    uint32_t n = 1 + draw(d == 2 ? 40 : draw(4) == 0 ? MOST : 200);
    bool on_device = draw(3) == 0;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 7;
    }
    gf_cancel *cancel = w == BY_CANCEL ? gf_cancel_create() : NULL;
    gf_cancel_request(cancel);
    gf_run_options options = {.strategy = strategies[strategy >= 0 ? (uint32_t)strategy : draw(d == 0 ? 4 : 5)],
                              .profile = draw(4) == 0,
                              .cancel = cancel,
                              .memory_limit = w == BY_LIMIT ? 1 : 0,
                              .timeout = w == BY_TIME ? 1e-9 : 0};
    gf_bind_u32(b, "n", n);
    gf_bind_u32(b, "bad", w == BY_TRAP ? draw(n) : UINT32_MAX);
    gf_bind_input(b, "x", x, n * sizeof *x);
    if (on_device && w == WELL) {
        gf_bind_buffer(b, "y", s->buffer[d]);
    } else {
        gf_bind_output(b, "y", y, w == BY_SIZE ? n * sizeof *y - 1 : n * sizeof *y);
    }
    if (w == BY_MEMORY) {
        (void)gf_memory_fail_at(1 + draw(40), draw(2) == 0);
    }
    bool done = run_in_some_way(s->kernel[d][p], b, &options, s->diags);
    (void)gf_memory_fail_at(0, false);
    gf_cancel_destroy(cancel);
    if (done && on_device && w == WELL) {
        done = gf_buffer_read(s->buffer[d], 0, y, n * sizeof *y, s->diags);
    }
    bool may_be_either = w == BY_MEMORY || w == BY_LIMIT;
    if (!may_be_either && done != (w == WELL)) {
        gf_diags_print(s->diags, stderr);
        fail_msg("%s, program %zu, wish %d, n %u: done %d", devices[d], p, (int)w, n, done);
    }
    for (uint32_t i = 0; i < n && (done || !on_device || w != WELL); i++) {
        assert_int_equal(y[i], done ? (uint32_t)programs[p].right(n, i) : 7);
    }
    s->done += done;
    s->failed += !done;
    gf_diags_clear(s->diags);
}

typedef struct size_now {
    uint64_t pieces;
    size_t resident, files, threads;
} size_now;

static size_t read_status(const char *key) {
    char line[256];
    size_t value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            value = strtoul(line + strlen(key), NULL, 10);
        }
    }
    (void)fclose(file);
    return value;
}

static size_now measure(void) {
    size_now now = {
        .pieces = gf_memory_live(), .resident = read_status("VmRSS:") * 1024, .threads = read_status("Threads:")};
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        now.files++;
    }
    (void)closedir(folder);
    return now;
}

/* Whatever stays for the process's whole life is made here: all in every way, some times over. */
static void warm_up(soak *s, bool has_cpu) {
    for (size_t i = 0; i < 3 * DEVICES * PROGRAMS * 5; i++) {
        size_t d = i % DEVICES;
        size_t p = i / DEVICES % PROGRAMS;
        int strategy = (int)(i / DEVICES / PROGRAMS % 5);
        if ((d == 1 && !has_cpu) || (d == 0 && strategy == 4)) {
            continue;
        }
        if (i % (DEVICES * PROGRAMS) < DEVICES) {
            drop_device(s, d);
        }
        assert_true(have(s, d, p));
        run_one(s, d, p, WELL, strategy);
    }
}

static void many_runs(void **state) {
    (void)state;
    soak s = {.diags = gf_diags_create()};
    const char *asked = getenv("FAULTS_RUNS");
    uint64_t runs = asked != NULL ? strtoull(asked, NULL, 10) : 1000;
    gf_device *compiled = gf_device_open("cpu", NULL);
    bool has_cpu = compiled != NULL;
    size_now warm = {0};
    gf_device_destroy(compiled);
    warm_up(&s, has_cpu);
    for (uint64_t i = 0; i < runs; i++) {
        size_t d = draw(40) == 0 ? 2 : has_cpu ? draw(2) : 0;
        size_t p = draw(PROGRAMS);
        wish w = draw(3) == 0 ? (wish)draw(WISHES) : WELL;
        bool is_there = have(&s, d, p);
        if (!is_there) {
            gf_diags_print(s.diags, stderr);
        }
        assert_true(is_there);
        run_one(&s, d, p, w, -1);
        if (i + 1 == runs / WARM) {
            drop_all(&s);
            warm = measure();
        }
        if (asked != NULL && (i + 1) % (runs / 10) == 0) {
            size_now now = measure();
            print_message("%llu runs: %zu bytes, %zu threads, %zu files\n", (unsigned long long)i + 1, now.resident,
                          now.threads, now.files);
        }
    }
    drop_all(&s);
    size_now end = measure();
    print_message("%llu runs did all, %llu failed as they should; %zu bytes at the start, %zu at the end\n",
                  (unsigned long long)s.done, (unsigned long long)s.failed, warm.resident, end.resident);
    assert_true(s.done > s.failed && s.failed > 0);
    assert_int_equal(end.pieces, warm.pieces);
    assert_int_equal(end.files, warm.files);
    assert_int_equal(end.threads, warm.threads);
#ifndef IS_SANITIZED
    assert_true(end.resident < warm.resident + GROWTH);
#endif
    gf_diags_destroy(s.diags);
}

int main(void) {
    seed_draw();
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_runs)};
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
