/* Calls with counts that go on where several ranks share a node. As in nodes_ongoing.c what a rank gives goes to the leader of its node as a
 * message, and what it gets comes as one; in front of them each tells the leader how long its blocks are, as nobody else knows. */
#include <stdlib.h>
#include <string.h>

#include "nodes_varying.h"

enum { LED_COUNTING, LED_COLLECTING, LED_EXCHANGING, LED_RETURNING, LED_OVER };

struct qd_led {
  qd_varying_call of;
  int phase;
  uint64_t* table;   /* at the leader of each rank of the node, what it says, one behind the other */
  size_t* begins;    /* per position, twice */
  MPI_Count* counts; /* per leader, twice */
  char* areas;       /* what goes, and behind it what has come */
  qd_operation* led; /* the leaders' exchange; null at others */
  qd_call led_call;
  MPI_Request* requests;
  int num_requests;
  int code;     /* what the leader says of the exchange: 0 where it is well */
  qd_error why; /* at the leader */
};

void qd_free_led(qd_operation* operation) {
  struct qd_led* led = operation->led;
  if (led == NULL) return;
  if (led->led != NULL) {
    led->led->is_persistent = led->led->is_once = 0;
    qd_keep_operation(led->led);
  }
  free(led->table);
  free(led->begins);
  free(led->counts);
  free(led->areas);
  free(led->requests);
  free(led);
  operation->led = NULL;
}

qd_operation* qd_led_with_counts(const qd_operation* operation) {
  return operation->led != NULL && operation->led->phase == LED_EXCHANGING ? operation->led->led : NULL;
}

/* --- what each says ----------------------------------------------------------------------------------------- */

/* The number of a rank of this node among all of its communicator. */
static int rank_of(const quadrille_context* context, int number) {
  const struct qd_nodes* nodes = context->nodes;
  const int position = nodes->at[context->rank] - nodes->me + number;
  int rank = 0;
  while (nodes->at[rank] != position) ++rank;
  return rank;
}

static int is_root(const quadrille_context* context, const qd_call* call, int number) {
  const struct qd_nodes* nodes = context->nodes;
  return qd_is_rooted(call->collective) &&
         nodes->at[call->root] == nodes->at[context->rank] - nodes->me + number;
}

/* How many numbers that is; the root's are its own block, and of all blocks. */
static size_t words_of(const quadrille_context* context, const qd_call* call, int number) {
  const size_t size = (size_t)context->size;
  if (call->collective == QD_ALLTOALL) return 2 * size;
  if (call->collective == QD_REDUCE_SCATTER) return 0;
  return is_root(context, call, number) ? 1 + size : 1;
}

static size_t words_before(const quadrille_context* context, const qd_call* call, int number) {
  size_t out = 0;
  for (int i = 0; i < number; ++i) out += words_of(context, call, i);
  return out;
}

static void say(const quadrille_context* context, const qd_varying_call* of, uint64_t* words) {
  const qd_call* call = of->call;
  if (call->collective == QD_ALLTOALL) {
    qd_say_exchange(context, of, words);
  } else if (call->collective != QD_REDUCE_SCATTER) {
    words[0] = (uint64_t)qd_own_bytes(context, call);
    if (!qd_is_rooted(call->collective) || context->rank != call->root) return;
    const qd_blocks* whole = call->collective == QD_GATHER ? &of->to : &of->from;
    for (int r = 0; r < context->size; ++r)
      words[1 + context->nodes->at[r]] = (uint64_t)whole->counts[r] * whole->unit;
  }
}

/* --- making ------------------------------------------------------------------------------------------------- */

/* Of a rank that does not lead: its blocks alone, in the order of positions. */
static void lay_out_apart(const quadrille_context* context, struct qd_led* led) {
  const struct qd_nodes* nodes = context->nodes;
  qd_varying_call* of = &led->of;
  const int collective = of->call->collective, size = context->size;
  const int has_root = context->rank == of->call->root;
  const size_t own = collective == QD_ALLTOALL || collective == QD_REDUCE_SCATTER
                         ? 0
                         : (size_t)qd_own_bytes(context, of->call);
  of->given = of->got = own;
  if (collective == QD_ALLTOALL || collective == QD_REDUCE_SCATTER || (collective == QD_SCATTER && has_root))
    of->given = qd_lay_out(nodes, size, &of->from, of->from_begins, of->sends, 1);
  else if (collective == QD_SCATTER)
    of->given = 0;
  if (collective == QD_ALLTOALL || collective == QD_ALLGATHER || (collective == QD_GATHER && has_root))
    of->got = qd_lay_out(nodes, size, &of->to, of->to_begins, of->gets, 1);
  else if (collective == QD_REDUCE_SCATTER)
    of->got = (size_t)of->from.counts[context->rank] * of->from.unit;
  else if (collective == QD_GATHER)
    of->got = 0;
}

