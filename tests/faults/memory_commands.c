/* Memory that runs out inside the commands, as main.c calls them: each allocation fails in turn. A command then either
 * does all that it would have done, or ends with status 3 and says why; files are whole, old ones stay where no new one
 * came, and nothing temporary is left. */
#include "cli/cli.h"
#include "every.h"
#include "place.h"
#include <fcntl.h>
#include <sys/stat.h>

#define ARGUMENTS 24

typedef int command_fn(int argc, char **argv, gf_diags *diags);

typedef struct command {
    command_fn *run;
    const char *words[ARGUMENTS]; /* what stands behind `gridfence` */
    int status;                   /* when all goes well */
    bool varies;                  /* what it prints differs from time to time */
    bool may_do_without;          /* something may be left out, without a word: the cache */
    uint64_t step;
    const char *made[3]; /* files that it writes, whose old content is "old" */
} command;

static char printed[1 << 18];
static char expected[1 << 18];

static void write_file(const char *name, const char *content, size_t size) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(const char *name, char *into, size_t capacity) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t got = fread(into, 1, capacity - 1, file);
    into[got] = '\0';
    (void)fclose(file);
    return got;
}

static size_t count_files(void) {
    size_t count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    (void)closedir(folder);
    return count;
}

/* Runs it with standard output and error in a file, and leaves in `printed` what came to the first. */
static int call(const command *c, gf_diags *diags) {
    char words[ARGUMENTS][128];
    char *argv[ARGUMENTS + 1] = {NULL};
    int argc = 0;
    for (; c->words[argc] != NULL; argc++) {
        (void)snprintf(words[argc], sizeof words[argc], "%s", c->words[argc]);
        argv[argc] = words[argc];
    }
    (void)fflush(stdout);
    (void)fflush(stderr);
    int out = dup(STDOUT_FILENO);
    int err = dup(STDERR_FILENO);
    int file = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0600);
    int nothing = open("/dev/null", O_WRONLY);
    assert_true(out >= 0 && err >= 0 && file >= 0 && nothing >= 0);
    (void)dup2(file, STDOUT_FILENO);
    (void)dup2(nothing, STDERR_FILENO);
    int status = c->run(argc, argv, diags);
    (void)fflush(stdout);
    (void)fflush(stderr);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(err, STDERR_FILENO);
    (void)close(out);
    (void)close(err);
    (void)close(file);
    (void)close(nothing);
    (void)read_file("printed", printed, sizeof printed);
    return status;
}

static void make_old(const command *c) {
    for (size_t i = 0; i < 3 && c->made[i] != NULL; i++) {
        write_file(c->made[i], "old", 3);
    }
}

/* False: some are old. The sizes of whole ones are known (0: not). */
static bool are_new(const command *c, const size_t sizes[3]) {
    bool all = true;
    for (size_t i = 0; i < 3 && c->made[i] != NULL; i++) {
        struct stat about;
        assert_int_equal(stat(c->made[i], &about), 0);
        bool is_old = about.st_size == 3;
        assert_true(is_old || sizes[i] == 0 || (size_t)about.st_size == sizes[i]);
        all = all && !is_old;
    }
    return all;
}

static void fail_with(const command *c, uint64_t n, bool all, const gf_diags *diags, const char *why) {
    gf_diags_print(diags, stderr);
    char line[512] = "";
    for (size_t i = 0; c->words[i] != NULL; i++) {
        (void)snprintf(line + strlen(line), sizeof line - strlen(line), "%s ", c->words[i]);
    }
    fail_msg("%s, allocation %llu%s: %s", line, (unsigned long long)n, all ? " and all after" : "", why);
}

