#include "cli/bench_peer.h"
#include "base/clock.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_SECONDS 300

extern char **environ;

static int compare_names(const void *a, const void *b) {
    return strcmp(((const gf_bench_peer *)a)->name, ((const gf_bench_peer *)b)->name);
}

size_t gf_bench_peers_find(const char *folder, gf_bench_peer peers[GF_BENCH_PEERS]) {
    size_t count = 0;
    DIR *stream = opendir(folder);
    for (const struct dirent *entry = NULL; stream != NULL && (entry = readdir(stream)) != NULL;) {
        gf_bench_peer *peer = &peers[count];
        if (count == GF_BENCH_PEERS || strncmp(entry->d_name, "peer-", 5) != 0) {
            continue;
        }
        *peer = (gf_bench_peer){.to = -1, .from = -1, .patience = PATIENCE_SECONDS};
        int name = snprintf(peer->name, sizeof peer->name, "%s", entry->d_name + 5);
        int path = snprintf(peer->path, sizeof peer->path, "%s/%s", folder, entry->d_name);
        count += name < (int)sizeof peer->name && path < (int)sizeof peer->path && access(peer->path, X_OK) == 0;
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    qsort(peers, count, sizeof *peers, compare_names);
    return count;
}

/* Ends the process where it has not ended by itself, and says so in `line`. */
static bool give_up(gf_bench_peer *peer, const char *why) {
    int status = 0;
    if (peer->pid > 0) {
        (void)kill(peer->pid, SIGKILL);
        (void)waitpid(peer->pid, &status, 0);
        peer->pid = 0;
    }
    (void)snprintf(peer->line, sizeof peer->line, "%s", why);
    gf_bench_peer_end(peer);
    return false;
}

/* A pipe whose ends no other peer inherits. */
static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        return false;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* With the signals as a shell gives them: this command ignores SIGPIPE and SIGXFSZ, and a peer whose bench has gone
 * should end. */
static bool spawn(gf_bench_peer *peer, char **arguments) {
    int to[2];
    int from[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    if (!make_pipe(to)) {
        return false;
    }
    if (!make_pipe(from)) {
        (void)close(to[0]);
        (void)close(to[1]);
        return false;
    }
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    (void)sigaddset(&defaults, SIGXFSZ);
    bool done = posix_spawn_file_actions_init(&actions) == 0;
    if (done && posix_spawnattr_init(&attributes) == 0) {
        (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        done = posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO) == 0 &&
               posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO) == 0 &&
               posix_spawn(&peer->pid, peer->path, &actions, &attributes, arguments, environ) == 0;
        (void)posix_spawnattr_destroy(&attributes);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    peer->to = to[1];
    peer->from = from[0];
    peer->pid = done ? peer->pid : 0;
    return done;
}

/* The next line, without its end. */
static bool hear(gf_bench_peer *peer) {
    double end = gf_clock_seconds() + peer->patience;
    char line[sizeof peer->line];
    for (size_t length = 0; length < sizeof line;) {
        struct pollfd wait = {.fd = peer->from, .events = POLLIN};
        double left = end - gf_clock_seconds();
        int ready = left > 0 ? poll(&wait, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready <= 0) {
            return give_up(peer, "no answer");
        }
        /* One at a time: a peer says little, and nothing is read ahead. */
        ssize_t got = read(peer->from, line + length, 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return give_up(peer, "ended without an answer");
        }
        if (line[length] == '\n') {
            line[length] = '\0';
            memcpy(peer->line, line, length + 1);
            return true;
        }
        length++;
    }
    return give_up(peer, "an answer that is too long");
}

static bool tell(gf_bench_peer *peer, const char *what) {
    size_t length = strlen(what);
    return peer->pid > 0 && write(peer->to, what, length) == (ssize_t)length && hear(peer);
}

gf_bench_answer gf_bench_peer_start(gf_bench_peer *peer, const char *workload, const char *folder, unsigned rounds,
                                    unsigned threads) {
    char texts[4][4096];
    char count[16];
    (void)snprintf(texts[0], sizeof texts[0], "%s", peer->path);
    (void)snprintf(texts[1], sizeof texts[1], "%s", workload);
    (void)snprintf(texts[2], sizeof texts[2], "%s", folder);
    (void)snprintf(texts[3], sizeof texts[3], "%u", rounds);
    (void)snprintf(count, sizeof count, "%u", threads);
    char *arguments[] = {texts[0], texts[1], texts[2], texts[3], count, NULL};
    if (!spawn(peer, arguments)) {
        (void)give_up(peer, "cannot be started");
        return GF_BENCH_BROKEN;
    }
    if (!hear(peer)) {
        return GF_BENCH_BROKEN;
    }
    if (strcmp(peer->line, "ready") == 0) {
        return GF_BENCH_READY;
    }
    if (strcmp(peer->line, "unsupported") == 0) {
        gf_bench_peer_end(peer);
        return GF_BENCH_UNSUPPORTED;
    }
    (void)give_up(peer, "an answer that is not understood");
    return GF_BENCH_BROKEN;
}

bool gf_bench_peer_go(gf_bench_peer *peer, double *seconds) {
    char *end = NULL;
    if (!tell(peer, "go\n")) {
        return false;
    }
    if (strncmp(peer->line, "seconds ", 8) == 0) {
        *seconds = strtod(peer->line + 8, &end);
        if (end != peer->line + 8 && *end == '\0' && *seconds > 0) {
            return true;
        }
    }
    return give_up(peer, "an answer that is not understood");
}

bool gf_bench_peer_result(gf_bench_peer *peer) {
    return tell(peer, "result\n") && (strcmp(peer->line, "done") == 0 || give_up(peer, "results were not written"));
}

void gf_bench_peer_end(gf_bench_peer *peer) {
    int status = 0;
    if (peer->to >= 0) {
        (void)close(peer->to); /* the end of its input ends it */
    }
    if (peer->from >= 0) {
        (void)close(peer->from);
    }
    peer->to = peer->from = -1;
    /* What does not end is made to. */
    for (int tries = 0; peer->pid > 0 && tries < 200; tries++) {
        if (waitpid(peer->pid, &status, WNOHANG) != 0) {
            peer->pid = 0;
        } else {
            (void)poll(NULL, 0, 10);
        }
    }
    if (peer->pid > 0) {
        (void)kill(peer->pid, SIGKILL);
        (void)waitpid(peer->pid, &status, 0);
        peer->pid = 0;
    }
}
