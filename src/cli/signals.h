/* The signals that end a command: Ctrl-C (SIGINT), SIGTERM, SIGHUP. What they find half written is taken away. */
#ifndef GF_CLI_SIGNALS_H
#define GF_CLI_SIGNALS_H

#include <stdbool.h>

/* What a shell gives for a command that a signal ended. */
#define GF_EXIT_SIGNAL(number) (128 + (number))

/* At the start of the process. From here on such a signal ends it at once; one that was ignored stays ignored. */
void gf_cli_signals_begin(void);
/* True: from here on somebody asks gf_cli_signal, and the first signal is left to them. The second ends the process. */
void gf_cli_signals_wait(bool wait);
/* The signal that came while somebody asked; 0: none. */
int gf_cli_signal(void);
/* Ends the process here and now, whatever other threads do. */
void gf_cli_end(int status);
/* Ends the process as the signal would have. */
void gf_cli_signal_end(int number);

#endif
