#include "quadrille/testing/counted.test.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/schedule/counts/stated_counts.h"

namespace quadrille {

Counts mixed_counts(uint32_t ranks, uint32_t most, uint64_t seed) {
  Rng rng(seed);
  std::vector<Counts::Entry> entries;
  for (uint32_t s = 0; s < ranks; ++s) {
    for (uint32_t t = 0; t < ranks; ++t) {
      if (rng.below(3) == 0 || (s == t && rng.below(2) == 0)) continue;
      entries.push_back({Rank{s}, Rank{t}, 1 + static_cast<uint32_t>(rng.below(most))});
    }
  }
  if (entries.empty()) entries.push_back({Rank{0}, Rank{ranks - 1}, most});
  return Counts(ranks, std::move(entries));
}

Counts zipf_counts(uint32_t ranks, double exponent, double density, uint64_t seed) {
  Rng rng(seed);
  const auto part = [&rng] { return static_cast<double>(rng.next() >> 11U) * 0x1p-53; };
  std::vector<uint32_t> ranking(ranks);
  std::iota(ranking.begin(), ranking.end(), 0U);
  rng.shuffle(ranking);
  double all = 0;
  for (uint32_t place = 1; place <= ranks; ++place) all += std::pow(place, -exponent);
  std::vector<Counts::Entry> entries;
  for (uint32_t s = 0; s < ranks; ++s) {
    for (uint32_t place = 0; place < ranks; ++place) {
      if (ranking[place] == s || part() > density) continue;
      const double wanted = ranks * std::pow(place + 1, -exponent) / all;
      const auto count = static_cast<uint32_t>(wanted + part());
      entries.push_back({Rank{s}, Rank{ranking[place]}, count});
    }
  }
  return Counts(ranks, std::move(entries));
}

Problem any_problem(const Topology& topology, CollectiveKind kind, const Model& model, NodeId root,
                    uint32_t pieces) {
  if (kind != CollectiveKind::kAlltoallv) return standard_problem(topology, kind, model, root, pieces);
  return counted_problem(topology, mixed_counts(topology.num_endpoints(), std::min(pieces + 1, 3U), pieces),
                         model);
}

}  // namespace quadrille
