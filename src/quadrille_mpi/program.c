#include "program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* const qd_collective_names[QD_COLLECTIVES] = {
    "broadcast", "scatter", "gather", "allgather", "alltoall", "reduce", "reduce_scatter", "allreduce"};

int qd_fail(qd_error* error, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(error->text, sizeof error->text, format, list);
  va_end(list);
  return 0;
}

static int is_word(const char* text, size_t length, const char* word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

int qd_collective_called(const char* name, size_t length) {
  for (int i = 0; i < QD_COLLECTIVES; ++i) {
    if (is_word(name, length, qd_collective_names[i])) return i;
  }
  if (is_word(name, length, "bcast")) return QD_BROADCAST;
  if (is_word(name, length, "reduce_scatter_block")) return QD_REDUCE_SCATTER;
  return -1;
}

/* --- files ------------------------------------------------------------------------------------------------ */

/* A whole text, with a zero behind it. */
static int slurp(const char* path, unsigned char** bytes, size_t* size, qd_error* error) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return qd_fail(error, "cannot read '%s': %s", path, strerror(errno));
  unsigned char* all = NULL;
  size_t have = 0;
  size_t room = 0;
  for (;;) {
    if (have + 1 >= room) {
      room = room == 0 ? 65536 : room * 2;
      unsigned char* more = realloc(all, room);
      if (more == NULL) {
        free(all);
        fclose(file);
        return qd_fail(error, "no memory for '%s'", path);
      }
      all = more;
    }
    const size_t got = fread(all + have, 1, room - 1 - have, file);
    if (got == 0) break;
    have += got;
  }
  const int failed = ferror(file);
  fclose(file);
  if (failed) {
    free(all);
    return qd_fail(error, "cannot read '%s': %s", path, strerror(EIO));
  }
  all[have] = 0;
  *bytes = all;
  *size = have;
  return 1;
}

int qd_translate(const uint32_t* ways, const qd_head* head, uint32_t endpoint, const int* rank_at, int* to) {
  const uint32_t ranks = head->ranks;
  const uint32_t* steps = ways + (uint64_t)head->generators * ranks;
  if (endpoint >= ranks) return 0;
  for (uint32_t x = 0; x < ranks; ++x) to[x] = (int)x;
  uint32_t at = endpoint;
  for (uint32_t length = 0; at != 0; ++length) {
    const uint32_t before = steps[2 * (uint64_t)at];
    const uint32_t generator = steps[2 * (uint64_t)at + 1];
    if (length == ranks || before >= ranks || generator >= head->generators) return 0;
    const uint32_t* step = ways + (uint64_t)generator * ranks;
    for (uint32_t x = 0; x < ranks; ++x) {
      if (step[to[x]] >= ranks) return 0;
      to[x] = (int)step[to[x]];
    }
    at = before;
  }
  if (to[0] != (int)endpoint) return 0;
  /* Each to another: what lies by rank stays within its buffer then, and no two blocks meet. */
  unsigned char* seen = calloc(ranks, 1);
  int good = seen != NULL;
  for (uint32_t x = 0; x < ranks && good; ++x) {
    good = !seen[to[x]];
    seen[to[x]] = 1;
    if (rank_at != NULL) to[x] = rank_at[to[x]];
  }
  free(seen);
  return good;
}

/* --- one rank --------------------------------------------------------------------------------------------- */

/* Slots as MPI lays blocks out. */
static void layout_slots(const qd_head* head, uint32_t endpoint, uint64_t slots[2]) {
  const uint64_t all = (uint64_t)head->ranks * head->pieces;
  const uint64_t one = head->pieces;
  const int root = endpoint == head->root;
  const uint64_t table[QD_COLLECTIVES][2] = {{root ? one : 0, one},
                                             {root ? all : 0, one},
                                             {one, root ? all : 0},
                                             {one, all},
                                             {all, all},
                                             {one, root ? one : 0},
                                             {all, one},
                                             {one, one}};
  slots[QD_INPUT] = table[head->collective][0];
  slots[QD_OUTPUT] = table[head->collective][1];
}

