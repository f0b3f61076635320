/* gridfence: which command, and how it ends. */
#include "cli/cli.h"
#include "cli/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command_row {
    const char *name;
    int (*run)(int argc, char **argv, gf_diags *diags);
    const char *summary;
} command_row;

static const command_row commands[] = {
    {"run", gf_cmd_run, "compile, bind, run, hand back"},
    {"check", gf_cmd_check, "parse and check; whether it is order-free"},
    {"plan", gf_cmd_plan, "show how the program is split at its grid barriers"},
    {"diff", gf_cmd_diff, "run on every device and strategy, and compare every byte"},
    {"emit", gf_cmd_emit, "write the code that a device would run"},
    {"fmt", gf_cmd_fmt, "canonical text"},
    {"devices", gf_cmd_devices, "what is here, its limits, what it measured of itself"},
    {"bench", gf_cmd_bench, "the workload library at set sizes"},
    {"rmat", gf_cmd_rmat, "write a random graph with the skew of real ones"},
};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static void print_help(FILE *stream) {
    (void)fputs("gridfence runs programs whose invocations wait for each other across the whole grid.\n\n"
                "gridfence COMMAND [ARGUMENTS]\n\n",
                stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        (void)fprintf(stream, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    (void)fputs(
        "\n`gridfence COMMAND --help` shows the options of one. `gridfence --version` prints the version.\n\n"
        "  gridfence run reach.gf --csr row,col,n=graph.mtx --in dist=dist.npy --out dist=-\n"
        "  gridfence plan reach.gf --svg reach.svg\n\n"
        "Results go to standard output, everything else to standard error. Exit status: 0 done, 1 the program is\n"
        "wrong, 2 usage, 3 device or limit, 4 file, 5 not converged (when required), 6 trap, assert or a failed\n"
        "check, 7 time limit, 70 a fault of gridfence, 128 + N ended by signal N (130: Ctrl-C).\n",
        stream);
}

static int refuse_command(const char *name, gf_diags *diags) {
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
    }
    (void)gf_fail(diags, GF_CODE_COMMAND_UNKNOWN, GF_NO_SPAN, "there is no command '%.60s'", name);
    const char *near = gf_cli_nearest(name, names, COMMAND_COUNT);
    if (near != NULL) {
        gf_fix(diags, "did you mean 'gridfence %s'?", near);
    } else {
        gf_fix(diags, "`gridfence --help` lists the commands");
    }
    return GF_STATUS_USAGE;
}

static int dispatch(int argc, char **argv, gf_diags *diags) {
    if (argc < 2) {
        print_help(stderr);
        return GF_STATUS_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        (void)printf("gridfence %s\n", gf_version());
        return GF_STATUS_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(stdout);
        return GF_STATUS_OK;
    }
    if (strcmp(name, "help") == 0) {
        if (argc < 3) {
            print_help(stdout);
            return GF_STATUS_OK;
        }
        static char help[] = "--help";
        char *swapped[] = {argv[2], help, NULL};
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            if (strcmp(argv[2], commands[i].name) == 0) {
                return commands[i].run(2, swapped, diags);
            }
        }
        return refuse_command(argv[2], diags);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1, diags);
        }
    }
    return refuse_command(name, diags);
}

/* A file that is opened gets the number of a standard stream that is closed, and what is printed would go into it. In
 * its place comes something that can neither be read nor written, but for messages, which are lost. */
static void hold_standard_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            (void)open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
        }
    }
}

int main(int argc, char **argv) {
    hold_standard_streams();
    gf_cli_signals_begin();
    gf_diags *diags = gf_diags_create();
    if (diags == NULL) {
        (void)fputs("gridfence: no memory\n", stderr);
        return GF_STATUS_DEVICE;
    }
    int status = dispatch(argc, argv, diags);
    if (!gf_cli_flush(diags) && status == GF_STATUS_OK) {
        status = GF_STATUS_FILE;
    }
    gf_diags_print_colour(diags, stderr, gf_cli_colour());
    gf_diags_destroy(diags);
    return status;
}