static int reserve_areas(struct qd_led* led) {
  const size_t line = 64;
  const size_t behind = (led->of.given + line - 1) / line * line;
  led->areas = malloc(behind + led->of.got + 1);
  if (led->areas == NULL) return MPI_ERR_NO_MEM;
  led->of.out = led->areas;
  led->of.in = led->areas + behind;
  return MPI_SUCCESS;
}

static int start(const qd_operation* operation, int is_sent, void* at, size_t count, MPI_Datatype type,
                 int peer) {
  struct qd_led* led = operation->led;
  const MPI_Comm node = operation->context->nodes->node;
  MPI_Request* request = &led->requests[led->num_requests++];
  return is_sent ? PMPI_Isend(at, (int)count, type, peer, operation->tag, node, request)
                 : PMPI_Irecv(at, (int)count, type, peer, operation->tag, node, request);
}

/* Whether something comes back to a rank of the node, besides what the leader says. */
static int gets(const quadrille_context* context, const qd_call* call, int number) {
  return call->collective != QD_GATHER || is_root(context, call, number);
}

/* Of a rank that does not lead: all that it sends, and what it waits for. */
static int send_and_receive(qd_operation* operation, qd_error* error) {
  struct qd_led* led = operation->led;
  const quadrille_context* context = operation->context;
  qd_varying_call* of = &led->of;
  const size_t words = words_of(context, of->call, context->nodes->me);
  lay_out_apart(context, led);
  const int64_t surplus = qd_surplus(context, of, error);
  (void)surplus; /* the leader hears of it, and says it to all */
  led->table = malloc((words + 1) * sizeof *led->table);
  int code = led->table == NULL ? MPI_ERR_NO_MEM : reserve_areas(led);
  if (code != MPI_SUCCESS) return code;
  say(context, of, led->table);
  if (words > 0) code = start(operation, 1, led->table, words, MPI_INT64_T, 0);
  if (code == MPI_SUCCESS && of->given > 0) {
    code = qd_give_varying(context, of);
    if (code == MPI_SUCCESS) code = start(operation, 1, of->out, of->given, MPI_BYTE, 0);
  }
  if (code != MPI_SUCCESS || !gets(context, of->call, context->nodes->me)) return code;
  code = start(operation, 0, &led->code, 1, MPI_INT, 0);
  return code != MPI_SUCCESS ? code : start(operation, 0, of->in, of->got, MPI_BYTE, 0);
}

/* The leader asks for what the others say. */
static int ask(qd_operation* operation) {
  struct qd_led* led = operation->led;
  const quadrille_context* context = operation->context;
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = led->of.call;
  led->table = malloc((words_before(context, call, nodes->each) + 1) * sizeof *led->table);
  if (led->table == NULL) return MPI_ERR_NO_MEM;
  say(context, &led->of, led->table);
  int code = MPI_SUCCESS;
  for (int i = 1; i < nodes->each && code == MPI_SUCCESS; ++i) {
    const size_t words = words_of(context, call, i);
    if (words > 0)
      code = start(operation, 0, led->table + words_before(context, call, i), words, MPI_INT64_T, i);
  }
  return code;
}

