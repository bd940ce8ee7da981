/* core.h: the base of all layers of the simulated device: host threads, the lock, handles, the
 * profile, and the end of the program if the simulation itself cannot continue.
 *
 * One lock (sim.lock) guards the whole device. Times are virtual nanoseconds since the device was
 * first used (ns_t). */
#pragma once

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/check.h"
#include "profile.h"
#include "simgpu.h"

enum { MAX_DEVICES = 16 };

#define EXPORT __attribute__((visibility("default")))

/* ---- sim.c: the state that all layers share -------------------------------------------------- */

struct sim {
    pthread_mutex_t lock;
    struct profile profile;
    int n_devices;
    ns_t now;             /* everything up to this time has happened */
    uint64_t n_calls;     /* API calls so far */
    bool has_slept;       /* time has passed for the host, by no call, while work was pending */
    int n_device_graphs;  /* live execs uploaded for device launch; 0: no kernel launches a graph */
    bool compute, checks; /* SIMGPU_COMPUTE, SIMGPU_CHECKS */
    int peers;            /* SIMGPU_PEERS: so many devices each can access each other's memory */
    bool tracing;
    bool setting_up;  /* simgpu_setting_up */
    bool forked;      /* a child of the program that used the device: it has none */
    uint64_t freedom; /* SIMGPU_FREEDOM; 0: nothing is drawn */
};
extern struct sim sim;

/* The simulated device itself cannot go on: says why on stderr and aborts the program. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Memory that was asked for, which is there; else that is said, and what it is for. */
void *needed(void *memory, const char *what, ...) __attribute__((format(printf, 2, 3)));
/* The array of n items, with room for one more. *cap: for how many it has room; 0 at first. */
void *room_for_one(void *items, size_t n, size_t *cap, size_t item_bytes, const char *what);

/* e destroyed the contexts of all devices: every later call that needs one returns it. */
void context_fail(cudaError_t e);
/* The same of one device alone. */
void context_lose(int device, cudaError_t e);
cudaError_t context_error(void);

bool device_exists(int device);

/* What each load and store of host code reads while work is pending (common/simcc/inline_checks.awk
 * knows where). The moment changes by HOST_MOMENT with all that the host enqueues and what it
 * learns. It is so large that an address plus a moment is no other address plus a later moment. */
extern struct simgpu_host {
    _Atomic uint64_t moment;
    uintptr_t watched; /* accesses below this are recorded; while a grid runs, all are */
} simgpu_host;
#define HOST_MOMENT UINT64_C(0x9e3779b97f4a7c15)

/* ---- thread.c: host threads and the lock ----------------------------------------------------- */

struct stream;
struct op;

/* What a host thread has computed between its calls, in CPU time. */
struct host_time {
    uint32_t run;        /* in which it is counted */
    ns_t since;          /* its CPU time when the last call returned */
    ns_t spent, charged; /* in this run; and what of it has entered its virtual clock */
    ns_t calls;          /* virtual time of its calls in this run */
    bool is_free;        /* not counted for now */
};

/* A call that returned an error. */
struct failed_call {
    const char *name; /* NULL: there is none */
    cudaError_t error;
    struct simgpu_caller caller; /* where the program made the call */
    struct simgpu_refusal refusal;
};

