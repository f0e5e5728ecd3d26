/* The file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE (MPICH 4): by which algorithm MPICH does a collective.
 *
 * It is a tree: a key such as "comm_size<8" asks, its siblings are asked in turn until one holds, and below it goes on, down to an
 * algorithm; the last sibling must hold for all that is left. A file replaces all rules that MPICH has, so it must be whole: what was
 * not measured stays as it was, and MPICH's own rules are taken from where it has them, as a text in its library. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "tune.h"

/* --- MPICH's own rules ------------------------------------------------------------------------------------ */

static const char* find(const char* bytes, size_t size, const char* part) {
  const size_t length = strlen(part);
  for (const char* end = bytes + size; bytes + length <= end; ++bytes) {
    bytes = memchr(bytes, part[0], (size_t)(end - bytes) - length + 1);
    if (bytes == NULL) return NULL;
    if (memcmp(bytes, part, length) == 0) return bytes;
  }
  return NULL;
}

/* Behind the object that begins here; null where there is none. Keys have no braces in them. */
static const char* end_of_object(const char* at) {
  int depth = 0;
  for (; *at != 0; ++at) {
    depth += (*at == '{') - (*at == '}');
    if (depth == 0) return *at == '}' ? at + 1 : NULL;
  }
  return NULL;
}

/* There are other trees of the same form beside it, for the choice of compositions and for shared memory. */
static int is_tree_of_algorithms(const char* text, const char* end) {
  if (memchr(text, 0, (size_t)(end - text)) == NULL) return 0;
  const char* behind = end_of_object(text);
  return behind != NULL && *behind == 0 && strstr(text, "\"algorithm=MPIR_") != NULL &&
         strstr(text, "\"collective=alltoall\":") != NULL && strstr(text, "composition=") == NULL;
}

int qd_read_mpich(const char* path, qd_mpich* of) {
  *of = (qd_mpich){NULL, 0, NULL};
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 0;
  long size = -1;
  if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  if (size > 0) of->bytes = malloc((size_t)size);
  if (of->bytes != NULL && fseek(file, 0, SEEK_SET) == 0) of->size = fread(of->bytes, 1, (size_t)size, file);
  fclose(file);
  const char* end = of->bytes + of->size;
  for (const char* at = of->bytes; at != NULL && of->rules == NULL && of->size > 0; ++at) {
    at = find(at, (size_t)(end - at), "{\"collective=");
    if (at == NULL) break;
    if (is_tree_of_algorithms(at, end)) of->rules = at;
  }
  if (of->rules != NULL) return 1;
  qd_free_mpich(of);
  return 0;
}

void qd_free_mpich(qd_mpich* of) {
  free(of->bytes);
  *of = (qd_mpich){NULL, 0, NULL};
}

/* MPICH stops at a name that it does not know, so those are asked for that are in its library, as it compares with them. */
static int knows(const qd_mpich* mpich, const char* algorithm) {
  char key[160];
  const int length = snprintf(key, sizeof key, "algorithm=%s", algorithm);
  for (const char* at = mpich->bytes; (at = find(at, mpich->size - (size_t)(at - mpich->bytes), key)) != NULL;
       ++at)
    if (at + length < mpich->bytes + mpich->size && at[length] == 0) return 1;
  return 0;
}

/* --- ours ------------------------------------------------------------------------------------------------- */

/* What MPICH calls a collective, and by which size it asks: of a block, or of all together. Of gather and scatter 4.0 reckons
 * sizes without the datatype. */
static const struct {
  const char *key, *name, *size;
  int of_all;
} known[QD_COLLECTIVES] = {
    [QD_BROADCAST] = {"bcast", "Bcast", "avg_msg_size", 0},
    [QD_ALLGATHER] = {"allgather", "Allgather", "total_msg_size", 1},
    [QD_ALLTOALL] = {"alltoall", "Alltoall", "avg_msg_size", 0},
    [QD_REDUCE] = {"reduce", "Reduce", "avg_msg_size", 0},
    [QD_REDUCE_SCATTER] = {"reduce_scatter_block", "Reduce_scatter_block", "total_msg_size", 1},
    [QD_ALLREDUCE] = {"allreduce", "Allreduce", "avg_msg_size", 0},
};

