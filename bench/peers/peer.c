#define _GNU_SOURCE /* madvise */
#include "peer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define PATH_SIZE 4096
#define HUGE_PAGE ((size_t)1 << 21)

int peer_threads = 1;
const char *peer_folder = ".";

void peer_die(const char *what, const char *name) {
    (void)fprintf(stderr, "%s: %s%s%s\n", what, name, errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
    exit(1);
}

double peer_clock(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        peer_die("cannot read", "clock");
    }
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void *peer_alloc(size_t bytes) {
    size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : 64;
    size_t whole = (bytes / align + 1) * align;
    void *data = aligned_alloc(align, whole);
    if (data == NULL) {
        peer_die("cannot allocate", "memory");
    }
    if (align == HUGE_PAGE) {
        (void)madvise(data, whole, MADV_HUGEPAGE);
    }
    return data;
}

static FILE *open_file(const char *prefix, const char *name, const char *dot, const char *type, const char *mode) {
    char path[PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s%s%s%s", peer_folder, prefix, name, dot, type) >= (int)sizeof path) {
        return NULL;
    }
    return fopen(path, mode);
}

static size_t element_bytes(const char *type) {
    return (size_t)strtoul(type + 1, NULL, 10) / 8;
}

bool peer_has(const char *buffer, const char *type) {
    FILE *file = open_file("", buffer, ".", type, "rb");
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL;
}

void *peer_read(const char *buffer, const char *type, size_t *count) {
    errno = 0;
    FILE *file = open_file("", buffer, ".", type, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        peer_die("cannot read", buffer);
    }
    long bytes = ftell(file);
    rewind(file);
    void *data = peer_alloc((size_t)bytes);
    if (bytes < 0 || fread(data, 1, (size_t)bytes, file) != (size_t)bytes) {
        peer_die("cannot read", buffer);
    }
    (void)fclose(file);
    if (count != NULL) {
        *count = (size_t)bytes / element_bytes(type);
    }
    return data;
}

void peer_write(const char *buffer, const char *type, const void *data, size_t count) {
    errno = 0;
    FILE *file = open_file("out-", buffer, ".", type, "wb");
    if (file == NULL || fwrite(data, element_bytes(type), count, file) != count || fclose(file) != 0) {
        peer_die("cannot write", buffer);
    }
}

static bool find_param(const char *name, double *value) {
    char line[256];
    size_t length = strlen(name);
    bool found = false;
    FILE *file = open_file("", "params", ".", "txt", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            *value = strtod(line + length, NULL);
            found = true;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

double peer_param_or(const char *name, double otherwise) {
    double value = otherwise;
    return find_param(name, &value) ? value : otherwise;
}

double peer_param(const char *name) {
    double value = 0;
    errno = 0;
    if (!find_param(name, &value)) {
        peer_die("params.txt lacks", name);
    }
    return value;
}

static double run_once(peer_workload *workload) {
    if (workload->reset != NULL) {
        workload->reset();
    }
    workload->seconds = 0;
    double begin = peer_clock();
    workload->run();
    double seconds = peer_clock() - begin;
    return workload->seconds > 0 ? workload->seconds : seconds;
}

static void say(const char *text) {
    (void)fputs(text, stdout);
    if (fflush(stdout) != 0) {
        exit(1);
    }
}

static void serve(peer_workload *workload) {
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL && strcmp(line, "quit\n") != 0) {
        if (strcmp(line, "go\n") == 0) {
            char answer[64];
            (void)snprintf(answer, sizeof answer, "seconds %.9f\n", run_once(workload));
            say(answer);
        } else if (strcmp(line, "result\n") == 0) {
            workload->write();
            say("done\n");
        } else {
            errno = 0;
            peer_die("not understood", line);
        }
    }
}

int peer_main(int argc, char **argv, peer_workload *table, size_t count) {
    if (argc != 5) {
        (void)fputs("peer-NAME WORKLOAD DATA_FOLDER ROUNDS THREADS\n", stderr);
        return 2;
    }
    peer_folder = argv[2];
    peer_threads = atoi(argv[4]);
    peer_threads = peer_threads < 1 ? 1 : peer_threads;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(table[i].name, argv[1]) == 0) {
            table[i].load();
            (void)run_once(&table[i]); /* pages and threads are there before anything is timed */
            say("ready\n");
            serve(&table[i]);
            return 0;
        }
    }
    say("unsupported\n");
    return 0;
}