/* How many slots of each rank lie side by side in a buffer, which move when ranks sit elsewhere; 0 where blocks do not lie by rank. */
static uint32_t slots_by_rank(const qd_head* head, uint32_t buffer) {
  const uint32_t collective = head->collective;
  const int is_by_rank =
      buffer == QD_INPUT
          ? collective == QD_SCATTER || collective == QD_ALLTOALL || collective == QD_REDUCE_SCATTER
          : buffer == QD_OUTPUT &&
                (collective == QD_GATHER || collective == QD_ALLGATHER || collective == QD_ALLTOALL);
  if (is_by_rank) return head->pieces;
  return head->deals_out && buffer != QD_SCRATCH ? head->pieces / head->ranks : 0;
}

void qd_free_program(qd_program* program) {
  free(program->actions);
  free(program->runs);
  free(program->waited);
  free(program->starts);
  memset(program, 0, sizeof *program);
}

/* Runs of a buffer that lies by rank, piece by piece of neighbouring blocks. Returns how many there are; writes them where
 * `out` is not null. */
static uint32_t placed_runs(qd_run run, const qd_head* head, const int* rank_at, qd_run* out) {
  const uint32_t of_each = rank_at == NULL ? 0 : slots_by_rank(head, run.buffer);
  if (of_each == 0) {
    if (out != NULL) *out = run;
    return 1;
  }
  uint32_t made = 0;
  qd_run last = {0, 0, 0};
  for (uint32_t at = run.first; at < run.first + run.count;) {
    const uint32_t piece = at % of_each;
    uint32_t count = of_each - piece;
    if (count > run.first + run.count - at) count = run.first + run.count - at;
    const uint32_t first = (uint32_t)rank_at[at / of_each] * of_each + piece;
    if (made > 0 && last.first + last.count == first) {
      last.count += count;
    } else {
      if (made > 0 && out != NULL) out[made - 1] = last;
      last = (qd_run){run.buffer, first, count};
      ++made;
    }
    at += count;
  }
  if (made > 0 && out != NULL) out[made - 1] = last;
  return made;
}

/* What waits wait for: everything once, after it was started. */
static int check_waits(const qd_program* program) {
  if (program->num_requests != program->num_waited) return 0;
  unsigned char* seen = calloc(program->num_requests + 1, 1);
  if (seen == NULL) return 0;
  uint32_t started = 0;
  int good = 1;
  for (uint32_t i = 0; i < program->num_actions && good; ++i) {
    const qd_action* action = &program->actions[i];
    if (action->kind <= QD_RECEIVE_REDUCE) ++started;
    if (action->kind != QD_WAIT) continue;
    for (uint32_t w = action->begin; w < action->end && good; ++w) {
      good = program->waited[w] < started && !seen[program->waited[w]];
      if (good) seen[program->waited[w]] = 1;
    }
  }
  free(seen);
  return good;
}

static int lands_apart(const qd_action* action) {
  return action->kind == QD_RECEIVE_REDUCE || action->end - action->begin >= 2;
}

/* Where messages land that are not one run, or that are to be combined: each at the first place that is free. */
static int place_landings(qd_program* program) {
  typedef struct {
    uint64_t begin, end;
  } gap;
  gap* live = malloc(((size_t)program->num_requests + 1) * sizeof *live);
  if (live == NULL) return 0;
  uint32_t num_live = 0;
  int good = 1;
  for (uint32_t i = 0; i < program->num_actions && good; ++i) {
    qd_action* action = &program->actions[i];
    if (action->kind <= QD_RECEIVE_REDUCE && lands_apart(action) && action->slots > 0) {
      uint64_t at = 0;
      uint32_t before = 0;
      while (before < num_live && live[before].begin < at + action->slots) at = live[before++].end;
      good = at + action->slots <= UINT32_MAX;
      memmove(live + before + 1, live + before, (size_t)(num_live++ - before) * sizeof *live);
      live[before] = (gap){at, at + action->slots};
      action->place = (uint32_t)at;
      if (good && at + action->slots > program->landing_slots)
        program->landing_slots = (uint32_t)(at + action->slots);
    } else if (action->kind == QD_WAIT) {
      for (uint32_t w = action->begin; w < action->end; ++w) {
        const qd_action* done = &program->actions[program->starts[program->waited[w]]];
        if (!lands_apart(done) || done->slots == 0) continue;
        uint32_t at = 0;
        while (live[at].begin != done->place) ++at;
        memmove(live + at, live + at + 1, (size_t)(--num_live - at) * sizeof *live);
      }
    }
  }
  free(live);
  return good;
}

