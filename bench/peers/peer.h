/* The protocol of peers (bench/README.md), so that a peer is a table of functions:
 *
 *     static peer_workload table[] = {{"scan", load_scan, NULL, run_scan, write_scan}};
 *     int main(int argc, char **argv) { return peer_main(argc, argv, table, 1); }
 *
 * What goes wrong in here ends the process with a message: a peer has nobody to report to but the bench. */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct peer_workload {
    const char *name;
    void (*load)(void);  /* reads the inputs, allocates, compiles; not timed */
    void (*reset)(void); /* before each run, not timed; NULL: nothing to reset */
    void (*run)(void);   /* timed */
    void (*write)(void); /* of the latest run: calls peer_write for each result */
    double seconds;      /* of the latest run, where `run` knows better than a clock around it; else leave 0 */
} peer_workload;

/* The exit status. Calls load, then reset and run once as warm-up, then what the bench asks for. */
int peer_main(int argc, char **argv, peer_workload *table, size_t count);

/* Threads that the peer may use, from 1; set before load. */
extern int peer_threads;
/* The folder of the data; set before load. */
extern const char *peer_folder;

/* The file BUFFER.TYPE as a block from peer_alloc; elements have the bytes that the type's name says. */
void *peer_read(const char *buffer, const char *type, size_t *count);
bool peer_has(const char *buffer, const char *type);
/* A param; ends the process where params.txt has none of the name. */
double peer_param(const char *name);
double peer_param_or(const char *name, double otherwise);

/* Aligned to 2 MiB where large, with huge pages asked for; nothing is touched (of a file: read, thus touched). */
void *peer_alloc(size_t bytes);
/* out-BUFFER.TYPE */
void peer_write(const char *buffer, const char *type, const void *data, size_t count);
double peer_clock(void);
/* Says why, and ends the process. */
void peer_die(const char *what, const char *name);

#endif