int qd_begin_led(qd_operation* operation, qd_error* error) {
  quadrille_context* context = operation->context;
  const struct qd_nodes* nodes = context->nodes;
  const qd_call* call = &operation->call;
  const size_t size = (size_t)context->size;
  qd_free_led(operation);
  struct qd_led* led = operation->led = calloc(1, sizeof *led);
  if (led == NULL) return qd_fail(error, "quadrille: rank %d: no memory", context->rank);
  led->begins = malloc(2 * size * sizeof *led->begins);
  led->counts = calloc(2 * size, sizeof *led->counts);
  led->requests = malloc((2 * (size_t)nodes->each + 4) * sizeof *led->requests);
  led->led = nodes->leaders == NULL ? NULL : qd_new_operation(nodes->leaders);
  int code = led->begins == NULL || led->counts == NULL || led->requests == NULL ||
                     (nodes->leaders != NULL && led->led == NULL)
                 ? MPI_ERR_NO_MEM
                 : MPI_SUCCESS;
  if (code == MPI_SUCCESS) {
    led->of = (qd_varying_call){.call = call,
                                .from = qd_given_by(context, call),
                                .to = qd_got_by(context, call),
                                .from_begins = led->begins,
                                .to_begins = led->begins + size,
                                .sends = led->counts,
                                .gets = led->counts + size,
                                .apart = nodes->me > 0};
    led->phase = nodes->me > 0 ? LED_RETURNING : LED_COUNTING;
    code = nodes->me > 0 ? send_and_receive(operation, error) : ask(operation);
  }
  if (code == MPI_SUCCESS) {
    ++context->statistics.served;
    return 1;
  }
  context->broken = 1;
  return qd_fail(error, "quadrille: rank %d: %s", context->rank,
                 code == MPI_ERR_NO_MEM ? "no memory" : "the MPI library failed within a node");
}

/* --- at the leader ------------------------------------------------------------------------------------------ */

/* What a rank of the node gives or gets, where it lies in the leader's areas: so many pieces. */
typedef struct {
  MPI_Aint* places;
  int* lengths;
  int count;
  size_t bytes;
} pieces;

static void add_piece(pieces* to, size_t place, size_t bytes) {
  if (bytes == 0) return;
  const int last = to->count - 1;
  if (last >= 0 && (size_t)to->places[last] + (size_t)to->lengths[last] == place) {
    to->lengths[last] += (int)bytes;
  } else {
    to->places[to->count] = (MPI_Aint)place;
    to->lengths[to->count++] = (int)bytes;
  }
  to->bytes += bytes;
}

/* alltoallv: of the area from each rank here to each there, node by node, or from each there to each here. */
static void add_exchanged(const qd_operation* operation, int number, int is_given, pieces* to) {
  const struct qd_nodes* nodes = operation->context->nodes;
  const uint64_t* table = operation->led->table;
  const size_t size = (size_t)operation->context->size, each = (size_t)nodes->each;
  size_t at = 0;
  for (size_t n = 0; n < (size_t)nodes->nodes; ++n) {
    for (size_t i = 0; i < each; ++i) {
      for (size_t j = 0; j < each; ++j) {
        const size_t bytes =
            is_given ? table[i * 2 * size + n * each + j] : table[(j * 2 + 1) * size + n * each + i];
        if ((is_given ? i : j) == (size_t)number) add_piece(to, at, bytes);
        at += bytes;
      }
    }
  }
}

static void add_pieces(const qd_operation* operation, int number, int is_given, pieces* to) {
  const quadrille_context* context = operation->context;
  const struct qd_led* led = operation->led;
  const qd_varying_call* of = &led->of;
  const int collective = of->call->collective;
  const size_t here = (size_t)context->nodes->at[context->rank]; /* the leader's */
  if (collective == QD_ALLTOALL) {
    add_exchanged(operation, number, is_given, to);
  } else if (collective == QD_REDUCE_SCATTER) {
    const size_t vector = of->given / (size_t)context->nodes->each;
    const size_t begin = of->from_begins[here + (size_t)number] - of->from_begins[here];
    if (is_given)
      add_piece(to, vector * (size_t)number, vector);
    else
      add_piece(to, begin, (size_t)of->from.counts[rank_of(context, number)] * of->from.unit);
  } else if (collective == (is_given ? QD_SCATTER : QD_GATHER)) {
    if (is_root(context, of->call, number)) add_piece(to, 0, is_given ? of->given : of->got);
  } else if (collective == QD_ALLGATHER && !is_given) {
    add_piece(to, 0, of->got);
  } else {
    size_t begin = 0;
    for (int i = 0; i < number; ++i) begin += led->table[words_before(context, of->call, i)];
    add_piece(to, begin, led->table[words_before(context, of->call, number)]);
  }
}

