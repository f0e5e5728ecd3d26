/* What follows from times, without any clock: ranges, rules, guidelines, and that noise changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "shuffled_order.h"
#include "tune.h"

static int wrong;
static void check(int good, const char* what) {
  if (!good && wrong++ < 20) printf("FAILED: %s\n", what);
}
static void check_has(const char* text, const char* part) {
  if (text != NULL && strstr(text, part) != NULL) return;
  ++wrong;
  printf("FAILED: no '%s' in\n%s\n", part, text == NULL ? "(none)" : text);
}

static void add(qd_measured* of, int kind, int number, const char* name, const double* ratio) {
  qd_candidate* one = &of->of[of->num++];
  *one = (qd_candidate){.kind = kind, .number = number, .pieces = 2};
  snprintf(one->name, sizeof one->name, "%s", name);
  for (int s = 0; s < 4; ++s) {
    one->ratio[s] = ratio[s];
    one->upper[s] = ratio[s] + 0.01;
    one->seconds[s] = ratio[s] < 0 ? -1 : ratio[s] * 1e-3 * (s + 1);
  }
}

/* By hand: 2 (1 + 6) / 2^6 is more than 5 %, 2 (1 + 9) / 2^9 less; 2 (1 + 25 + .. ) of 25 until 7 are left out. */
static void check_intervals(void) {
  double six[6] = {5, 1, 4, 2, 6, 3}, nine[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1}, many[25];
  for (int i = 0; i < 25; ++i) many[i] = 25 - i;
  qd_interval of = qd_interval_of(six, 6, QD_OUTSIDE);
  check(of.low == 1 && of.median == 3.5 && of.high == 6, "all of six");
  of = qd_interval_of(nine, 9, QD_OUTSIDE);
  check(of.low == 2 && of.median == 5 && of.high == 8, "nine without the outermost");
  of = qd_interval_of(many, 25, QD_OUTSIDE);
  check(of.low == 8 && of.median == 13 && of.high == 18, "the eighth of 25");
  of = qd_interval_of(nine, 9, QD_OUTSIDE_IN_RACE);
  check(of.low == 1 && of.high == 9, "all of nine");
  check(qd_interval_of(six, 0, QD_OUTSIDE).median < 0, "nothing of nothing");
}

static void check_race(void) {
  qd_measured* of = calloc(1, sizeof *of);
  if (of == NULL) return;
  const double any[4] = {1, 1, 1, 1};
  add(of, QD_OWN, 0, "library", any);
  add(of, QD_OWN_FORCED, 1, "ring", any);
  add(of, QD_OWN_FORCED, 2, "linear", any);
  add(of, QD_OURS, 0, "a", any);
  add(of, QD_OURS, 1, "b", any);
  char active[5] = {1, 1, 1, 1, 1};
  qd_interval ratios[5] = {{1, 1, 1}, {0.7, 0.8, 0.9}, {0.92, 0.95, 1.1}, {1.01, 1.2, 1.3}, {0.98, 1, 1.2}};
  check(!qd_race(of, ratios, active), "nobody may be clearly faster who is not told to be");
  check(active[0] && active[1] && !active[2] && !active[3] && active[4],
        "who is told to be slower than a fellow or the library leaves, and nobody else");
  ratios[2] = (qd_interval){0.7, 1.01, 1.2};
  active[2] = 1;
  qd_race(of, ratios, active);
  check(!active[2], "who is far behind does not catch up");
  ratios[4].low = 0.9;
  check(qd_race(of, ratios, active), "one may be clearly faster, or not");
  int order[5], seen[5] = {0};
  qd_shuffle(order, 5, 3);
  for (int i = 0; i < 5; ++i) ++seen[order[i]];
  check(seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[3] == 1 && seen[4] == 1, "each once");
  free(of);
}