static void name_algorithm(uint32_t collective, const char* name, char* out, size_t size) {
  const int is_general = strcmp(name, "nb") == 0;
  snprintf(out, size, "MPIR_%s_%s_%s", known[collective].name, is_general ? "allcomm" : "intra", name);
}

/* `was` is MPICH's own tree for this collective within a group. */
typedef struct {
  qd_text* out;
  const char* was;
  int was_length;
} rewriting;

static void as_it_was(const rewriting* to, const char* key) {
  qd_add(to->out, "\"%s\":%.*s", key, to->was_length, to->was);
}

static void add_algorithm(const rewriting* to, uint32_t collective, const char* name) {
  char algorithm[160];
  name_algorithm(collective, name, algorithm, sizeof algorithm);
  /* These cut a vector into as many parts as there are ranks, up to a power of two. */
  const int needs_elements =
      strcmp(name, "reduce_scatter_allgather") == 0 || strcmp(name, "reduce_scatter_gather") == 0;
  qd_add(to->out, "{");
  if (needs_elements) {
    as_it_was(to, "count<pow2");
    qd_add(to->out, ",\"count=any\":{");
  }
  qd_add(to->out, "\"algorithm=%s\":{}%s", algorithm, needs_elements ? "}}" : "}");
}

/* By the size of the message. */
static void add_sizes(const rewriting* to, const qd_measured* of, const qd_range* ranges, int count,
                      uint32_t ranks) {
  const char* size = known[of->collective].size;
  const uint64_t factor = known[of->collective].of_all ? ranks : 1;
  char key[64];
  uint64_t next = 0;
  int is_open = 0; /* the last holds for all that is left */
  qd_add(to->out, "{");
  for (int r = 0; r < count && !is_open; ++r) {
    if (ranges[r].from > next) {
      if ((ranges[r].from - 1) > INT_MAX / factor) break;
      snprintf(key, sizeof key, "%s<=%" PRIu64, size, (ranges[r].from - 1) * factor);
      as_it_was(to, key);
      qd_add(to->out, ",");
    }
    is_open = ranges[r].to > INT_MAX / factor;
    if (is_open)
      snprintf(key, sizeof key, "%s=any", size);
    else
      snprintf(key, sizeof key, "%s<=%" PRIu64, size, ranges[r].to * factor);
    qd_add(to->out, "\"%s\":", key);
    add_algorithm(to, of->collective, of->of[ranges[r].candidate].name);
    if (!is_open) qd_add(to->out, ",");
    next = is_open ? next : ranges[r].to + 1;
  }
  if (!is_open) {
    snprintf(key, sizeof key, "%s=any", size);
    as_it_was(to, key);
  }
  qd_add(to->out, "}");
}

/* What was measured holds for calls of the kind that was measured: not in place, with operators of MPI's own. */
static void add_calls(const rewriting* to, const qd_measured* of, const qd_range* ranges, int count,
                      uint32_t ranks) {
  const int combines = qd_combines((int)of->collective);
  const int asks_operator = of->collective == QD_REDUCE || of->collective == QD_ALLREDUCE;
  if (of->collective == QD_ALLTOALL) {
    qd_add(to->out, "{");
    as_it_was(to, "is_sendbuf_inplace=yes");
    qd_add(to->out, ",\"is_sendbuf_inplace=no\":");
  }
  if (combines) qd_add(to->out, "{\"is_commutative=yes\":");
  if (asks_operator) qd_add(to->out, "{\"is_op_built_in=yes\":");
  add_sizes(to, of, ranges, count, ranks);
  if (asks_operator) {
    qd_add(to->out, ",");
    as_it_was(to, "is_op_built_in=no");
    qd_add(to->out, "}");
  }
  if (combines) {
    qd_add(to->out, ",");
    as_it_was(to, "is_commutative=no");
    qd_add(to->out, "}");
  }
  if (of->collective == QD_ALLTOALL) qd_add(to->out, "}");
}

