/* What the library keeps of a communicator, and of an operation on it. Not installed. */
#ifndef QUADRILLE_MPI_CONTEXT_H
#define QUADRILLE_MPI_CONTEXT_H

#include "program.h"
#include "quadrille_mpi.h"

#if defined(OPEN_MPI) && defined(QUADRILLE_SHIM)
/* A shim is loaded into programs that have another MPI, or none: what is data of the library may be missing. */
#pragma weak OMPI_C_MPI_COMM_NULL_COPY_FN
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_char
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_comm_self
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_errors_return
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_int64_t
#pragma weak ompi_mpi_op_band
#pragma weak ompi_mpi_op_bor
#pragma weak ompi_mpi_op_bxor
#pragma weak ompi_mpi_op_land
#pragma weak ompi_mpi_op_lor
#pragma weak ompi_mpi_op_lxor
#pragma weak ompi_mpi_op_max
#pragma weak ompi_mpi_op_maxloc
#pragma weak ompi_mpi_op_min
#pragma weak ompi_mpi_op_minloc
#pragma weak ompi_mpi_op_no_op
#pragma weak ompi_mpi_op_null
#pragma weak ompi_mpi_op_prod
#pragma weak ompi_mpi_op_replace
#pragma weak ompi_mpi_op_sum
#pragma weak ompi_mpi_info_null
#pragma weak ompi_mpi_win_null
#pragma weak ompi_mpi_packed
#pragma weak ompi_mpi_uint32_t
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_request_null
#pragma weak ompi_mpi_2dblprec
#pragma weak ompi_mpi_2int
#pragma weak ompi_mpi_2integer
#pragma weak ompi_mpi_2real
#pragma weak ompi_mpi_c_bool
#pragma weak ompi_mpi_c_double_complex
#pragma weak ompi_mpi_c_float_complex
#pragma weak ompi_mpi_c_long_double_complex
#pragma weak ompi_mpi_complex16
#pragma weak ompi_mpi_complex8
#pragma weak ompi_mpi_cplex
#pragma weak ompi_mpi_cxx_bool
#pragma weak ompi_mpi_cxx_cplex
#pragma weak ompi_mpi_cxx_dblcplex
#pragma weak ompi_mpi_cxx_ldblcplex
#pragma weak ompi_mpi_dblcplex
#pragma weak ompi_mpi_dblprec
#pragma weak ompi_mpi_double
#pragma weak ompi_mpi_double_int
#pragma weak ompi_mpi_float
#pragma weak ompi_mpi_float_int
#pragma weak ompi_mpi_integer
#pragma weak ompi_mpi_integer1
#pragma weak ompi_mpi_integer2
#pragma weak ompi_mpi_integer4
#pragma weak ompi_mpi_integer8
#pragma weak ompi_mpi_logical
#pragma weak ompi_mpi_long_double
#pragma weak ompi_mpi_long_int
#pragma weak ompi_mpi_longdbl_int
#pragma weak ompi_mpi_real
#pragma weak ompi_mpi_real16
#pragma weak ompi_mpi_real4
#pragma weak ompi_mpi_real8
#pragma weak ompi_mpi_short_int
#pragma weak ompi_mpi_wchar
#endif

/* What a call that is passed on goes through lies together, on as few pages as it can. */
#define QD_HOT __attribute__((hot))

/* A program of the set, as this rank has it. */
typedef struct {
  qd_set_entry is;
  qd_head head;
  qd_program program;
} qd_served;

typedef struct quadrille_operation qd_operation;
struct qd_cell;

struct quadrille_context {
  MPI_Comm user; /* whose error handler is called, until it is freed; not used otherwise */
  MPI_Comm comm; /* of the same ranks, for our messages alone */
  int rank, size;
  int* node_of_rank; /* null: as numbered */
  char topology[256];
  qd_served* served;
  uint32_t num_served;
  /* Of each collective the least and the greatest message that an entry is for: a call that is passed on looks at no more. */
  struct {
    uint64_t least, most;
  } sizes[QD_COLLECTIVES];
  double timeout;      /* seconds; 0: for ever */
  double check;        /* seconds that ranks wait to compare what they call; 0: they do not compare */
  int takes_alltoallv; /* of the shim's contexts: it was asked for */
  unsigned next_tag, next_fixed_tag; /* of what is done once; of what is started often */
  int keeps_pairs;                   /* persistent calls keep persistent messages */
  int devices;        /* 1: buffers may be on a device, so ranks agree before calls; below 0: nobody looks */
  int requests;       /* that the user has */
  int leads;          /* its ranks are those that lead a node each */
  int broken;         /* an operation failed in the middle: nothing can be undone */
  qd_operation* idle; /* with their memory, for the next calls */
  qd_operation* under_way; /* requests of the user's that are not over: whoever waits moves all of them on */
  int has_had_requests;    /* since all ranks made the first one in the same place */
  int has_called_roll;     /* it has asked who else waits */
  struct quadrille_context* led_for; /* whose leaders' context it is; null: nobody's */
  struct qd_nodes*
      nodes; /* where several ranks share a node; then `served` says what leaders have, without programs */
  struct qd_online* online; /* null: sizes are as the set has them */
  quadrille_statistics statistics;
  struct quadrille_context* next; /* of all that are to be freed in MPI_Finalize */
};