/* A message between the leader and another rank of its node. */
static int move(qd_operation* operation, int number, int is_given) {
  struct qd_led* led = operation->led;
  const size_t most = (size_t)operation->context->size + 1;
  pieces of = {malloc(most * sizeof(MPI_Aint)), malloc(most * sizeof(int)), 0, 0};
  int code = of.places == NULL || of.lengths == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (code == MPI_SUCCESS) add_pieces(operation, number, is_given, &of);
  char* area = is_given ? led->of.out : led->of.in;
  if (code == MPI_SUCCESS && of.count <= 1 && (of.bytes > 0 || !is_given)) {
    code = start(operation, !is_given, area + (of.count > 0 ? of.places[0] : 0), of.bytes, MPI_BYTE, number);
  } else if (code == MPI_SUCCESS && of.bytes > 0) {
    MPI_Datatype type;
    code = PMPI_Type_create_hindexed(of.count, of.lengths, of.places, MPI_BYTE, &type);
    if (code == MPI_SUCCESS) code = PMPI_Type_commit(&type);
    if (code == MPI_SUCCESS) {
      code = start(operation, !is_given, area, 1, type, number);
      PMPI_Type_free(&type);
    }
  }
  free(of.places);
  free(of.lengths);
  return code;
}

/* What ranks of the node say they send in an allgather is what all are told; 0 with an error. Nothing of the exchange is of use then. */
static int is_as_told(qd_operation* operation, int64_t* surplus) {
  const quadrille_context* context = operation->context;
  struct qd_led* led = operation->led;
  const qd_varying_call* of = &led->of;
  *surplus = 0;
  if (of->call->collective != QD_ALLGATHER) return 1;
  for (int i = 0; i < context->nodes->each; ++i) {
    const int rank = rank_of(context, i);
    const int64_t sent = (int64_t)led->table[i], told = (int64_t)((size_t)of->to.counts[rank] * of->to.unit);
    if (sent == told) continue;
    *surplus = sent - told;
    return qd_fail(&led->why,
                   "quadrille: rank %d: rank %d sends %lld bytes in allgather, and its counts here say %lld",
                   context->rank, rank, (long long)sent, (long long)told);
  }
  return 1;
}

/* All have said how long their blocks are: theirs may come. */
static int begin_collecting(qd_operation* operation) {
  struct qd_led* led = operation->led;
  quadrille_context* context = operation->context;
  const struct qd_nodes* nodes = context->nodes;
  qd_varying_call* of = &led->of;
  int64_t surplus = 0;
  led->num_requests = 0;
  if (qd_knows_extent(of->call)) {
    qd_lay_out_known(context, of);
    is_as_told(operation, &surplus);
  } else if (of->call->collective == QD_ALLTOALL) {
    qd_lay_out_exchange(nodes, context->size, led->table, of);
  } else {
    /* Own blocks side by side, and behind the root's all that it knows. */
    uint64_t* own = malloc((size_t)nodes->each * sizeof *own);
    if (own == NULL) return MPI_ERR_NO_MEM;
    const uint64_t* of_root = NULL;
    for (int i = 0; i < nodes->each; ++i) {
      const uint64_t* words = led->table + words_before(context, of->call, i);
      own[i] = words[0];
      if (is_root(context, of->call, i)) of_root = words + 1;
    }
    qd_lay_out_rooted(context, own, of_root, of);
    free(own);
  }
  /* As much too much or too little as one sends: so all hear of it. */
  const int64_t wanted = (int64_t)of->given + surplus;
  of->given = (size_t)(wanted < 0 ? 0 : wanted);
  context->statistics.bytes += (long long)(of->given / (size_t)nodes->each);
  int code = reserve_areas(led);
  if (code == MPI_SUCCESS && surplus != 0) {
    memset(led->areas, 0, of->given);
    return code;
  }
  if (code == MPI_SUCCESS) code = qd_give_varying(context, of);
  for (int i = 1; i < nodes->each && code == MPI_SUCCESS; ++i) code = move(operation, i, 1);
  return code;
}