/* Ranges whose algorithms this MPICH takes by name. */
static int known_ranges(const qd_measured* of, const qd_tuning* what, const qd_mpich* mpich,
                        qd_range* ranges) {
  const int made = qd_ranges(of, what->sizes, what->num_sizes, QD_OWN_FORCED, ranges);
  int kept = 0;
  for (int r = 0; r < made; ++r) {
    char algorithm[160];
    name_algorithm(of->collective, of->of[ranges[r].candidate].name, algorithm, sizeof algorithm);
    if (knows(mpich, algorithm)) ranges[kept++] = ranges[r];
  }
  return kept;
}

/* MPICH's tree of a collective within a group, and where it is; 0 where it has another form. */
static int find_tree(const char* rules, const char* key, const char** begin, const char** end) {
  char name[80];
  snprintf(name, sizeof name, "\"collective=%s\":", key);
  const char* of_collective = strstr(rules, name);
  if (of_collective == NULL) return 0;
  of_collective += strlen(name);
  const char* behind = end_of_object(of_collective);
  *begin = strstr(of_collective, "\"comm_type=intra\":");
  if (behind == NULL || *begin == NULL || *begin > behind) return 0;
  *begin += strlen("\"comm_type=intra\":");
  *end = end_of_object(*begin);
  return *end != NULL && **begin == '{';
}

/* The rules with one collective's replaced. */
static char* replaced(const char* rules, const qd_findings* found, const qd_tuning* what,
                      const qd_mpich* mpich, const qd_measured* of) {
  qd_text out = qd_new_text();
  qd_range ranges[QD_TUNE_SIZES];
  const char *begin, *end;
  const int count = known[of->collective].key == NULL ? 0 : known_ranges(of, what, mpich, ranges);
  if (count == 0 || !find_tree(rules, known[of->collective].key, &begin, &end)) {
    qd_add(&out, "%s", rules);
    return out.bytes;
  }
  const rewriting to = {&out, begin, (int)(end - begin)};
  char key[64];
  qd_add(&out, "%.*s{", (int)(begin - rules), rules);
  snprintf(key, sizeof key, "comm_size<%" PRIu32, found->ranks);
  as_it_was(&to, key);
  qd_add(&out, ",\"comm_size<=%" PRIu32 "\":", found->ranks);
  add_calls(&to, of, ranges, count, found->ranks);
  qd_add(&out, ",");
  as_it_was(&to, "comm_size=any");
  qd_add(&out, "}%s", end);
  return out.bytes;
}

char* qd_mpich_selection(const qd_findings* found, const qd_tuning* what, const qd_mpich* mpich) {
  char* rules = strdup(mpich->rules);
  for (int i = 0; i < found->num && rules != NULL; ++i) {
    /* Of a collective that was measured with several roots the first counts: MPICH's rules know no root. */
    int is_first = 1;
    for (int before = 0; before < i; ++before)
      is_first &= found->all[before].collective != found->all[i].collective;
    if (!is_first) continue;
    char* next = replaced(rules, found, what, mpich, &found->all[i]);
    free(rules);
    rules = next;
  }
  if (rules == NULL) return NULL;
  qd_text out = qd_new_text();
  qd_add(&out, "%s\n", rules);
  free(rules);
  /* MPICH 4.0 maps the file and reads on to a zero, which is behind it unless it fills its last page. */
  if (out.bytes != NULL && out.size % 4096 == 0) qd_add(&out, "\n");
  return out.bytes;
}
