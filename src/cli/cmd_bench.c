#include "cli/cli.h"
int gf_cmd_bench(int argc, char **argv, gf_diags *diags) {
    (void)argc;
    (void)argv;
    (void)diags;
    return 0;
}
