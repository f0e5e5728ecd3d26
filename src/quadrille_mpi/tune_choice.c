/* What follows from measured times: who is used for which sizes, and the files that say so. No MPI here. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "tune.h"

/* --- text that grows -------------------------------------------------------------------------------------- */

void qd_add(qd_text* to, const char* format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  const int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (to->bytes != NULL && to->size + (size_t)length + 1 > to->room) {
    to->room = 2 * (to->size + (size_t)length + 1);
    char* more = realloc(to->bytes, to->room);
    if (more == NULL) free(to->bytes);
    to->bytes = more;
  }
  if (to->bytes != NULL) {
    vsnprintf(to->bytes + to->size, to->room - to->size, format, again);
    to->size += (size_t)length;
  }
  va_end(again);
}

qd_text qd_new_text(void) {
  qd_text out = {.bytes = malloc(1024), .room = 1024};
  if (out.bytes != NULL) out.bytes[0] = 0;
  return out;
}

/* As JSON has it; what is no letter becomes a blank. */
static void add_quoted(qd_text* to, const char* words) {
  qd_add(to, "\"");
  for (; *words != 0; ++words) {
    if (*words == '"' || *words == '\\') {
      qd_add(to, "\\%c", *words);
    } else {
      qd_add(to, "%c", (unsigned char)*words < 32 ? ' ' : *words);
    }
  }
  qd_add(to, "\"");
}

/* --- choosing --------------------------------------------------------------------------------------------- */

/* The library's own algorithms of these can be named in files that it reads itself. */
static int has_rules(uint32_t collective) {
  return collective != QD_GATHER && collective != QD_SCATTER && collective != QD_REDUCE_SCATTER;
}

/* Of the library's own algorithms one may be taken that is faster more likely than not: it is no risk that the library does not take. */
static int is_told(const qd_candidate* of, int size) {
  return of->upper[size] < 1 || (of->kind == QD_OWN_FORCED && of->ratio[size] + of->upper[size] < 2);
}

int qd_winner(const qd_measured* of, int size, int kind) {
  const double clearly = kind == QD_OURS ? QD_CLEARLY_OURS : QD_CLEARLY;
  int best = 0;
  for (int c = 1; c < of->num; ++c) {
    const double ratio = of->of[c].ratio[size];
    if (of->of[c].kind != kind || ratio < 0 || ratio >= clearly || !is_told(&of->of[c], size)) continue;
    if (best == 0 || ratio < of->of[best].ratio[size]) best = c;
  }
  if (best == 0 || kind != QD_OURS || !has_rules(of->collective)) return best;
  const int own = qd_winner(of, size, QD_OWN_FORCED);
  return own != 0 && clearly * of->of[own].ratio[size] <= of->of[best].ratio[size] ? 0 : best;
}

int qd_ranges(const qd_measured* of, const uint64_t* sizes, int num_sizes, int kind, qd_range* ranges) {
  int made = 0;
  int before = 0;
  for (int s = 0; s < num_sizes; ++s) {
    const int now = qd_winner(of, s, kind);
    if (now != 0 && now != before) {
      uint64_t from = s == 0 ? 0 : sizes[s];
      if (before != 0) {
        from = (uint64_t)sqrt((double)sizes[s - 1] * (double)sizes[s]);
        if (from <= sizes[s - 1]) from = sizes[s];
        ranges[made - 1].to = from - 1;
      }
      ranges[made++] = (qd_range){.from = from, .candidate = now};
    }
    if (now != 0) ranges[made - 1].to = s + 1 == num_sizes ? UINT64_MAX : sizes[s];
    before = now;
  }
  return made;
}

/* --- what a library should hold itself to ----------------------------------------------------------------- */

/* Jesper Larsson Träff, William D. Gropp, Rajeev Thakur: Self-consistent MPI performance guidelines, IEEE TPDS 21(5), 2010:
 * a collective is not slower than others that do its work together. Sizes: of a block, or of a vector of `ranks` blocks. */
typedef struct {
  int collective, parts[2]; /* QD_COLLECTIVES: none */
  int factor[2];            /* of the size: 0 the same, 1 times the ranks, -1 a ranks-th */
} guideline;
static const guideline guidelines[] = {
    {QD_ALLREDUCE, {QD_REDUCE, QD_BROADCAST}, {0, 0}},
    {QD_ALLREDUCE, {QD_REDUCE_SCATTER, QD_ALLGATHER}, {-1, -1}},
    {QD_REDUCE, {QD_ALLREDUCE, QD_COLLECTIVES}, {0, 0}},
    {QD_REDUCE, {QD_REDUCE_SCATTER, QD_GATHER}, {-1, -1}},
    {QD_REDUCE_SCATTER, {QD_REDUCE, QD_SCATTER}, {1, 0}},
    {QD_REDUCE_SCATTER, {QD_ALLREDUCE, QD_COLLECTIVES}, {1, 0}},
    {QD_ALLGATHER, {QD_GATHER, QD_BROADCAST}, {0, 1}},
    {QD_ALLGATHER, {QD_ALLTOALL, QD_COLLECTIVES}, {0, 0}},
    {QD_GATHER, {QD_ALLGATHER, QD_COLLECTIVES}, {0, 0}},
    {QD_SCATTER, {QD_BROADCAST, QD_COLLECTIVES}, {1, 0}},
    {QD_BROADCAST, {QD_SCATTER, QD_ALLGATHER}, {-1, -1}},
};