/* A call of a collective, in MPI's words. */
typedef struct {
  int collective;
  const void* from;
  MPI_Count from_count;
  MPI_Datatype from_type;
  void* to;
  MPI_Count to_count;
  MPI_Datatype to_type;
  MPI_Op op;
  int root;
  /* Where blocks differ: elements of each rank's, and where it begins, in elements; no places: one behind the other. Null
   * at an end of one block, which has the count above. */
  int varies;
  const MPI_Count *from_counts, *to_counts;
  const MPI_Aint *from_places, *to_places;
} qd_call;
enum { QD_BARRIER_CALL = QD_COLLECTIVES };

/* A call whose buffers are on a device, and the same call on copies of them; null where there is none. */
typedef struct {
  qd_call original, call;
  char *from, *to;
} qd_host_copy;

/* One end of a call: blocks in the user's memory, and where the program finds them. */
typedef struct {
  char* user;      /* the first block */
  MPI_Count count; /* elements of a block */
  MPI_Datatype type;
  uint32_t blocks; /* of `count` elements, one behind the other */
  int is_plain;    /* elements lie as bytes, without gaps and in order */
  int is_staged;   /* the program works on a copy */
} qd_end;

struct quadrille_operation {
  quadrille_context* context;
  const qd_served* served;
  qd_call call; /* of one that is started often */
  int is_persistent, is_active;
  int is_once; /* persistent for its tag alone: no messages are kept */
  int varies;  /* blocks differ: `varying` says what is where, and slot, in and out say nothing */
  struct qd_varying* varying;
  struct qd_led* led;     /* of a call with counts that leaders do */
  int led_tag;            /* among them */
  struct qd_relay* relay; /* null but where several ranks share a node: then the rest is not of this call */
  int waits;              /* in the MPI library, which is not asked again and again */
  MPI_Request passed;     /* what the MPI library does */
  uint32_t at;            /* the next action */
  int tag;
  size_t slot;  /* bytes */
  size_t block; /* bytes of a block without padding */
  size_t unit;  /* bytes of an element, of 1 where nothing is combined */
  char* base[QD_BUFFERS];
  char* landing;
  MPI_Request* requests;
  MPI_Request* waiting; /* of one wait, side by side */
  MPI_Request*
      pairs; /* of one that is started often: each message, made once; null where they are made anew */
  qd_end in, out;
  qd_host_copy host;
  MPI_Datatype type; /* of what is combined */
  MPI_Op op;
  MPI_Count slot_elements;
  int commutes;
  double begun;
  /* Memory that stays for the next call. */
  char* memory;
  size_t memory_size;
  uint32_t num_requests;
  qd_operation* next;
  /* Of those under way: what has become of it while another one was waited for. */
  qd_operation* next_under_way;
  int outcome;
  qd_error why;
  /* While it is tested: what it is at, since when, as often as somebody asks, and when that was last. */
  uint64_t looked_at;
  double looked_for, looked;
};

/* What the shim does where nothing can be undone: says it, unless NULL, and ends the program. */
void qd_give_up(const qd_error* error);
/* Errors: the text becomes that of an error code of MPI; `call_handler`: of the user's communicator. */
int qd_raise(quadrille_context* context, MPI_Comm comm, const qd_error* error);
/* The code; a communicator that is gone has no handler. */
int qd_call_handler(MPI_Comm comm, int code);
/* The text of the last error in this thread. */
extern _Thread_local qd_error qd_last_error;

