#include "base/memory.h"
#include "cli/help.h"
#include "cli/options.h"
#include "io/rmat.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static bool take_number(const char *text, uint64_t *out) {
    char *end = NULL;
    errno = 0;
    *out = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    return end != NULL && *end == '\0' && errno == 0;
}

int gf_cmd_rmat(int argc, char **argv, gf_diags *diags) {
    static const struct option table[] = {{"help", 0, NULL, 'h'}, {0}};
    uint64_t numbers[3] = {0};
    size_t count = 0;
    bool fine = true;
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        if (got == 'h') {
            gf_cli_help("rmat");
            return GF_STATUS_OK;
        }
        if (got == 1) {
            fine = fine && count < 3 && take_number(optarg, &numbers[count]);
            count++;
        }
    }
    if (gf_diags_error_count(diags) == 0 && (!fine || count != 3 || numbers[0] > GF_RMAT_SCALE_MAX)) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "rmat wants three numbers: SCALE EDGES_PER_VERTEX SEED");
        gf_fix(diags, "for 2^12 vertices: gridfence rmat 12 8 1 > graph.txt");
    }
    gf_edges edges = {0};
    if (gf_diags_error_count(diags) == 0 &&
        gf_rmat_generate((uint32_t)numbers[0], numbers[1], numbers[2], &edges, diags)) {
        for (uint64_t i = 0; i < edges.count; i++) {
            (void)printf("%llu %llu\n", (unsigned long long)edges.from[i], (unsigned long long)edges.to[i]);
        }
    }
    gf_edges_free(&edges);
    return (int)gf_diags_status(diags);
}