/* Which slots are under way, in any buffer. */
typedef struct {
  const qd_program* program;
  uint64_t first[QD_BUFFERS];
  uint32_t* uses;
} slots_in_use;

static void use_runs(slots_in_use* in_use, const qd_action* action, int by) {
  for (uint32_t r = action->begin; r < action->end; ++r) {
    const qd_run* run = &in_use->program->runs[r];
    uint32_t* at = in_use->uses + in_use->first[run->buffer] + run->first;
    for (uint32_t s = 0; s < run->count; ++s) at[s] += (uint32_t)by;
  }
}

static int is_used(const slots_in_use* in_use, const qd_action* action) {
  for (uint32_t r = action->begin; r < action->end; ++r) {
    const qd_run* run = &in_use->program->runs[r];
    const uint32_t* at = in_use->uses + in_use->first[run->buffer] + run->first;
    for (uint32_t s = 0; s < run->count; ++s)
      if (at[s] != 0) return 1;
  }
  return 0;
}

/* SimGrid's MPI has sends that are over before their bytes have gone, and messages on one link share it instead of following
 * each other: what is asked for a step ahead slows down what is needed now. */
#ifdef QUADRILLE_SIMULATED
static const int posts_ahead = 0;
#else
static const int posts_ahead = 1;
#endif

/* Receives of a step are started before the wait of the step before, where nothing of that uses their slots: a message then
 * finds its place when it comes. Those of one peer keep their order; what each wait lists stays as it is. */
static int post_ahead(qd_program* program) {
  if (!posts_ahead) return 1;
  slots_in_use in_use = {.program = program};
  uint64_t all = 0;
  for (int b = 0; b < QD_BUFFERS; ++b) {
    in_use.first[b] = all;
    all += program->slots[b];
  }
  in_use.uses = calloc((size_t)all + 1, sizeof *in_use.uses);
  qd_action* ordered = malloc(((size_t)program->num_actions + 1) * sizeof *ordered);
  uint32_t* late = malloc(((size_t)program->num_actions + 1) * sizeof *late); /* of peers, this step's */
  if (in_use.uses == NULL || ordered == NULL || late == NULL) {
    free(in_use.uses);
    free(ordered);
    free(late);
    return 0;
  }
  uint32_t made = 0;
  for (uint32_t i = 0; i < program->num_actions;) {
    const qd_action* action = &program->actions[i];
    if (action->kind != QD_WAIT) {
      if (action->kind <= QD_RECEIVE_REDUCE) use_runs(&in_use, action, 1);
      ordered[made++] = *action;
      ++i;
      continue;
    }
    /* The step behind the wait. Local work in it may need what the wait brings, so its slots are not written sooner. */
    uint32_t end = i + 1;
    while (end < program->num_actions && program->actions[end].kind != QD_WAIT) ++end;
    for (uint32_t j = i + 1; j < end; ++j)
      if (program->actions[j].kind > QD_WAIT) use_runs(&in_use, &program->actions[j], 1);
    const uint32_t first = made;
    uint32_t num_late = 0;
    for (uint32_t j = i + 1; j < end; ++j) {
      const qd_action* next = &program->actions[j];
      if (next->kind != QD_RECEIVE && next->kind != QD_RECEIVE_REDUCE) continue;
      /* What is to be combined lands apart. */
      int may = next->kind == QD_RECEIVE_REDUCE || !is_used(&in_use, next);
      for (uint32_t p = 0; p < num_late && may; ++p) may = late[p] != next->peer;
      if (may) {
        ordered[made++] = *next;
      } else {
        late[num_late++] = next->peer;
      }
    }
    for (uint32_t j = i + 1; j < end; ++j)
      if (program->actions[j].kind > QD_WAIT) use_runs(&in_use, &program->actions[j], -1);
    for (uint32_t w = action->begin; w < action->end; ++w)
      use_runs(&in_use, &program->actions[program->starts[program->waited[w]]], -1);
    const uint32_t ahead = made - first;
    ordered[made++] = *action;
    uint32_t moved = 0;
    for (uint32_t j = i + 1; j < end; ++j) {
      const qd_action* next = &program->actions[j];
      if (next->kind <= QD_RECEIVE_REDUCE) use_runs(&in_use, next, 1);
      if (moved < ahead && next->kind <= QD_RECEIVE_REDUCE && next->request == ordered[first + moved].request)
        ++moved;
      else
        ordered[made++] = *next;
    }
    i = end;
  }
  memcpy(program->actions, ordered, (size_t)program->num_actions * sizeof *ordered);
  for (uint32_t i = 0; i < program->num_actions; ++i)
    if (program->actions[i].kind <= QD_RECEIVE_REDUCE) program->starts[program->actions[i].request] = i;
  free(in_use.uses);
  free(ordered);
  free(late);
  return 1;
}

