#include "quadrille/algorithms/packing/worms/kept_packings.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "quadrille/topology/last_answers.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostRanksKept = 64;
constexpr size_t kMostKeptRounds = size_t{1} << 14U;

// The network is what LastAnswers goes by; its name says which structure it is known to have, after which paths go.
using Machine = std::tuple<std::string, Routing, Duplex>;

// The ports that some rank has more worms for: 0 where there are none.
uint32_t felt(Ports ports, std::vector<uint32_t> worms_of) {
  const uint32_t most = *std::max_element(worms_of.begin(), worms_of.end());
  return ports.unlimited() || ports.count >= most ? 0 : ports.count;
}

struct HashOfWords {
  size_t operator()(const std::vector<uint32_t>& words) const {
    uint64_t hash = words.size();
    for (const uint32_t word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15U + (hash >> 29U);
    return hash;
  }
};

}  // namespace

class KeptPackings::Store {
 public:
  [[nodiscard]] std::shared_ptr<const PackedWorms> find(const std::vector<uint32_t>& key) {
    const std::lock_guard lock(mutex_);
    const auto at = kept_.find(key);
    return at == kept_.end() ? nullptr : at->second;
  }
  void keep(std::vector<uint32_t> key, std::shared_ptr<const PackedWorms> packed) {
    const std::lock_guard lock(mutex_);
    if (kept_.size() < kMostKeptRounds) kept_.emplace(std::move(key), std::move(packed));
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::vector<uint32_t>, std::shared_ptr<const PackedWorms>, HashOfWords> kept_;
};

KeptPackings::KeptPackings(const Problem& problem) : problem_(problem) {
  static LastAnswers<Machine, std::shared_ptr<Store>> kept(4);
  if (problem.collective().num_ranks() > kMostRanksKept) return;
  const Topology& topology = problem.topology();
  store_ = kept.of(topology, {topology.name(), problem.model().routing, problem.model().duplex},
                   [] { return std::make_shared<Store>(); });
}

std::shared_ptr<const PackedWorms> KeptPackings::packed(const std::vector<WormPacking::Worm>& worms,
                                                        uint64_t budget) {
  if (!store_ || worms.empty()) return std::make_shared<const PackedWorms>(pack(worms, budget));
  std::vector<uint32_t> sent(problem_.collective().num_ranks(), 0);
  std::vector<uint32_t> received(sent.size(), 0);
  std::vector<uint32_t> key{static_cast<uint32_t>(budget), 0, 0};
  for (const WormPacking::Worm& worm : worms) {
    ++sent[index(worm.from)];
    ++received[index(worm.to)];
    key.push_back(static_cast<uint32_t>(index(worm.from) * kMostRanksKept + index(worm.to)));
  }
  key[1] = felt(problem_.model().send, std::move(sent));
  key[2] = felt(problem_.model().receive, std::move(received));
  if (std::shared_ptr<const PackedWorms> before = store_->find(key)) return before;
  auto made = std::make_shared<const PackedWorms>(pack(worms, budget));
  store_->keep(std::move(key), made);
  return made;
}

PackedWorms KeptPackings::pack(const std::vector<WormPacking::Worm>& worms, uint64_t budget) {
  if (!packing_) {
    packing_.emplace(problem_);
    if (store_) packing_->settle_soon();
  }
  packing_->pack(worms, budget);
  PackedWorms out;
  for (size_t s = 0; s < packing_->num_steps(); ++s)
    out.steps.emplace_back(packing_->step(s).begin(), packing_->step(s).end());
  for (uint32_t w = 0; w < worms.size(); ++w) {
    const std::span<const ArcId> path = packing_->path(w);
    out.arcs.insert(out.arcs.end(), path.begin(), path.end());
    out.path_ends.push_back(out.arcs.size());
  }
  return out;
}

}  // namespace quadrille
