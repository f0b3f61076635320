/* Time that only goes forward. */
#ifndef GF_BASE_CLOCK_H
#define GF_BASE_CLOCK_H

/* Seconds since some moment before the process began. */
double gf_clock_seconds(void);

#endif
