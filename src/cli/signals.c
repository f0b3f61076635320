#include "cli/signals.h"
#include "base/temporary.h"
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int came; /* lock-free, as a handler wants it */
static atomic_bool waits;

void gf_cli_end(int status) {
    gf_temporary_remove_all();
    _exit(status);
}

void gf_cli_signal_end(int number) {
    gf_cli_end(GF_EXIT_SIGNAL(number));
}

static void take_signal(int number) {
    int none = 0;
    if (!atomic_load(&waits) || !atomic_compare_exchange_strong(&came, &none, number)) {
        gf_cli_signal_end(number);
    }
}

void gf_cli_signals_begin(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    /* Calls that it interrupts go on. */
    struct sigaction action = {.sa_handler = take_signal, .sa_flags = SA_RESTART};
    struct sigaction before;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(ending[i], &action, NULL);
        }
    }
    /* A reader that goes away, and a file that grows past the limit of the process, are told as failed writes. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
}

void gf_cli_signals_wait(bool wait) {
    atomic_store(&waits, wait);
}

int gf_cli_signal(void) {
    return atomic_load(&came);
}