/* context.c. A text that begins with a rank's own words is the same on all ranks afterwards; 1 where all are well. */
int qd_agree(MPI_Comm comm, int good, qd_error* error);
int qd_create(MPI_Comm comm, const char* topology, const qd_set* set, const char* folder,
              const int* node_of_rank, quadrille_context** context, qd_error* error);
void qd_destroy(quadrille_context* context);
/* Of the environment; null where it is not set, or to nothing. */
const char* qd_setting(const char* name);
/* What an environment variable says; 0 seconds where it is not there. 0 with an error. */
int qd_read_seconds(const char* name, double* seconds, qd_error* error);
/* What is 0 or 1, or not set. */
int qd_read_switch(const char* name, int* on, qd_error* error);
/* What qd_choose() looks at first; to be called when `served` is known. */
void qd_bound_sizes(quadrille_context* context);
const qd_served* qd_choose(const quadrille_context* context, int collective, int root, uint64_t bytes);

/* agreements.c: what ranks agree on while a context is made, by nonblocking calls of the MPI library. Nobody waits for one longer than the time
 * limit: that of its own environment until rank 0's is known. The first that is late makes those behind it nothing, which leave what they
 * were to fill as it is; what is longer than a page, and what all ranks' blocks lie in, belongs to it from then on. In one thread, between begin and end, which
 * says what was late; 0 with an error then. */