/* All have given. */
static int begin_exchanging(qd_operation* operation) {
  struct qd_led* led = operation->led;
  const quadrille_context* context = operation->context;
  const qd_varying_call* of = &led->of;
  if (of->call->collective == QD_REDUCE_SCATTER && of->from.unit > 0 && of->given > 0) {
    const int64_t units = (int64_t)(of->given / (size_t)context->nodes->each / of->from.unit);
    if (qd_add_part(context->nodes, of->call, of->out, units, of->from.unit, 0, units) != MPI_SUCCESS)
      return qd_fail(&led->why, "quadrille: rank %d: MPI_Reduce_local failed", context->rank);
  }
  led->led_call = qd_leaders_call(context, of);
  led->led->is_persistent = led->led->is_once = 1;
  led->led->tag = operation->led_tag;
  return qd_prepare_led(led->led, &led->led_call, &led->why);
}

/* The exchange is over, well or not: those who wait hear of it. */
static int begin_returning(qd_operation* operation) {
  struct qd_led* led = operation->led;
  const quadrille_context* context = operation->context;
  int code = MPI_SUCCESS;
  led->num_requests = 0;
  for (int i = 1; i < context->nodes->each && code == MPI_SUCCESS; ++i) {
    if (!gets(context, led->of.call, i)) continue;
    code = start(operation, 1, &led->code, 1, MPI_INT, i);
    if (code == MPI_SUCCESS) code = move(operation, i, 0);
  }
  return code == MPI_SUCCESS && led->code == MPI_SUCCESS ? qd_get_varying(context, &led->of) : code;
}

/* --- as far as it goes -------------------------------------------------------------------------------------- */

/* The next phase of the leader, behind one that is over. */
static int next_phase(qd_operation* operation) {
  struct qd_led* led = operation->led;
  switch (led->phase) {
    case LED_COUNTING:
      led->phase = LED_COLLECTING;
      return begin_collecting(operation);
    case LED_COLLECTING:
      led->phase = LED_EXCHANGING;
      if (!begin_exchanging(operation)) led->code = MPI_ERR_OTHER;
      return MPI_SUCCESS;
    case LED_EXCHANGING:
      led->phase = LED_RETURNING;
      return begin_returning(operation);
    default:
      led->phase = LED_OVER;
      return MPI_SUCCESS;
  }
}

static int end_of_led(qd_operation* operation, qd_error* error) {
  struct qd_led* led = operation->led;
  quadrille_context* context = operation->context;
  const int leads = context->nodes->me == 0;
  if (!leads && led->code == MPI_SUCCESS && gets(context, led->of.call, context->nodes->me) &&
      qd_get_varying(context, &led->of) != MPI_SUCCESS) {
    qd_fail(error, "quadrille: rank %d: MPI_Unpack failed", context->rank);
    return QD_FAILED;
  }
  if (led->code == MPI_SUCCESS && led->why.text[0] == 0) return QD_DONE;
  context->broken = 1;
  if (leads)
    *error = led->why;
  else
    qd_fail(error, "quadrille: rank %d: the leader of its node says what is wrong", context->rank);
  return QD_FAILED;
}

int qd_advance_led(qd_operation* operation, qd_error* error) {
  struct qd_led* led = operation->led;
  quadrille_context* context = operation->context;
  while (led->phase != LED_OVER) {
    int code = MPI_SUCCESS, over = 1;
    if (led->phase == LED_EXCHANGING) {
      const int state = led->code == MPI_SUCCESS ? qd_advance(led->led, &led->why) : QD_FAILED;
      operation->at = (uint32_t)LED_EXCHANGING << 28 | led->led->at;
      over = state != QD_UNDER_WAY;
      if (state == QD_FAILED || led->why.text[0] != 0) led->code = over ? MPI_ERR_OTHER : led->code;
    } else {
      code = qd_test_all(led->num_requests, led->requests, operation->waits, &over);
      operation->at = (uint32_t)led->phase << 28;
    }
    if (code == MPI_SUCCESS && !over) return QD_UNDER_WAY;
    if (code == MPI_SUCCESS) code = next_phase(operation);
    if (code == MPI_SUCCESS) continue;
    context->broken = 1;
    qd_fail(error, "quadrille: rank %d: the MPI library failed within a node", context->rank);
    return QD_FAILED;
  }
  return end_of_led(operation, error);
}