/* An action with its runs, of which `given` are in the file. */
static int load_action(const uint32_t* word, const uint32_t* runs, const qd_head* head, uint32_t endpoint,
                       const int* rank_at, qd_program* program, qd_action* action) {
  const uint32_t given = word[3];
  *action = (qd_action){.kind = word[0], .step = word[2], .begin = program->num_runs};
  const int is_message = action->kind <= QD_RECEIVE_REDUCE;
  const int is_local = action->kind >= QD_COPY && action->kind <= QD_REDUCE_BEFORE;
  if (!is_message && !is_local) return 0;
  if (is_message) {
    if (word[1] >= head->ranks || word[1] == endpoint) return 0;
    action->peer = rank_at == NULL ? word[1] : (uint32_t)rank_at[word[1]];
    action->request = program->num_requests++;
  } else if (given != 2 || runs[2] != runs[5]) {
    return 0;
  }
  uint64_t slots = 0;
  for (uint32_t r = 0; r < given; ++r) {
    const qd_run run = {runs[3 * r], runs[3 * r + 1], runs[3 * r + 2]};
    if (run.buffer >= QD_BUFFERS || (uint64_t)run.first + run.count > program->slots[run.buffer]) return 0;
    const int is_written = is_message ? action->kind != QD_SEND : r == 0;
    if (is_written && run.buffer == QD_INPUT) return 0;
    slots += run.count;
    const int parted = is_message && run.count > 0;
    program->num_runs +=
        parted ? placed_runs(run, head, rank_at, program->runs ? program->runs + program->num_runs : NULL)
               : 0;
    if (parted) continue;
    if (is_local) {
      /* Both ends must stay of one length: a run by rank that falls apart is parted by load_program(). */
      if (program->runs) program->runs[program->num_runs] = run;
      ++program->num_runs;
    }
  }
  if (slots > UINT32_MAX) return 0;
  action->slots = (uint32_t)slots;
  action->end = program->num_runs;
  return 1;
}

