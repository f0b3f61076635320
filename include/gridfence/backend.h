/* gridfence/backend.h - for those who bring their own device: a table of functions, and a device made of it.
 *
 * Nothing has to be checked in these functions: names, sizes, limits and overlap were checked before. Each that gives
 * false or NULL may have put a message into the sink; if it has not, one is made up. They are called by one thread at a
 * time per device memory, but by several threads per device. A gf_dispatch_fn (run.h) is the smaller way in.
 *
 * Structs grow at the end. A table compiled against an older header is taken: what it lacks is NULL. What it fills in
 * limits and results beyond its own header is zero before it is called. */
#ifndef GRIDFENCE_BACKEND_H
#define GRIDFENCE_BACKEND_H

#include <gridfence/device.h>
#include <gridfence/plan.h>
#include <gridfence/program.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_BACKEND_VERSION 1

typedef struct gf_backend_limits {
    bool host_memory;             /* memory of the device is memory of the process: pointers may be used as such */
    bool grid_barrier;            /* can run a whole program with its grid barriers in one launch */
    bool checked;                 /* honours gf_backend_launch.checked */
    bool races;                   /* and .races */
    bool atomics_64;              /* has 64-bit atomics */
    uint64_t max_resident_groups; /* for any kernel, at most this many workgroups in one launch with grid barriers */
    uint64_t max_groups[3];       /* workgroups per axis in any launch */
    uint32_t max_workgroup;       /* invocations of a workgroup */
    uint64_t max_shared_bytes;    /* workgroup arrays */
    uint64_t memory_bytes;        /* 0: not known */
    /* With grid_barrier: a launch of a whole program is carried out segment by segment on memory that stays, so that
     * the strategies native and resident are one and the same. */
    bool native_is_resident;
    bool persistent;  /* with grid_barrier: honours gf_backend_launch.keep_shares, for grids of any size */
    unsigned threads; /* of the CPU that run kernels; 0: does not apply */
    bool resident;    /* honours gf_backend_launch.by_segments: strategy resident is the device's own */
    bool sets_zeros;  /* honours gf_backend_launch.zeros */
} gf_backend_limits;

typedef struct gf_backend_buffer {
    void *memory;   /* as `alloc` gave it */
    uint64_t count; /* elements */
} gf_backend_buffer;

/* One segment of a launch, told by the device. */
typedef struct gf_backend_segment {
    uint64_t launches; /* that did work */
    double seconds;    /* wall, of all of them */
    uint64_t bytes;    /* of the buffers that they were given */
} gf_backend_segment;

typedef struct gf_backend_launch {
    const gf_value *params; /* one per param, in order of declaration */
    size_t param_count;
    gf_backend_buffer *buffers; /* one per buffer, in order of declaration; a `swap` of the program exchanges entries */
    size_t buffer_count;
    uint64_t space[3];   /* invocations per axis */
    uint64_t groups[3];  /* workgroups per axis; none is 0 */
    uint64_t max_passes; /* 1 for a program without grid barriers */
    bool compare;        /* stop when a pass has changed nothing */
    bool checked, races;
    const struct gf_stop *stop; /* to be asked by gf_backend_stopped at barriers and loop ends */
    bool (*on_pass)(void *user, uint64_t pass, bool changed); /* after each pass; false ends the run; NULL allowed */
    void *on_pass_user;
    bool keep_shares; /* workers keep their share of the workgroups from segment to segment; where limits say persistent
                       */
    /* Zeros, one per segment of the plan that gf_backend.plan gives, to be filled. NULL: nobody asks, and looking at
     * the clock per segment is time lost. */
    gf_backend_segment *segments;
    size_t segment_count;
    bool by_segments;     /* a launch for each segment, one behind the other, without asking the host in between */
    uint64_t memory_left; /* hidden memory (carried values and the like) may take no more bytes; UINT64_MAX: any */
    /* By buffer: memory that began as zeros and belongs to this run alone, so that nobody looks at it afterwards. A
     * device may set it to zeros behind the launch, where nobody waits for it, and have it ready for the next run.
     * NULL: none of them. */
    const bool *own_zeros;
    /* The program is a `forall` of another: what its first item is. Messages call invocation i the item that is i
     * behind it. NULL: it is none. */
    const gf_value *forall_from;
    /* By buffer: it is to begin as zeros, and its memory holds anything; where limits say sets_zeros. NULL: all are as
     * they should be. */
    const bool *zeros;
} gf_backend_launch;