int main(void) {
  check_intervals();
  check_race();
  const uint64_t sizes[4] = {64, 1024, 16384, 65536};
  qd_measured* all = calloc(2, sizeof *all);
  if (all == NULL) return 2;
  all[0] = (qd_measured){.collective = QD_ALLTOALL, .root = QD_NO_ROOT};
  const double own[4] = {1, 1, 1, 1}, small[4] = {1.4, 0.8, 0.7, 0.89}, large[4] = {3, 1.1, 0.96, 0.5},
               forced[4] = {0.5, 0.99, -1, 0.9};
  add(&all[0], QD_OWN, 0, "library", own);
  add(&all[0], QD_OWN_FORCED, 3, "modified_bruck", forced);
  add(&all[0], QD_OURS, 0, "alltoall_a", small);
  add(&all[0], QD_OURS, 1, "alltoall_b", large);
  check(qd_winner(&all[0], 0, QD_OURS) == 0, "a slower program is not taken");
  check(qd_winner(&all[0], 2, QD_OURS) == 2 && qd_winner(&all[0], 3, QD_OURS) == 3,
        "the faster one is taken");
  qd_range ranges[QD_TUNE_SIZES];
  check(qd_ranges(&all[0], sizes, 4, QD_OURS, ranges) == 2, "two ranges");
  check(ranges[0].from == 1024 && ranges[0].to == 32767 && ranges[1].from == 32768 &&
            ranges[1].to == UINT64_MAX,
        "from where it won, halfway to the next, without end");
  check(qd_ranges(&all[0], sizes, 4, QD_OWN_FORCED, ranges) == 2 && ranges[0].from == 0 &&
            ranges[0].to == 64 && ranges[1].from == 65536,
        "what won at the ends only");
  all[0].of[2].upper[1] = 1.2;
  check(qd_winner(&all[0], 1, QD_OURS) == 0, "noise is the library's");
  all[0].of[2].upper[1] = 0.9;
  all[0].of[1].ratio[1] = 0.9;
  all[0].of[1].upper[1] = 1.05;
  check(qd_winner(&all[0], 1, QD_OWN_FORCED) == 1,
        "an algorithm of the library's is taken that is faster more likely than not");
  all[0].of[1].upper[1] = 1.15;
  check(qd_winner(&all[0], 1, QD_OWN_FORCED) == 0, "and not one that is slower as likely");
  all[0].of[1].ratio[1] = 0.99;

  all[0].of[3].ratio[3] = 0.93;
  all[0].of[3].upper[3] = 0.95;
  all[0].of[2].ratio[3] = 0.94;
  check(qd_winner(&all[0], 3, QD_OURS) == 0, "another launch may see as little the other way round");
  all[0].of[3].ratio[3] = 0.5;
  all[0].of[3].upper[3] = 0.5;
  all[0].of[2].ratio[3] = 0.89;
  all[0].of[1].ratio[3] = 0.51;
  check(qd_winner(&all[0], 3, QD_OURS) == 0, "nor is what is as fast as that");
  all[0].of[1].ratio[3] = 0.45;
  check(qd_winner(&all[0], 3, QD_OURS) == 0, "what the library does faster by its own rules is left to it");
  all[0].collective = QD_GATHER;
  check(qd_winner(&all[0], 3, QD_OURS) == 3, "where no rule can say so a program does it");
  all[0].collective = QD_ALLTOALL;
  all[0].of[1].ratio[3] = 0.9;

  /* The library's allreduce is slower than its own reduce and broadcast would be. */
  qd_measured* three = calloc(3, sizeof *three);
  if (three == NULL) return 2;
  const double slow[4] = {9, 9, 9, 9};
  three[0] = (qd_measured){.collective = QD_ALLREDUCE, .root = QD_NO_ROOT};
  three[1] = (qd_measured){.collective = QD_REDUCE};
  three[2] = (qd_measured){.collective = QD_BROADCAST};
  add(&three[0], QD_OWN, 0, "library", slow);
  add(&three[1], QD_OWN, 0, "library", own);
  add(&three[2], QD_OWN, 0, "library", own);
  char* broken = qd_guidelines(three, 3, sizes, 4, 16, "", "\n");
  check_has(
      broken,
      "allreduce of 1024 bytes takes 18.000 ms, reduce of 1024 bytes and broadcast of 1024 bytes 4.000 ms\n");
  check(broken != NULL && strstr(broken, "\nreduce of") == NULL, "a faster reduce breaks nothing");
  free(broken);
  three[0].of[0].seconds[1] = 4e-3 / QD_BROKEN;
  broken = qd_guidelines(three, 3, sizes, 4, 16, "", "\n");
  check(broken != NULL && strstr(broken, "allreduce of 1024") == NULL, "what is as fast breaks nothing");
  free(broken);

  const qd_tuning what = {.folder = "", .sizes = sizes, .num_sizes = 4};
  const qd_findings found = {
      .topology = "torus(4,4)", .mpi = "say \"MPI\"", .machine = "m", .ranks = 16, .all = all, .num = 1};
  char* rules = qd_openmpi_rules(&found, &what);
  /* Bytes of all blocks: 16 of them. */
  check_has(rules, "3 # alltoall\n1 # size of communicator\n16\n3 # rules");
  check_has(rules, "\n0 3 0 0 # modified_bruck\n1040 0 0 0\n1048576 3 0 0 # modified_bruck\n");
  free(rules);
  char* json = qd_tuning_json(&found, &what);
  check_has(json, "\"library\": \"say \\\"MPI\\\"\"");
  check_has(json,
            "{\"from_bytes\": 32768, \"to_bytes\": null, \"algorithm\": \"alltoall_b\", \"pieces\": 2}");
  check_has(
      json,
      "{\"bytes\": 1024, \"by\": \"program\", \"algorithm\": \"alltoall_a\", \"pieces\": 2, \"ms\": 1.600000,");
  check(json != NULL &&
            strstr(json, "\"bytes\": 16384, \"by\": \"library\", \"algorithm\": \"modified") == NULL,
        "what was not measured is not told");
  free(json);
  free(all);
  free(three);
  if (wrong == 0) printf("all right\n");
  return wrong != 0;
}