/* Of the library as it comes; below 0: not measured. */
static double own_time(const qd_measured* all, int num, int collective, uint64_t bytes, const uint64_t* sizes,
                       int num_sizes) {
  for (int i = 0; i < num; ++i) {
    for (int s = 0; s < num_sizes && all[i].collective == (uint32_t)collective; ++s) {
      if (sizes[s] == bytes) return all[i].of[0].seconds[s];
    }
  }
  return -1;
}

char* qd_guidelines(const qd_measured* all, int num, const uint64_t* sizes, int num_sizes, uint32_t ranks,
                    const char* before, const char* after) {
  qd_text out = qd_new_text();
  const char* between = "";
  for (size_t g = 0; g < sizeof guidelines / sizeof *guidelines; ++g) {
    const guideline* rule = &guidelines[g];
    for (int s = 0; s < num_sizes; ++s) {
      const double own = own_time(all, num, rule->collective, sizes[s], sizes, num_sizes);
      double parts = 0;
      char how[160] = "";
      int known = own > 0;
      for (int p = 0; p < 2 && known; ++p) {
        if (rule->parts[p] == QD_COLLECTIVES) continue;
        if (rule->factor[p] < 0 && sizes[s] % ranks != 0) known = 0;
        const uint64_t bytes = rule->factor[p] < 0   ? sizes[s] / ranks
                               : rule->factor[p] > 0 ? sizes[s] * ranks
                                                     : sizes[s];
        const double time = own_time(all, num, rule->parts[p], bytes, sizes, num_sizes);
        known = known && time > 0;
        parts += time;
        const size_t used = strlen(how);
        snprintf(how + used, sizeof how - used, "%s%s of %" PRIu64 " bytes", p == 0 ? "" : " and ",
                 qd_collective_names[rule->parts[p]], bytes);
      }
      if (!known || own <= parts / QD_BROKEN) continue;
      qd_add(&out, "%s%s%s of %" PRIu64 " bytes takes %.3f ms, %s %.3f ms%s", between, before,
             qd_collective_names[rule->collective], sizes[s], 1e3 * own, how, 1e3 * parts, after);
      between = before[0] == '"' ? ",\n    " : "";
    }
  }
  for (int i = 0; i < num; ++i) {
    for (int s = 0; s + 1 < num_sizes; ++s) {
      const double* own = all[i].of[0].seconds;
      if (own[s] <= 0 || own[s + 1] <= 0 || own[s] <= own[s + 1] / QD_BROKEN) continue;
      qd_add(&out, "%s%s%s of %" PRIu64 " bytes takes %.3f ms, of %" PRIu64 " bytes %.3f ms%s", between,
             before, qd_collective_names[all[i].collective], sizes[s], 1e3 * own[s], sizes[s + 1],
             1e3 * own[s + 1], after);
      between = before[0] == '"' ? ",\n    " : "";
    }
  }
  return out.bytes;
}

/* --- files ------------------------------------------------------------------------------------------------ */

/* Open MPI's number of a collective in a file of rules, and what it calls the size of a message: our size, or that of all
 * blocks of a rank. Gather and scatter reckon without the count (4.1), and are left out. */
static const int openmpi_number[QD_COLLECTIVES] = {7, -1, -1, 0, 3, 11, -1, 2};

char* qd_openmpi_rules(const qd_findings* found, const qd_tuning* what) {
  qd_text out = qd_new_text();
  int collectives = 0;
  for (int i = 0; i < found->num; ++i) collectives += openmpi_number[found->all[i].collective] >= 0;
  qd_add(&out, "%d # collectives; measured on %s\n", collectives, found->topology);
  for (int i = 0; i < found->num; ++i) {
    const qd_measured* of = &found->all[i];
    const int number = openmpi_number[of->collective];
    if (number < 0) continue;
    const uint64_t factor =
        of->collective == QD_ALLTOALL || of->collective == QD_ALLGATHER ? found->ranks : 1;
    qd_range ranges[QD_TUNE_SIZES];
    const int made = qd_ranges(of, what->sizes, what->num_sizes, QD_OWN_FORCED, ranges);
    /* Each rule holds from its size on: between ranges the library decides, which is algorithm 0. */
    qd_text rules = qd_new_text();
    int num_rules = 0;
    uint64_t next = 0;
    for (int r = 0; r < made; ++r) {
      if (ranges[r].from > next || (r == 0 && ranges[r].from > 0)) {
        qd_add(&rules, "%" PRIu64 " 0 0 0\n", next * factor);
        ++num_rules;
      }
      qd_add(&rules, "%" PRIu64 " %d 0 0 # %s\n", ranges[r].from * factor, of->of[ranges[r].candidate].number,
             of->of[ranges[r].candidate].name);
      ++num_rules;
      next = ranges[r].to == UINT64_MAX ? UINT64_MAX : ranges[r].to + 1;
    }
    if (next != UINT64_MAX) {
      qd_add(&rules, "%" PRIu64 " 0 0 0\n", next * factor);
      ++num_rules;
    }
    if (rules.bytes != NULL)
      qd_add(&out,
             "%d # %s\n1 # size of communicator\n%" PRIu32
             "\n%d # rules: bytes from, algorithm, fan-out, segment\n%s",
             number, qd_collective_names[of->collective], found->ranks, num_rules, rules.bytes);
    free(rules.bytes);
  }
  return out.bytes;
}