void qd_begin_agreements(void);
int qd_end_agreements(MPI_Comm comm, qd_error* error);
void qd_agree_on_limit(double limit);
/* A communicator of all ranks for our messages alone, by which they find out who is missing. */
void qd_agree_on_own(MPI_Comm comm);
int qd_is_late(void);
/* 0: failed, or late. */
int qd_await(MPI_Request* request);
/* Whether all are here: before what cannot be given up. */
int qd_together(MPI_Comm comm);
/* For our messages alone, with errors returned; null for those without a colour. */
int qd_split(MPI_Comm comm, int color, int key, MPI_Comm* out);
void qd_bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
void qd_allreduce(void* buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
void qd_allgather_int(int mine, int* all, MPI_Comm comm);
int qd_scatter_int(const int* all, MPI_Comm comm);
void qd_gather_int(int mine, int* all, MPI_Comm comm);
/* Tags of operations lie below. */
enum { QD_ROLL_TAG = 0x7fff };
/* Of a context that waits in vain: "; no word from ranks 0 and 3", of all ranks that do not wait, too. It takes up to a quarter of the limit, and a second at most. Once: text
 * is empty then. */
void qd_call_roll(quadrille_context* context, double limit, char* text, size_t room);

/* Puts a context on the list of those that MPI_Finalize frees, or takes it off. */
void qd_remember(quadrille_context* context);
void qd_forget(const quadrille_context* context);
/* MPI_Finalize has begun, and all contexts are gone. */
int qd_is_over(void);

/* places.c. Where each rank sits by the topology of its communicator, on the network of a set (by its spec, and in its folder, which
 * rank 0 has); 0 where that is no answer; the same on all ranks. Collective. */
int qd_find_places(MPI_Comm comm, const char* spec, const char* folder, int size, int* node_of_rank);

/* nodes.c: several ranks for each endpoint of a network. */
int qd_create_by_nodes(MPI_Comm comm, const char* topology, const qd_set* set, const char* folder,
                       const int* node_of_rank, quadrille_context** context, qd_error* error);
void qd_free_nodes(struct qd_nodes* nodes, int is_broken);
/* The node of each rank, by QUADRILLE_RANKS_PER_NODE or by which memory they share, numbered as their lowest ranks in the world are;
 * how many there are, 0 without memory. Collective. */
int qd_nodes_in_world(MPI_Comm comm, int* node);
/* QUADRILLE_RANKS_PER_NODE; 0 where it is not set. */
int qd_read_ranks_per_node(int* each, qd_error* error);
/* Whether a blocking call was done by leaders; the same on all ranks. */
int qd_done_by_nodes(quadrille_context* context, const qd_call* call, int* code);
void qd_explain_nodes(const quadrille_context* context, char* text, size_t size);
/* The context among leaders, where this rank leads. */
quadrille_context* qd_leaders_of(const quadrille_context* context);
/* The number among leaders of that of a rank. */
int qd_leader_of(const quadrille_context* context, int rank);
/* Of a leader's message, where a rank's has so many. */
MPI_Count qd_bytes_of_leaders(const quadrille_context* context, int collective, MPI_Count bytes);

/* nodes_ongoing.c: calls that go on, of several ranks a node. Whether leaders do one; the same on all ranks. */
int qd_is_relayed(quadrille_context* context, const qd_call* call);
/* For the operation's call and tag, in the order in which all ranks make their calls; 0 with an error. */
int qd_make_relay(qd_operation* operation, int is_once, qd_error* error);
int qd_begin_relay(qd_operation* operation, const qd_call* call, qd_error* error);
int qd_advance_relay(qd_operation* operation, qd_error* error);
void qd_free_relay(qd_operation* operation);
/* The leaders' exchange, while this rank is in it; else null. */
qd_operation* qd_led_by(const qd_operation* operation);
/* nodes_ongoing_varying.c: the same of calls with counts (operation->call). Two numbers of each rank, of which all want the largest, with
 * a root of the second the sum, where qd_knows_extent() does not hold; whether they say that the MPI library is to refuse the call;
 * whether leaders do it, the same on all ranks. */
void qd_numbers_for_leaders(const quadrille_context* context, const qd_call* call, int64_t numbers[2]);
int qd_is_refused_by_numbers(const qd_call* call, const int64_t numbers[2]);
int qd_leaders_serve(quadrille_context* context, const qd_call* call, const int64_t numbers[2]);
int qd_begin_led(qd_operation* operation, qd_error* error);
int qd_advance_led(qd_operation* operation, qd_error* error);
void qd_free_led(qd_operation* operation);
qd_operation* qd_led_with_counts(const qd_operation* operation);

/* operation.c. */
enum { QD_DONE, QD_UNDER_WAY, QD_FAILED };
qd_operation* qd_new_operation(quadrille_context* context);
void qd_keep_operation(qd_operation* operation);
void qd_free_operation(qd_operation* operation);
/* Tags of its own, among all ranks and among leaders: taken in the order of calls. */
void qd_take_tags(qd_operation* operation, int is_often);
/* Starts a program, whose ends, slot, unit and op are set; 0 with an error. */
int qd_begin(qd_operation* operation, qd_error* error);
/* As far as it goes without waiting. */
int qd_advance(qd_operation* operation, qd_error* error);
/* A request of the user's begins, and is over. */
void qd_enlist(qd_operation* operation);
void qd_strike_off(const qd_operation* operation);
/* All requests that are under way, but one; null: all. Who waits for one of them may be who another rank waits for in another. */
void qd_advance_all(const quadrille_context* context, const qd_operation* but);
/* Before ranks block in the MPI library, where none moves on what another one may still wait for, and nobody looks at the time: all are there; `what` they
 * are to do there. 0 with an error, and then the context is broken. */
int qd_meet_before_blocking(quadrille_context* context, const char* what, qd_error* error);
/* The same where they have requests of each other's or not: a barrier. */
int qd_meet_all(quadrille_context* context, const char* what, qd_error* error);
/* The largest of two numbers of all ranks. */
int qd_compare_numbers(quadrille_context* context, int64_t numbers[2], const char* what, qd_error* error);
/* The same, and whether the time is over of one that somebody looks at again and again. */
int qd_look(qd_operation* operation, qd_error* error);
/* To the end, or until the time is over. */
int qd_finish(qd_operation* operation, qd_error* error);
double qd_now(void);
/* MPI_Testall, or MPI_Waitall. */
int qd_test_all(int count, MPI_Request* requests, int waits, int* over);
/* Waits for what the MPI library does among all ranks, as long as the context lets it and some seconds `beyond`; `what` is how errors call it. 0 with an
 * error, and then the context is broken. */
int qd_wait_for_ranks(quadrille_context* context, MPI_Request* request, double beyond, const char* what,
                      qd_error* error);
/* Numbers of all ranks of `comm` by an operator, in so many seconds (0: for ever). The same. */
int qd_reduce_in_time(quadrille_context* context, MPI_Comm comm, int64_t* numbers, int count, MPI_Op op,
                      double seconds, const char* what, qd_error* error);
/* What the machine has for that of blocks that differ. */
int qd_stop(qd_operation* operation, int code, qd_error* error);
int qd_combine(const qd_operation* operation, char* into, const char* from, size_t bytes, int before);
int qd_reserve(qd_operation* operation, size_t bytes);
int qd_reserve_requests(qd_operation* operation, uint32_t count);
void qd_free_pairs(qd_operation* operation);
/* Bytes at an absolute address that are more than int can count. */
int qd_long_type(void* at, size_t bytes, MPI_Datatype* type);

/* data.c: blocks between the user's memory and plain bytes. */
int qd_is_plain(MPI_Datatype type);
/* Bytes of an element, of any length; 0 of no type. */
int64_t qd_size_of(MPI_Datatype type);
int qd_gather_blocks(const qd_operation* operation, const qd_end* end, char* plain, MPI_Comm comm);
int qd_scatter_blocks(const qd_operation* operation, const qd_end* end, const char* plain, MPI_Comm comm);
int qd_pack(const char* from, MPI_Count count, MPI_Datatype type, char* plain, MPI_Comm comm);
int qd_unpack(const char* plain, char* to, MPI_Count count, MPI_Datatype type, MPI_Comm comm);

/* numbers.c: of two numbers the largest of all ranks, or of the second the sum, which ends at the largest there is. No longer than a
 * call is under way; the numbers are `mine` when it is over. */
typedef struct {
  int64_t mine[2], came[2];
  int adds, step, num_requests;
  MPI_Request requests[2];
} qd_numbers;
void qd_begin_numbers(qd_numbers* numbers, int64_t first, int64_t second, int adds);
/* What MPI says; over: all ranks' numbers are in. */
int qd_advance_numbers(qd_numbers* numbers, MPI_Comm comm, int tag, int rank, int size, int waits, int* over);
/* Of one that waits: "a message from rank 3 is outstanding". */
void qd_say_numbers(const qd_numbers* numbers, int rank, int size, char* text, size_t room);

/* direct.c: a call with counts (operation->call) without a program. What MPI says; it is over when the requests are, and then to be
 * ended. */
int qd_begin_direct(qd_operation* operation, uint32_t* num_requests);
int qd_end_direct(qd_operation* operation);

/* varying.c: allgatherv, reduce_scatter, alltoallv, gatherv and scatterv, by the programs of their relatives. What ranks
 * know of a call's blocks: the longest, and how many bytes there are; of alltoallv, at the rank that sends most, once they
 * have agreed; of gatherv and scatterv, too, they agree first. */
typedef struct {
  int64_t longest, all;
} qd_extent;
/* Of a call that no program does. */
static const qd_extent qd_too_long = {INT64_MAX, 0};
/* Whether every rank knows it before they agree. */
int qd_knows_extent(const qd_call* call);
qd_extent qd_extent_of(const quadrille_context* context, const qd_call* call);
/* Null: the MPI library's. The same on all ranks. */
const qd_served* qd_serving_varying(const quadrille_context* context, const qd_call* call, qd_extent extent);
/* Starts a call: `extent` where all ranks know it, else null: they agree first. 0 with an error. */
int qd_begin_varying(qd_operation* operation, const qd_call* call, const qd_extent* extent, int is_now,
                     qd_error* error);
int qd_advance_varying(qd_operation* operation, qd_error* error);
/* What it waits for while it has no program: "ranks agree about sizes of alltoallv: .."; and how far it is. */
void qd_say_varying(const qd_operation* operation, char* text, size_t room);
uint64_t qd_varying_is_at(const qd_operation* operation);
/* Leaders do it: the operation has no program of its own. */
int qd_is_led(const qd_operation* operation);
/* A receive whose message has not been seen yet. */
int qd_is_awaited(const qd_operation* operation, uint32_t request);
void qd_free_varying(struct qd_varying* varying);

/* collectives.c. Whether a program of the context does the call; the same on all ranks. */
const qd_served* qd_serving(quadrille_context* context, const qd_call* call, uint64_t* bytes);
int qd_do(quadrille_context* context, const qd_served* served, const qd_call* call, uint64_t bytes,
          quadrille_request* request);
/* A blocking call, as the user would make it. */
int qd_call_now(quadrille_context* context, const qd_call* call);
/* Starts what leaders do of a call: without a word to an error handler; 0 with an error. */
int qd_prepare_led(qd_operation* operation, const qd_call* call, qd_error* error);
/* Where blocks differ. `extent`: where all ranks know it, else null. */
int qd_do_varying(quadrille_context* context, const qd_call* call, const qd_extent* extent,
                  quadrille_request* request);
/* With QUADRILLE_CHECK: whether all ranks make the same call; else an error, the same on all ranks that came. Collective. */
int qd_same_call(quadrille_context* context, const qd_call* call, qd_error* error);
uint64_t qd_bytes_of(MPI_Count count, MPI_Datatype type);
/* Of the message of a call, as a set counts it; 0 for a count that MPI refuses. */
int qd_message_bytes(const quadrille_context* context, const qd_call* call, uint64_t* bytes);
/* arguments.c. Whether the MPI library would refuse a call of which it is known, so far as this rank sees: no program looks at it. */
int qd_is_refused(const quadrille_context* context, const qd_call* call);
/* Whether the root, where there is one, is a rank. */
int qd_has_root(const quadrille_context* context, const qd_call* call);
/* Whether it is MPI_IN_PLACE that is wrong, of which not all libraries know: an error then, which names it. */
int qd_is_misplaced(const quadrille_context* context, const qd_call* call, qd_error* error);
/* Whether a count that means something on this rank is below 0, or not there, of which not all libraries know either. */
int qd_is_miscounted(const quadrille_context* context, const qd_call* call, qd_error* error);
/* Whether it may be applied in any order; of none it is not said. */
int qd_commutes(MPI_Op op);
/* Elements that the operator takes, and that lie as MPI_Reduce_local finds them in an array. */
int qd_is_combined(MPI_Op op, MPI_Datatype type);
/* What arithmetic an operator of MPI's own does with elements of a predefined type, and on how many bytes; 0 of all others. In words. */
int64_t qd_elements_of(MPI_Op op, MPI_Datatype type);
void qd_say_elements(int64_t elements, char* text, size_t size);
/* "MPI_SUM"; the same words for all that are the user's own. */
const char* qd_op_name(MPI_Op op);

/* device.c: buffers in the memory of a device. Whether this process has the runtime of one. */
int qd_has_device_runtime(void);
/* What QUADRILLE_DEVICE says: 1 as if a rank had one, below 0 as if none ever had, 0: it says nothing. */
int qd_read_devices(int* devices, qd_error* error);
/* `context->devices`, by what rank 0 was told. Collective. */
int qd_agree_on_devices(MPI_Comm comm, int told);
/* Whether a call that waits for its end, or does not, is the MPI library's since a rank may have its buffers on a device; the same
 * on all ranks. Collective where it waits; below 0 where not all came, with the code of the error then. */
int qd_leaves_devices(quadrille_context* context, const qd_call* call, int is_now, int* code);
/* Where buffers of this rank are on a device, and nobody else may know: `of` is the call on copies, and the call to be done is
 * returned; null with an error. Else the call itself, and `of` has no copies. */
const qd_call* qd_on_host(const quadrille_context* context, const qd_call* call, qd_host_copy* of,
                          qd_error* error);
static inline int qd_has_copies(const qd_host_copy* of) { return of->from != NULL || of->to != NULL; }
/* The end of such a call: what came goes to the device, and the copies go. The code, or another one. */
int qd_back_to_device(const quadrille_context* context, qd_host_copy* of, int code);

/* online.c: QUADRILLE_TUNE=online. Whether it is asked for; -1 with an error. */
int qd_wants_online(qd_error* error);
/* A set, and where it is asked for the programs of candidates.txt, too, for no size. */
int qd_read_set_to_try(const char* folder, qd_set* set, qd_error* error);
int qd_begin_online(quadrille_context* context);
/* Who leaves a barrier first must not send at once what is measured: on slow links it would be in front of the last words of the barrier, for
 * which others still wait. All wait for the time of a few barriers, in seconds, the same on all ranks. Collective. */
double qd_settling_time(quadrille_context* context, qd_error* error); /* below 0 with an error */
void qd_settle(double seconds);
void qd_free_online(quadrille_context* context);
/* Who does a blocking call that `served` would do: null for the MPI library, the same on all ranks. `tried`: not null where that
 * is to be done by qd_try(). */
const qd_served* qd_serving_online(quadrille_context* context, const qd_call* call, const qd_served* served,
                                   uint64_t* bytes, struct qd_cell** tried);
int qd_try(quadrille_context* context, const qd_served* served, const qd_call* call, uint64_t bytes,
           struct qd_cell* cell);
/* 0: nothing is known of it. */
int qd_explain_online(const quadrille_context* context, int collective, int root, uint64_t bytes, char* text,
                      size_t size);

/* watch.c. Between these this thread is in a blocking call of the MPI library, of that name: should it be so for longer than the limit, in seconds,
 * the program is told and ended. 0: it may take for ever. */
void qd_begin_watched(double limit, int rank, const char* name);
void qd_end_watched(void);

/* What the MPI library makes of a call. `request`: null where it is to be waited for. */
int qd_pass_on(const qd_call* call, int rank, MPI_Comm comm, MPI_Request* request);

#endif
