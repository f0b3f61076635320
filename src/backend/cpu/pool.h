/* A team of threads that carries out jobs, one after the other: each job is a range of indices, and its end is a
 * barrier. Made for jobs of a few hundred nanoseconds: who waits spins a little before it sleeps.
 * A pool belongs to one run at a time (acquire, release); its functions may be called from any thread. */
#ifndef GF_BACKEND_CPU_POOL_H
#define GF_BACKEND_CPU_POOL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gf_pool gf_pool;

/* threads: how many in all, the caller's own among them; 0 is one for each CPU that the process may run on. They are
 * started at the first job that wants them; where the system gives fewer, the pool works with fewer. NULL: no memory.
 */
gf_pool *gf_pool_create(unsigned threads);
/* Nobody may hold the pool. NULL is allowed. */
void gf_pool_destroy(gf_pool *pool);
/* From 1. It may become less at the first job, never more. NULL: 1. */
unsigned gf_pool_threads(const gf_pool *pool);

/* Takes the team. False: another run has it; then run jobs with NULL in place of the pool. */
bool gf_pool_acquire(gf_pool *pool);
void gf_pool_release(gf_pool *pool);

/* Does [begin, end) of a job. `worker` is below gf_pool_threads, 0 on the caller's thread; calls at the same time have
 * different workers. begin is a multiple of the grain, end too or the job's count. Helpers are in the floating-point
 * mode of gf_float_mode_enter; worker 0 is in the caller's. */
typedef void gf_pool_body(void *context, unsigned worker, uint64_t begin, uint64_t end);

typedef struct gf_pool_job {
    gf_pool_body *body;
    void *context;
    uint64_t count;
    uint64_t grain; /* indices in a chunk; 0 is 1 */
    /* Each worker does exactly its own share, in one call. Otherwise it does a chunk per call, those of its own share
     * first, and then helps out with those of others. */
    bool keep_shares;
} gf_pool_job;

/* Runs the body over [0, count), each index once, and returns when all of it is done. What the bodies wrote is visible
 * to the caller and to the bodies of the next job. Of `chunks` chunks, chunk c is in the share of worker
 * c * threads / chunks, so that the same data meets the same thread from job to job.
 * One chunk, one thread or no pool (NULL): one call, on the caller's thread, at no cost.
 * Between acquire and release only, by the thread that acquired; a body must not run a job of its own pool. */
void gf_pool_run(gf_pool *pool, const gf_pool_job *job);

#endif
