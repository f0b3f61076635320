/* Command lines: the first line of the bytes is the command, each further line an argument. The commands are called as
 * main.c does, in a scratch folder with a program, data of several kinds and a file of any bytes. Names of files stay
 * in that folder: an argument holds no `/`. */
#include "bytes.h"
#include "cli/cli.h"
#include "scratch.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ARGUMENTS = 24, LONGEST = 200 };

typedef int command_fn(int argc, char **argv, gf_diags *diags);
static command_fn *const commands[] = {gf_cmd_run, gf_cmd_check, gf_cmd_plan, gf_cmd_emit, gf_cmd_fmt};

static char folder[SCRATCH_BYTES];

static void empty_folder(void) {
    DIR *list = opendir(".");
    for (const struct dirent *item; list != NULL && (item = readdir(list)) != NULL;) {
        if (item->d_name[0] != '.' || strlen(item->d_name) > 2) {
            (void)unlink(item->d_name);
        }
    }
    (void)closedir(list);
}

static void leave(void) {
    scratch_remove(folder);
}

static void prepare(void) {
    int nothing = open("/dev/null", O_RDWR);
    if (!scratch_make(folder) || chdir(folder) != 0 || nothing < 0) {
        abort();
    }
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    (void)close(nothing);
    (void)atexit(leave);
}

static void write_file(const char *name, const void *content, size_t size) {
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(content, 1, size, file) != size || fclose(file) != 0) {
        abort();
    }
}

static void write_files(void) {
    static const char program[] = "program p; param u32 n = 4; param f32 t = 0.5; in u32 row[]; in u32 col[];\n"
                                  "inout f32 x[n]; out u32 o[n] returns(1 .. n);\n"
                                  "kernel (n) fixpoint(3) on (x) { if gid.x < len(row) { o[gid.x] = row[gid.x] + "
                                  "len(col); }\ngrid_barrier; x[gid.x] += f32(o[gid.x + 1]) * t; }\n";
    static const char graph[] = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n3 1 2\n";
    static const char array[] = "\x93NUMPY\x01\0\x46\0{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
                                "             \n\0\0\x80\x3f\0\0\0\x40";
    write_file("p.gf", program, sizeof program - 1);
    write_file("g.mtx", graph, sizeof graph - 1);
    write_file("e.txt", "0 1\n1 2 7\n# x\n", 15);
    write_file("a.npy", array, sizeof array - 1);
    write_file("a.bin", array, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char words[MOST_ARGUMENTS][LONGEST];
    char *argv[MOST_ARGUMENTS + 1] = {NULL};
    bytes in = {.at = data, .left = size};
    if (folder[0] == 0) {
        prepare();
    }
    empty_folder();
    write_files();
    unsigned command = take(&in) % 5;
    int argc = 0;
    (void)strcpy(words[argc++], "command");
    while (in.left > 0 && argc < MOST_ARGUMENTS - 8) {
        (void)take_line(&in, words[argc], LONGEST);
        if (strcmp(words[argc], "%%") == 0) {
            write_file("any", in.at, in.left);
            break;
        }
        for (char *c = words[argc]; (c = strchr(c, '/')) != NULL;) {
            *c = '_';
        }
        argc++;
    }
    /* Devices that start threads or compile are too slow here; nothing runs long. */
    static const char *const last[] = {"--device",       "interp",  "--timeout", "0.05",
                                       "--memory-limit", "1000000", "--repeat",  "1"};
    for (int i = 0; i < 8 && command == 0; i++) {
        (void)strcpy(words[argc++], last[i]);
    }
    for (int i = 0; i < argc; i++) {
        argv[i] = words[i];
    }
    gf_diags *diags = gf_diags_create();
    int status = commands[command](argc, argv, diags);
    (void)fflush(stdout);
    if (status < 0 || status > 7) { /* 70: our own fault */
        gf_diags_print(diags, stderr);
        fprintf(stderr, "status %d\n", status);
        abort();
    }
    gf_diags_destroy(diags);
    return 0;
}
