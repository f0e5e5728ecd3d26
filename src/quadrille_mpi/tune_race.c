/* Which of several is fastest, told from noise: candidates run in turns, and whoever is told to be slower than another of its kind
 * leaves, so that the rest is measured more often (Oded Maron, Andrew W. Moore: Hoeffding races, NIPS 6, 1993; here by order
 * statistics, which ask nothing of the noise but that rounds are alike). No MPI here. */
#include <math.h>
#include <stdlib.h>

#include "tune.h"

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* How many of a sample's outermost on each side are left out, so that the median is outside of the next in no more than that part of
 * cases. */
static int left_out(int count, double most) {
  /* The chance that the median is outside of all is 2 / 2^n, and one more of n tosses makes it n - k of k + 1 times likelier. */
  double chance = ldexp(1, 1 - count), outside = chance;
  int out = 0;
  for (; out + 1 < count / 2; ++out) {
    chance *= (double)(count - out) / (out + 1);
    outside += chance;
    if (outside > most) break;
  }
  return out;
}

qd_interval qd_interval_of(double* values, int count, double outside) {
  if (count == 0) return (qd_interval){-1, -1, -1};
  qsort(values, (size_t)count, sizeof *values, by_value);
  const int out = left_out(count, outside);
  return (qd_interval){.low = values[out],
                       .median = (values[(count - 1) / 2] + values[count / 2]) / 2,
                       .high = values[count - 1 - out]};
}

/* Of the median of a fellow: further behind it nobody catches up. */
static const double behind = 1.25;

/* The library as it comes is measured in every round: what others took is told by it. */
int qd_race(const qd_measured* of, const qd_interval* ratios, char* active) {
  int is_open = 0;
  for (int c = 1; c < of->num; ++c) {
    if (!active[c]) continue;
    int is_slower = ratios[c].low >= 1;
    for (int other = 1; other < of->num && !is_slower; ++other)
      is_slower = active[other] && of->of[other].kind == of->of[c].kind &&
                  (ratios[other].high < ratios[c].low || behind * ratios[other].median < ratios[c].median);
    if (is_slower) active[c] = 0;
    is_open = is_open || (!is_slower && ratios[c].high >= 1 && ratios[c].low < QD_CLEARLY);
  }
  return is_open;
}
