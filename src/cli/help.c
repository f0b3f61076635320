#include "cli/help.h"
#include <stdio.h>
#include <string.h>

#define BINDING_OPTIONS                                                                                                \
    "  --set NAME=VALUE        a param\n"                                                                              \
    "  --in NAME=SOURCE        an `in` or `inout` buffer: x.npy, x.bin, x.txt, numbers 1,2,3, fill:V, iota,\n"         \
    "                          random:SEED or random:SEED:LO:HI\n"                                                     \
    "  --size NAME=N           elements of a buffer declared `[]` that is bound to fill, iota or random\n"             \
    "  --csr ROW,COL[,N[,VAL]]=FILE    a graph or sparse matrix as compressed rows: .mtx, or a list .txt .tsv .csv\n"  \
    "                          of lines `FROM TO [WEIGHT]`, vertices from 0. N: the param that gets the number of "    \
    "rows,\n"                                                                                                          \
    "                          VAL: the buffer that gets the weights; `-` skips one\n"                                 \
    "  --edges FROM,TO[,N[,VAL]]=FILE  the same as pairs\n"                                                            \
    "  --transpose, --symmetric, --remap   belong to the --csr or --edges before them: turn each edge round; add "     \
    "its\n"                                                                                                            \
    "                          reverse; number the vertices that occur 0, 1, ...\n"

#define DEVICE_OPTIONS                                                                                                 \
    "  --threads N             that run kernels on device cpu; else GRIDFENCE_THREADS, else one per CPU\n"             \
    "  --no-cache              neither read compiled kernels from disk nor keep them there\n"                          \
    "  --unchecked             for measuring only: device cpu leaves the bounds rules out, and an access out of\n"     \
    "                          bounds is then undefined: wrong results, or a crash\n"

#define RUN_OPTIONS                                                                                                    \
    "  --out NAME=SINK         x.npy, x.bin, x.txt, or - for standard output as `NAME: v v v`\n"                       \
    "  --workgroup X[,Y[,Z]]   instead of the program's; refused where it would change results\n"                      \
    "  --device NAME           auto, interp, cpu, cuda, cuda:I: what `gridfence devices` lists\n"                      \
    "  --strategy NAME         auto, native, persistent, resident, host\n" DEVICE_OPTIONS                              \
    "  --passes N              at most N passes\n"                                                                     \
    "  --timeout SECONDS, --memory-limit BYTES (or 512K, 64M, 2G)\n"                                                   \
    "  --require-converged     exit status 5 where the last pass still changed something\n"                            \
    "  --checked               out of bounds and division by zero are errors\n"                                        \
    "  --check-races           so are races; on the interpreter\n"                                                     \
    "  --keep-barriers         drop no barrier from the plan; --keep-empty: no empty stretch either\n"                 \
    "  --repeat N              run N times from the same inputs, report the median\n"                                  \
    "  --time, --explain       times, and why this strategy, on standard error\n"                                      \
    "  --json                  one object on standard output, with the outputs asked for with `-`; of floats NaN "     \
    "and\n"                                                                                                            \
    "                          infinities are the strings \"nan\" \"inf\" \"-inf\"\n"                                  \
    "  --trace OUT.json        a picture for ui.perfetto.dev\n"                                                        \
    "  --quiet                 no line about the run\n"

static const struct {
    const char *command, *text;
} pages[] = {
    {"run", "gridfence run FILE.gf [OPTIONS]\n\nCompiles, binds, runs and hands back. FILE may be - for standard "
            "input.\n\n" BINDING_OPTIONS RUN_OPTIONS "\nExamples\n"
            "  gridfence run levels.gf --csr row,col,n=graph.mtx --set source=0 --out level=-\n"
            "  gridfence run scan.gf --set n=8 --in x=iota --out y=y.npy --strategy host --time\n"
            "\nCtrl-C ends the run at its next barrier: nothing is handed back, exit status 130.\n"},
    {"diff",
     "gridfence diff FILE.gf [OPTIONS]\n\nRuns on every device and strategy there is and compares all results, byte "
     "for byte, with the\ninterpreter's. Of order-free programs the passes too. Exit status: 0 all the same, 70 an "
     "order-free program differs\n(our fault), 6 another one does (the lines that depend on order are "
     "named).\n\n" BINDING_OPTIONS RUN_OPTIONS "  --tolerate-order        exit status 0 where results depend on order\n"
     "\n--device and --strategy leave out all others but the reference. --time, --explain, --trace, --repeat and\n"
     "--quiet have no effect here.\n"
     "\nExample\n  gridfence diff levels.gf --csr row,col,n=graph.mtx --set source=0\n"},
    {"plan", "gridfence plan FILE.gf [OPTIONS]\n\nShows the segments, their buffers and roles, the values that cross a "
             "barrier, bytes, and the barriers dropped.\nWhat is given of params and buffers makes its figures "
             "exact.\n\n" BINDING_OPTIONS
             "  --dot, --json, --segments   other forms; --segments prints each segment as a program\n"
             "  --svg OUT.svg           a picture\n"
             "  --passes N              a plan for several passes\n"
             "  --keep-barriers, --keep-empty\n"
             "\nExamples\n  gridfence plan bfs.gf --set n=1000\n  gridfence plan bfs.gf --dot | dot -Tpng > bfs.png\n"},
    {"check",
     "gridfence check FILE.gf [--json]\n\nParses and checks. Prints `FILE.gf: ok, order-free` or `FILE.gf: "
     "ok, not order-free` with the lines that make\nit so. That is of programs without a race: those are found by "
     "`gridfence run --check-races`. Errors and\nwarnings go to standard error, with --json all of it to standard "
     "output as one object.\n\nExample\n  gridfence check bfs.gf\n"},
    {"fmt", "gridfence fmt [--write | --check] FILE.gf...\n\nPrints the canonical text. --write puts it into the file, "
            "--check only says (exit status 1) whether it differs.\n\nExamples\n  gridfence fmt bfs.gf\n  gridfence "
            "fmt --write programs/*.gf\n"},
    {"emit",
     "gridfence emit FILE.gf --target llvm|ptx|spirv [--segment K] [-o OUT]\n\nWrites the code that a device would "
     "run. Targets that are not built in: exit status 3.\n\nExample\n  gridfence emit bfs.gf --target llvm\n"},
    {"devices", "gridfence devices [--json] [OPTIONS]\n\nWhat is here, its limits, and what it measured of "
                "itself.\n\n" DEVICE_OPTIONS "\nExample\n  gridfence devices --json\n"},
    {"rmat", "gridfence rmat SCALE EDGES_PER_VERTEX SEED\n\nPrints a random graph of 2^SCALE vertices as an edge list: "
             "the same for the same numbers on every machine.\n\nExample\n  gridfence rmat 12 8 1 > graph.txt\n"},
};

void gf_cli_help(const char *command) {
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(pages[i].command, command) == 0) {
            (void)fputs(pages[i].text, stdout);
        }
    }
}