static void fail_each(const command *c) {
    gf_diags *diags = gf_diags_create();
    size_t sizes[3] = {0};
    assert_non_null(diags);
    make_old(c);
    if (call(c, diags) != c->status) { /* what is made once for all is made here */
        fail_with(c, 0, false, diags, "does not go well");
    }
    (void)memcpy(expected, printed, sizeof expected);
    for (size_t i = 0; i < 3 && c->made[i] != NULL; i++) {
        struct stat about;
        assert_int_equal(stat(c->made[i], &about), 0);
        sizes[i] = c->varies ? 0 : (size_t)about.st_size;
    }
    gf_diags_clear(diags);
    uint64_t before = gf_memory_live();
    (void)gf_memory_fail_at(0, false);
    assert_int_equal(call(c, diags), c->status);
    uint64_t most = gf_memory_fail_at(0, false);
    gf_diags_clear(diags);
    assert_int_equal(gf_memory_live(), before);
    size_t files = count_files();
    uint64_t failures = 0;
    for (int all = 0; all < 2; all++) {
        for (uint64_t n = 1; n <= most; n += step_of(c->step)) {
            make_old(c);
            (void)gf_memory_fail_at(n, all != 0);
            int status = call(c, diags);
            (void)gf_memory_fail_at(0, false);
            /* With --json it is told in the object. */
            bool is_told = is_memory_told(diags) ||
                           (status == GF_STATUS_DEVICE && strstr(printed, "\"message\": \"out of memory\"") != NULL);
            failures += is_told;
            if (!is_told && status != c->status) {
                fail_with(c, n, all != 0, diags, "another status");
            }
            if (is_told && status != GF_STATUS_DEVICE) {
                fail_with(c, n, all != 0, diags, "told, but not by the status");
            }
            if (!is_told && !c->varies && strcmp(printed, expected) != 0) {
                fail_with(c, n, all != 0, diags, "prints something else");
            }
            /* A run that fails anyhow has said so first. */
            if (!is_told && all != 0 && !c->may_do_without && c->status == 0) {
                fail_with(c, n, true, diags, "nothing is told");
            }
            if (!are_new(c, sizes) && !is_told) {
                fail_with(c, n, all != 0, diags, "a file was not written");
            }
            assert_int_equal(count_files(), files);
            gf_diags_clear(diags);
            if (gf_memory_live() != before) {
                fail_with(c, n, all != 0, diags, "something is left");
            }
        }
    }
    assert_true(failures > 0);
    gf_diags_destroy(diags);
}

static void fail_all(const command *commands, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fail_each(&commands[i]);
    }
}

#define RUN "run", "mixed.gf", "--set", "n=6", "--in", "x=x.txt", "--in", "a=fill:0", "--quiet"

static void run_on_the_interpreter(void **state) {
    (void)state;
    static const command commands[] = {
        {.run = gf_cmd_run,
         .words = {RUN, "--device", "interp", "--out", "y=-", "--out", "y=y.npy", "--out", "a=a.txt", "--trace",
                   "t.json"},
         .made = {"y.npy", "a.txt"},
         .may_do_without = true,
         .step = 3},
        {.run = gf_cmd_run,
         .words = {RUN, "--device", "interp", "--strategy", "host", "--json", "--out", "y=-"},
         .varies = true},
        {.run = gf_cmd_run,
         .words = {RUN, "--device", "interp", "--strategy", "resident", "--repeat", "3", "--time", "--explain", "--out",
                   "a=a.bin"},
         .made = {"a.bin"},
         .step = 5},
        {.run = gf_cmd_run, .words = {RUN, "--check-races", "--keep-barriers", "--out", "a=-"}},
        {.run = gf_cmd_run,
         .words = {"run", "graph.gf", "--csr", "row,col,n,val=g.mtx", "--symmetric", "--device", "interp", "--quiet",
                   "--out", "y=-"}},
        {.run = gf_cmd_run,
         .words = {"run", "graph.gf", "--csr", "row,col,n,val=g.txt", "--remap", "--device", "interp", "--quiet",
                   "--out", "y=-"}},
        {.run = gf_cmd_run,
         .words = {"run", "trap.gf", "--device", "interp", "--quiet", "--json"},
         .status = 6,
         .varies = true},
    };
    fail_all(commands, sizeof commands / sizeof commands[0]);
}

static void run_compiled(void **state) {
    (void)state;
    static const command commands[] = {
        {.run = gf_cmd_run,
         .words = {RUN, "--device", "cpu", "--threads", "2", "--out", "y=-", "--out", "a=a.npy"},
         .may_do_without = true,
         .made = {"a.npy"},
         .step = 5},
    };
    gf_device *device = gf_device_open("cpu", NULL);
    if (device == NULL) {
        skip(); /* built without LLVM */
    }
    gf_device_destroy(device);
    fail_all(commands, sizeof commands / sizeof commands[0]);
}