static void add_range(qd_text* out, uint64_t from, uint64_t to) {
  qd_add(out, "\"from_bytes\": %" PRIu64 ", \"to_bytes\": ", from);
  if (to == UINT64_MAX) {
    qd_add(out, "null");
  } else {
    qd_add(out, "%" PRIu64, to);
  }
}

static void add_times(qd_text* out, const qd_measured* of, const qd_tuning* what) {
  const char* between = "";
  for (int s = 0; s < what->num_sizes; ++s) {
    for (int c = 0; c < of->num; ++c) {
      const qd_candidate* one = &of->of[c];
      if (one->seconds[s] < 0) continue;
      qd_add(out, "%s\n        {\"bytes\": %" PRIu64 ", \"by\": ", between, what->sizes[s]);
      add_quoted(out, one->kind == QD_OURS ? "program" : "library");
      qd_add(out, ", \"algorithm\": ");
      add_quoted(out, one->name);
      if (one->kind == QD_OURS) qd_add(out, ", \"pieces\": %" PRIu32, one->pieces);
      qd_add(out, ", \"ms\": %.6f, \"of_library\": %.4f, \"at_most\": %.4f, \"rounds\": %d}",
             1e3 * one->seconds[s], one->ratio[s], one->upper[s], one->rounds[s]);
      between = ",";
    }
  }
}

char* qd_tuning_json(const qd_findings* found, const qd_tuning* what) {
  qd_text out = qd_new_text();
  qd_add(&out, "{\n  \"format\": \"quadrille-tuning\",\n  \"version\": 2,\n  \"topology\": ");
  add_quoted(&out, found->topology);
  qd_add(&out, ",\n  \"ranks\": %" PRIu32 ",\n  \"library\": ", found->ranks);
  add_quoted(&out, found->mpi);
  qd_add(&out, ",\n  \"machine\": ");
  add_quoted(&out, found->machine);
  qd_add(&out, ",\n  \"most_ranks_on_a_machine\": %" PRIu32, found->most_on_a_machine);
  qd_add(&out,
         ",\n  \"ts_us\": %.4f,\n  \"tx_us_per_byte\": %.9f,\n  \"clearly\": %.2f,\n  \"collectives\": [",
         what->ts, what->tx, QD_CLEARLY);
  for (int i = 0; i < found->num; ++i) {
    const qd_measured* of = &found->all[i];
    qd_add(&out, "%s\n    {\"collective\": \"%s\", \"root\": ", i == 0 ? "" : ",",
           qd_collective_names[of->collective]);
    if (of->root == QD_NO_ROOT) {
      qd_add(&out, "null");
    } else {
      qd_add(&out, "%" PRIu32, of->root);
    }
    qd_add(&out, ",\n      \"chosen\": [");
    qd_range ranges[QD_TUNE_SIZES];
    const int made = qd_ranges(of, what->sizes, what->num_sizes, QD_OURS, ranges);
    for (int r = 0; r < made; ++r) {
      const qd_candidate* one = &of->of[ranges[r].candidate];
      qd_add(&out, "%s\n        {", r == 0 ? "" : ",");
      add_range(&out, ranges[r].from, ranges[r].to);
      qd_add(&out, ", \"algorithm\": ");
      add_quoted(&out, one->name);
      qd_add(&out, ", \"pieces\": %" PRIu32 "}", one->pieces);
    }
    qd_add(&out, "],\n      \"times\": [");
    add_times(&out, of, what);
    qd_add(&out, "]}");
  }
  qd_add(&out, "],\n  \"guidelines_broken\": [");
  char* broken =
      qd_guidelines(found->all, found->num, what->sizes, what->num_sizes, found->ranks, "\"", "\"");
  if (broken != NULL) qd_add(&out, "%s", broken);
  free(broken);
  qd_add(&out, "]\n}\n");
  return out.bytes;
}