typedef struct gf_backend_result {
    uint64_t passes;
    int converged;                                      /* 1, 0, -1: not known */
    uint64_t barriers;                                  /* grid barriers met */
    double seconds_device, seconds_queue, seconds_wait; /* -1: not known */
    /* A trap or failed assert: the earliest stretch, there the lowest invocation. */
    bool trapped;
    uint64_t trap_stretch, trap_invocation;
    const struct gf_stmt *trap_statement; /* NULL where the device cannot tell */
    gf_value trap_address;
    /* The launch failed with a message of what an invocation did wrong in checked code, and its buffers are as the
     * others left them. Of two launches of one stretch the message of the lower invocation counts. */
    bool has_fault;
    uint64_t fault_invocation; /* by linear id; of what is computed for the whole grid 0 */
    /* Of a launch that runs a whole program by segments; 0: it counts as one launch, and the rest is not known. */
    uint64_t launches, launches_skipped; /* segments that did work; that had no workgroups */
    uint64_t bytes_carried;              /* of hidden buffers, summed over segments as they were given them */
    uint64_t bytes_hidden;               /* hidden memory taken at most */
    bool counts_launches;                /* `launches` is known, even if it is 0 */
} gf_backend_result;

/* What a device says of a strategy for a launch. */
typedef struct gf_backend_choice {
    gf_strategy strategy;
    bool is_too_large; /* it cannot be had for a grid of this size */
    char why[240];     /* a clause, with the figures that decided */
} gf_backend_choice;

typedef struct gf_backend {
    uint32_t version; /* GF_BACKEND_VERSION */
    size_t size;      /* sizeof(gf_backend) */
    const char *name;
    /* `which` is what stands behind the colon of the device's name, or "". Gives the device's own handle in *device. */
    bool (*open)(void *user, const char *which, void **device, gf_backend_limits *limits, gf_diags *diags);
    void (*close)(void *device);
    void *(*alloc)(void *device, size_t bytes, gf_diags *diags); /* bytes > 0; contents may be anything */
    void (*release)(void *device, void *memory);
    bool (*upload)(void *device, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags);
    bool (*download)(void *device, const void *memory, size_t offset, void *data, size_t bytes, gf_diags *diags);
    bool (*zero)(void *device, void *memory, size_t offset, size_t bytes,
                 gf_diags *diags); /* NULL: zeros are uploaded */
    /* A program without grid barriers; with them too where limits say grid_barrier. Held until `discard`. */
    void *(*compile)(void *device, gf_program *program, gf_diags *diags);
    void (*discard)(void *device, void *kernel);
    /* Runs and waits. */
    bool (*launch)(void *device, void *kernel, const gf_backend_launch *launch, gf_backend_result *result,
                   gf_diags *diags);
    /* Workgroups of this kernel that can be resident at once; NULL: limits.max_resident_groups. */
    uint64_t (*resident_groups)(void *device, void *kernel);

    /* ---- from here on each may be NULL ---- */

    /* As compile, of a device that makes a plan of its own: by these options. NULL: compile is called. */
    void *(*compile_with)(void *device, gf_program *program, const gf_plan_options *plan, gf_diags *diags);
    /* The plan that a launch of this kernel carries out, borrowed from it; NULL: none that it could tell. */
    const gf_plan *(*plan)(void *device, void *kernel);
    /* True: whatever a launch of this kernel needs besides its buffers is taken before it writes to any of them, so
     * that a launch that began to write ends well unless the program traps or the caller stops it. Only then does a run
     * work on memory of the caller in place. NULL: never. */
    bool (*is_sure)(void *device, void *kernel);
    /* Lines `WHAT: VALUE` about the device for people, cut at `size`. */
    void (*describe)(void *device, char *text, size_t size);
    /* Which strategy suits a launch, of which sizes are known and memory is not (it is NULL in `buffers`). wanted AUTO:
     * out of NATIVE, PERSISTENT and RESIDENT, and why. One of these three: whether it can be had, and what there is to
     * say of it; false where not, and then why not. May compile, and measure. NULL: limits decide. */
    bool (*choose)(void *device, void *kernel, const gf_backend_launch *launch, gf_strategy wanted,
                   gf_backend_choice *choice);
} gf_backend;

/* True once the run should end: cancelled, or out of time. NULL gives false. A launch that has seen it leaves early;
 * the run fails then, whatever the launch gives. */
GF_API bool gf_backend_stopped(const struct gf_stop *stop);

/* A device made of a table, which is copied; `user` goes to open. NULL with a message. */
GF_API gf_device *gf_device_open_backend(const gf_backend *backend, void *user, const char *which, gf_diags *diags);
GF_API const gf_backend_limits *gf_device_limits(const gf_device *device); /* NULL for NULL */
/* What the device tells of itself, in lines `WHAT: VALUE`; "" where it tells nothing. */
GF_API void gf_device_describe(const gf_device *device, char *text, size_t size);

/* The backends built in, by index from 0; NULL past the end. */
GF_API const char *gf_device_kind(size_t index);

#ifdef __cplusplus
}
#endif
#endif