int qd_load_program(const uint32_t* part, uint32_t words, const qd_head* head, uint32_t endpoint,
                    const int* rank_at, qd_program* program, qd_error* error) {
  memset(program, 0, sizeof *program);
  uint64_t slots[2];
  layout_slots(head, endpoint, slots);
  const char* wrong = "a part that makes no sense";
  if (words < QD_PART_WORDS || part[0] != endpoint || part[1] != slots[QD_INPUT] ||
      part[2] != slots[QD_OUTPUT])
    return qd_fail(error, "the program of endpoint %" PRIu32 " is damaged: %s", endpoint, wrong);
  const uint32_t num_actions = part[4];
  const uint32_t num_runs = part[5];
  const uint32_t num_waited = part[6];
  if (QD_PART_WORDS + 4 * (uint64_t)num_actions + 3 * (uint64_t)num_runs + num_waited != words)
    return qd_fail(error, "the program of endpoint %" PRIu32 " is damaged: %s", endpoint, wrong);
  program->slots[QD_INPUT] = part[1];
  program->slots[QD_OUTPUT] = part[2];
  program->slots[QD_SCRATCH] = part[3];
  const uint32_t* actions = part + QD_PART_WORDS;
  const uint32_t* runs = actions + 4 * (size_t)num_actions;
  const uint32_t* waited = runs + 3 * (size_t)num_runs;
  /* Once to count, once to keep. A local action between buffers by rank falls apart as its runs do. */
  for (int keep = 0; keep < 2; ++keep) {
    uint64_t run = 0;
    uint64_t wait = 0;
    program->num_runs = program->num_requests = program->num_actions = 0;
    for (uint32_t i = 0; i < num_actions; ++i) {
      const uint32_t* word = actions + 4 * (size_t)i;
      qd_action action;
      if (word[0] == QD_WAIT) {
        if (word[3] > num_waited - wait) goto damaged;
        action = (qd_action){
            .kind = QD_WAIT, .step = word[2], .begin = (uint32_t)wait, .end = (uint32_t)(wait + word[3])};
        wait += word[3];
      } else {
        if (word[3] > num_runs - run) goto damaged;
        const uint32_t* mine = runs + 3 * run;
        run += word[3];
        const int is_local = word[0] >= QD_COPY && word[0] <= QD_REDUCE_BEFORE;
        if (is_local && rank_at != NULL && word[3] == 2 && mine[2] == mine[5] && mine[2] > 1 &&
            (slots_by_rank(head, mine[0]) > 0 || slots_by_rank(head, mine[3]) > 0)) {
          if (mine[0] == QD_INPUT || mine[0] >= QD_BUFFERS || mine[3] >= QD_BUFFERS ||
              (uint64_t)mine[1] + mine[2] > program->slots[mine[0]] ||
              (uint64_t)mine[4] + mine[5] > program->slots[mine[3]])
            goto damaged;
          /* What stays side by side at both ends stays one action. */
          qd_run last[2] = {{0, 0, 0}, {0, 0, 0}};
          for (uint32_t s = 0; s < mine[2]; ++s) {
            qd_run both[2] = {{mine[0], mine[1] + s, 1}, {mine[3], mine[4] + s, 1}};
            for (int b = 0; b < 2; ++b) placed_runs(both[b], head, rank_at, &both[b]);
            if (s > 0 && mine[0] != mine[3] && both[0].first == last[0].first + last[0].count &&
                both[1].first == last[1].first + last[1].count) {
              for (int b = 0; b < 2; ++b) {
                ++last[b].count;
                if (keep) ++program->runs[program->num_runs - 2 + (uint32_t)b].count;
              }
              continue;
            }
            memcpy(last, both, sizeof last);
            if (keep) {
              program->actions[program->num_actions] = (qd_action){
                  .kind = word[0], .step = word[2], .begin = program->num_runs, .end = program->num_runs + 2};
              memcpy(program->runs + program->num_runs, both, sizeof both);
            }
            program->num_runs += 2;
            ++program->num_actions;
          }
          continue;
        }
        const uint32_t before = program->num_runs;
        if (!load_action(word, mine, head, endpoint, rank_at, program, &action)) goto damaged;
        if (keep && is_local && rank_at != NULL) {
          for (uint32_t r = before; r < program->num_runs; ++r) {
            const qd_run one = program->runs[r];
            if (one.count == 1) placed_runs(one, head, rank_at, program->runs + r);
          }
        }
      }
      if (keep) {
        if (action.kind <= QD_RECEIVE_REDUCE) program->starts[action.request] = program->num_actions;
        program->actions[program->num_actions] = action;
      }
      ++program->num_actions;
    }
    if (run != num_runs || wait != num_waited) goto damaged;
    if (keep) break;
    program->actions = malloc(((size_t)program->num_actions + 1) * sizeof *program->actions);
    program->runs = malloc(((size_t)program->num_runs + 1) * sizeof *program->runs);
    program->waited = malloc(((size_t)num_waited + 1) * sizeof *program->waited);
    program->starts = malloc(((size_t)program->num_requests + 1) * sizeof *program->starts);
    if (!program->actions || !program->runs || !program->waited || !program->starts) {
      qd_free_program(program);
      return qd_fail(error, "no memory for a program of %" PRIu32 " words", words);
    }
  }
  memcpy(program->waited, waited, (size_t)num_waited * sizeof *waited);
  program->num_waited = num_waited;
  if (!check_waits(program) || !post_ahead(program) || !place_landings(program)) goto damaged;
  return 1;

damaged:
  qd_free_program(program);
  return qd_fail(
      error, "the program of endpoint %" PRIu32 " is damaged, or does what this library cannot (barriers)",
      endpoint);
}

/* --- sets ------------------------------------------------------------------------------------------------- */

void qd_free_set(qd_set* set) {
  free(set->entries);
  memset(set, 0, sizeof *set);
}