/* A host thread. */
struct thread_state {
    uint64_t id;            /* in order of first use of the device, from 1 */
    uintptr_t stack_end;    /* of its own stack */
    cudaError_t last_error; /* for cudaGetLastError */
    struct failed_call latest_failed;
    struct failed_call ignored;    /* simgpu_ignored_call */
    struct simgpu_refusal refusal; /* of the call that it is in */
    uint64_t returned[16];         /* a bit for each error that any call has returned */
    int device;                    /* current device */
    ns_t clock;                    /* its virtual time */
    struct host_time host_time;
    struct stream *per_thread[MAX_DEVICES]; /* cudaStreamPerThread of each device, or NULL */
    const struct call *call;                /* the API call it is in */
    uint64_t came_in; /* it waited for the lock, in vain at first: since this API call of another
                         thread; UINT64_MAX: it did not wait */
    struct simgpu_caller caller; /* where the program made it */
    bool in_call;
    struct simgpu_caller launcher; /* where it wrote the <<<>>> whose cudaLaunchKernel comes next */
    struct simgpu_finding unasked; /* the first <<<>>> that failed since the program last asked for
                                      an error; SIMGPU_WHAT_NOTHING: there is none */
    ns_t call_start_ns;
    enum api_cost call_cost;    /* the cost of the call */
    int symbol_kind;            /* copying a __device__ variable: 1 + the direction given; else 0 */
    bool in_host_func;          /* it runs a host function: CUDA calls are not permitted */
    const struct op *acts_as;   /* that one; else NULL */
    bool has_synced;            /* by a lock or a signal, since that one began */
    bool in_destructor;         /* the same, of a user object; the device is locked meanwhile */
    ns_t host_work_ns;          /* virtual time that the host function has taken so far */
    long n_switches;            /* its context switches when its latest query returned; or 0 */
    int n_slept;                /* so many of its queries in vain came after a sleep */
    int cancel_state;           /* to restore: no thread is cancelled while it holds the lock */
    bool default_is_per_thread; /* inside a _ptsz call: stream 0 means cudaStreamPerThread */
    enum cudaStreamCaptureMode capture_mode; /* of cudaThreadExchangeStreamCaptureMode */
};

/* The calling thread. Its first call starts the device (on_first_use). */
extern __thread struct thread_state *thread_now __attribute__((visibility("hidden")));
struct thread_state *thread_first(void);
static inline struct thread_state *thread_self(void)
{
    return thread_now ? thread_now : thread_first();
}
/* `start` runs before the first thread uses the device, `end` when a thread that did so ends. */
void on_first_use(void (*start)(void), void (*end)(struct thread_state *t));
/* Why the running call of the thread returns an error: the first reason counts. */
void refusal_note(enum simgpu_refused what, const char *argument, int64_t a, int64_t b, int64_t c);
/* A member of a node's parameters is not set, or has a value that it cannot have. Returns
 * cudaErrorInvalidValue. */
cudaError_t refusal_of_member(const char *member);
/* The handle is NULL, or no handle of that type is alive. */
void refusal_note_handle(const void *handle, const char *argument);
/* Are all flags among the known ones? If not, notes the others. */
bool refusal_knows(unsigned flags, unsigned known);
/* The place in the program that made the running call of the thread. */
struct simgpu_caller call_place(void);
/* Threads that use the device later start at the clock of t. */
void thread_clock_publish(const struct thread_state *t);

/* Starts a thread that the program's signals do not reach. An error number, or 0. */
int thread_start(void *(*fn)(void *), void *arg);

void device_lock(struct thread_state *t);
/* False: another thread has the lock. */
bool device_try_lock(struct thread_state *t);
void device_unlock(const struct thread_state *t);
/* The same without the thread's state: another thread may take the lock. */
void device_release(void);
/* Gives up the lock until the condition is signaled, or until then (NULL: for ever). As
 * pthread_cond_timedwait. */
int device_wait(pthread_cond_t *changed, const struct timespec *until);
/* Once: sets an action for each release of the lock, before the release. */
void device_on_unlock(void (*before)(void));
/* Once: sets an action of the calling thread for each time that it has got the lock for a call. */
void device_on_lock(void (*after)(void));
void device_locked(void);    /* it has */
bool device_is_called(void); /* does another thread wait for the lock, or in device_wait? */

/* ---- host_time.c ----------------------------------------------------------------------------- */

/* From here on, what a thread computes between its calls counts if it is more than this and the
   virtual time of its calls. The end returns how much it was, of all threads. */
void host_time_begin(struct thread_state *t, ns_t allowed);
ns_t host_time_end(void);
/* A call begins: what the thread's virtual clock is to be advanced by. A call has ended. */
ns_t host_time_charge(struct thread_state *t);
void host_time_resume(struct thread_state *t);
/* A call takes so much virtual time. */
void host_time_call(struct thread_state *t, ns_t ns);
void host_time_free(struct thread_state *t, bool is_free);