static void look_at_programs(void **state) {
    (void)state;
    static const command commands[] = {
        {.run = gf_cmd_check, .words = {"check", "mixed.gf"}},
        {.run = gf_cmd_check,
         .words = {"check", "--json", "wrong.gf"},
         .status = 1,
         .varies = true}, /* a fix may be lost */
        {.run = gf_cmd_plan,
         .words = {"plan", "mixed.gf", "--set", "n=6", "--svg", "p.svg", "--json"},
         .made = {"p.svg"}},
        {.run = gf_cmd_plan, .words = {"plan", "mixed.gf", "--dot"}},
        {.run = gf_cmd_plan, .words = {"plan", "mixed.gf", "--segments", "--keep-barriers"}},
        {.run = gf_cmd_plan, .words = {"plan", "mixed.gf"}},
        {.run = gf_cmd_fmt, .words = {"fmt", "mixed.gf", "graph.gf"}},
        {.run = gf_cmd_fmt, .words = {"fmt", "--check", "ugly.gf"}, .status = 1},
        {.run = gf_cmd_emit, .words = {"emit", "mixed.gf", "--target", "ptx", "-o", "m.ptx"}, .made = {"m.ptx"}},
        {.run = gf_cmd_rmat, .words = {"rmat", "3", "2", "1"}},
    };
    fail_all(commands, sizeof commands / sizeof commands[0]);
}

static void measure(void **state) {
    (void)state;
    /* Devices measure themselves: for seconds on a GPU, and threads wait for each other. */
    assert_int_equal(setenv("GRIDFENCE_THREADS", "1", 1), 0);
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1), 0);
    static const command commands[] = {
        {.run = gf_cmd_devices, .words = {"devices", "--json"}, .varies = true, .may_do_without = true, .step = 997},
        {.run = gf_cmd_diff,
         .words = {"diff", "mixed.gf", "--set", "n=6", "--in", "x=iota", "--in", "a=fill:0", "--quiet", "--json",
                   "--out", "y=-"},
         .varies = true,
         .may_do_without = true,
         .step = 307},
        {.run = gf_cmd_bench,
         .words = {"bench", "reach:chain=4", "--quick", "--device", "interp", "--json", "--out", "b.json", "--svg",
                   "b.svg"},
         .varies = true,
         .step = 31,
         .made = {"b.json", "b.svg"}},
    };
    fail_all(commands, sizeof commands / sizeof commands[0]);
}

static const char mixed[] = "program mixed;\n"
                            "param u32 n;\n"
                            "in u32 x[n];\n"
                            "inout u32 a[n];\n"
                            "out u32 y[n];\n"
                            "shared u32 w[4];\n"
                            "kernel (n) workgroup(4) fixpoint(3) on (a) {\n"
                            "    let old = a[gid.x];\n"
                            "    region \"sum\" { w[lid.x] = old; barrier; }\n"
                            "    let total = grid_add(x[gid.x]);\n"
                            "    a[gid.x] = max(old, total);\n"
                            "    grid_barrier;\n"
                            "    y[gid.x] = a[n - 1 - gid.x] + w[lid.x] * 0;\n"
                            "}\n";
static const char graph[] = "program graph;\nparam u32 n;\nin u32 row[n + 1];\nin u32 col[];\nin f32 val[len(col)];\n"
                            "out f32 y[n];\nkernel (n) {\n    var f32 s = 0.0;\n"
                            "    for e in row[gid.x] .. row[gid.x + 1] { s += val[e] * f32(col[e]); }\n"
                            "    y[gid.x] = s;\n}\n";
static const char wrong[] = "program wrong;\nout u32 y[4];\nkernel (4) {\n    y[gid.x] = z;\n    y[gid.x] = w;\n}\n";
static const char trap[] = "program traps;\nkernel (4) { if gid.x == 3 { trap(\"three\", gid.x); } }\n";
static const char matrix[] = "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 1.5\n3 4 2\n4 1 1\n";

static int fill_place(void **state) {
    (void)make_place(state);
    if (chdir(place) != 0) {
        return -1;
    }
    write_file("mixed.gf", mixed, sizeof mixed - 1);
    write_file("graph.gf", graph, sizeof graph - 1);
    write_file("wrong.gf", wrong, sizeof wrong - 1);
    write_file("ugly.gf", trap, sizeof trap - 1);
    write_file("trap.gf", trap, sizeof trap - 1);
    write_file("g.mtx", matrix, sizeof matrix - 1);
    write_file("g.txt", "9 3 1\n3 4 0.5\n4 4 2\n", 20);
    write_file("x.txt", "1\n2\n3\n4\n5\n6\n", 12);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(run_on_the_interpreter, stop_failing),
        cmocka_unit_test_setup(run_compiled, stop_failing),
        cmocka_unit_test_setup(look_at_programs, stop_failing),
        cmocka_unit_test_setup(measure, stop_failing),
    };
    return cmocka_run_group_tests(tests, fill_place, remove_place);
}