/* The next word of a line, which ends in a blank or with the line. */
static int next_word(const char** at, const char** word, size_t* length) {
  *word = *at;
  *length = strcspn(*at, " \n");
  *at += *length + ((*at)[*length] == ' ');
  return *length > 0;
}

static int next_number(const char** at, uint64_t most, uint64_t none, int base, uint64_t* number) {
  const char* word;
  size_t length;
  if (!next_word(at, &word, &length)) return 0;
  if (length == 1 && word[0] == '-' && none != 0) {
    *number = none;
    return 1;
  }
  char* end;
  errno = 0;
  *number = strtoull(word, &end, base);
  return word[0] != '-' && end == word + length && errno == 0 && *number <= most;
}

static int copy_text(char* to, size_t size, const char* from, size_t length) {
  if (length >= size) return 0;
  memcpy(to, from, length);
  to[length] = 0;
  return 1;
}

static int read_entry(const char* line, uint32_t ranks, qd_set_entry* entry) {
  const char* word;
  size_t length;
  if (!next_word(&line, &word, &length)) return 0;
  const int collective = qd_collective_called(word, length);
  uint64_t root, pieces;
  if (collective < 0 || !next_number(&line, ranks - 1, QD_NO_ROOT, 10, &root) ||
      !next_number(&line, UINT64_MAX, 0, 10, &entry->from) ||
      !next_number(&line, UINT64_MAX, UINT64_MAX, 10, &entry->to) ||
      !next_number(&line, UINT32_MAX, 0, 10, &pieces) ||
      !next_number(&line, UINT64_MAX, 0, 16, &entry->digest))
    return 0;
  entry->collective = (uint32_t)collective;
  entry->root = (uint32_t)root;
  entry->pieces = (uint32_t)pieces;
  if (qd_is_rooted(collective) != (entry->root != QD_NO_ROOT)) return 0;
  /* A name, not a way out of the folder. */
  if (!next_word(&line, &word, &length) || memchr(word, '/', length) ||
      !copy_text(entry->file, sizeof entry->file, word, length))
    return 0;
  return copy_text(entry->algorithm, sizeof entry->algorithm, line, strcspn(line, "\n"));
}

int qd_read_set(const char* folder, qd_set* set, qd_error* error) {
  return qd_read_index(folder, "programs.txt", set, error);
}

int qd_read_index(const char* folder, const char* name, qd_set* set, qd_error* error) {
  memset(set, 0, sizeof *set);
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
    return qd_fail(error, "the name of a folder is too long");
  unsigned char* bytes = NULL;
  size_t size = 0;
  if (!slurp(path, &bytes, &size, error)) return 0;
  const char* text = (const char*)bytes;
  const char* const first = "quadrille-program-set 1\n";
  int good = strncmp(text, first, strlen(first)) == 0;
  if (!good) {
    free(bytes);
    return qd_fail(
        error, "%s: no set of programs of version 1: it does not begin with 'quadrille-program-set 1'", path);
  }
  size_t room = 0;
  unsigned line_number = 2;
  for (const char* line = text + strlen(first); good && *line != 0; ++line_number) {
    const size_t length = strcspn(line, "\n");
    if (strncmp(line, "topology ", 9) == 0) {
      good = copy_text(set->topology, sizeof set->topology, line + 9, length - 9);
    } else if (strncmp(line, "ranks ", 6) == 0) {
      const char* at = line + 6;
      uint64_t ranks;
      good = next_number(&at, INT32_MAX, 0, 10, &ranks) && ranks > 0;
      set->ranks = good ? (uint32_t)ranks : 0;
    } else if (strncmp(line, "program ", 8) == 0 && set->ranks > 0) {
      if (set->num_entries == room) {
        room = room == 0 ? 32 : room * 2;
        qd_set_entry* more = realloc(set->entries, room * sizeof *more);
        if (more == NULL) break;
        set->entries = more;
      }
      good = read_entry(line + 8, set->ranks, &set->entries[set->num_entries]);
      set->num_entries += (uint32_t)good;
    } else {
      good = length == 0;
    }
    if (good) line += length + (line[length] == '\n');
  }
  free(bytes);
  if (good && set->ranks > 0) return 1;
  qd_free_set(set);
  return qd_fail(error, "%s:%u: this line makes no sense", path, line_number - 1);
}