/* ---- caller.c: where the program makes calls ------------------------------------------------- */

/* The innermost calls of the program's own code among those that `frame`
 * (__builtin_frame_address(0)) returns to. */
struct simgpu_caller caller_of(const void *frame, uintptr_t stack_end);
uintptr_t caller_stack_end(void); /* of the calling thread */
extern struct own_code {
    uintptr_t begin, end; /* of the code whose calls count */
    uintptr_t base;       /* of the program: its file has addresses from 0 */
    bool is_named;        /* by simgpu_own_code; else it is the whole program */
} own_code;
/* Does the program's own code return there? *call: the address of the call; 0: not known. */
static inline bool caller_is_own(const void *returns_to, uint32_t *call)
{
    const uintptr_t at = (uintptr_t)returns_to;
    const bool is_own = at > own_code.begin && at <= own_code.end;
    *call = is_own ? (uint32_t)(at - 1 - own_code.base) : 0;
    return is_own || !own_code.is_named;
}

/* ---- caller_line.c --------------------------------------------------------------------------- */

enum { CALLER_LINE = 64 };

/* "lab.c:57" of each of n <= 8 addresses; empty: nobody can say, for one of 0 or of a program
 * without -g. */
void caller_lines(const uint32_t *callers, int n, char lines[][CALLER_LINE]);

/* ---- settings.c ------------------------------------------------------------------------------ */

/* The value of a variable SIMGPU_* (simgpu.h); NULL: it is not set. */
const char *setting(const char *name);
/* Its number, from least to most; `otherwise` if it is not set or empty, and, with a message on
 * stderr, if it is something else. `of`: what is counted, for the message: " of seconds", or "". */
long setting_number(const char *name, const char *of, long least, long most, long otherwise);

/* ---- freedom.c: what NVIDIA leaves open ------------------------------------------------------ */

enum freedom {
#define FREEDOM(row, ...) FREEDOM_##row,
#include "freedoms.def"
#undef FREEDOM
};
void freedom_from_env(void);
/* Only if sim.freedom is set: 64 drawn bits, and a drawn time, for number `of` (say, the id of an
 * operation). */
uint64_t freedom_bits(enum freedom row, uint64_t of);
ns_t freedom_later(enum freedom row, uint64_t of);
/* At any time: is one of the two ways that are allowed drawn, instead of the usual one? How much
 * later than usual? */
static inline bool freedom_other_way(enum freedom row, uint64_t of)
{
    return sim.freedom && freedom_bits(row, of) & 1;
}
static inline ns_t freedom_delay(enum freedom row, uint64_t of)
{
    return sim.freedom ? freedom_later(row, of) : 0;
}

/* ---- handle.c: live handles ------------------------------------------------------------------ */

enum handle_type {
    HANDLE_NONE,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_POOL,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_EXEC,
    HANDLE_USER_OBJECT,
    HANDLE_DEVICE_NODE,
    HANDLE_ARRAY
};

void handle_add(const void *p, enum handle_type type);
void handle_remove(const void *p);
uint32_t handle_caller(const void *p); /* where the program made the call that added it */
enum handle_type handle_type_of(const void *p);
/* Was it a handle, and is none any more? A table that has grown since may have forgotten it. */
bool handle_was_alive(const void *p);
/* Calls fn for every live handle of the type; fn may remove it. */
void handle_each(enum handle_type type, void (*fn)(void *p, void *arg), void *arg);

/* ---- device_attributes.c --------------------------------------------------------------------- */

/* The PCI device of simulated device 0; the others follow. */
enum { PCI_DOMAIN = 0, PCI_BUS = 0, PCI_FIRST_DEVICE = 6 };

/* The value that all devices share. */
int device_limit(int attribute);
/* False: there is no such attribute (enum cudaDeviceAttr). */
bool device_attribute(int *value, int number, int device);
