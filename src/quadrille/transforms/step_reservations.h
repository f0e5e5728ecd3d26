// Step reservations: which arcs and ports are taken in which step, for whoever puts transfers into steps.
//
//     StepReservations machine(problem);
//     const size_t at = machine.first_free(path, earliest);
//     machine.use(path, at);
//
// Where transfers may share arcs nothing is ever full; who mends a plan says how much goes over an arc in each of its steps (`widths`).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

/// Something that takes so many transfers a step: an arc, the ports of a node.
class StepResource {
 public:
  static constexpr uint64_t kBitsOfWord = 64;

  explicit StepResource(uint32_t limit) : limit_(limit) {}

  /// Bit i of word w: it takes no more in step 64 w + i.
  [[nodiscard]] uint64_t full_in(size_t word) const { return word < full_.size() ? full_[word] : 0; }

  void close(size_t step) {
    const size_t word = step / kBitsOfWord;
    if (word >= full_.size()) full_.resize(word + 1, 0);
    full_[word] |= uint64_t{1} << (step % kBitsOfWord);
  }

  /// `width`: how many times its limit it takes in that step.
  void use(size_t step, uint32_t width = 1) {
    if (limit_ == Ports::kAll) return;
    if (const uint64_t most = uint64_t{limit_} * width; most > 1) {
      if (step >= used_.size()) used_.resize(step + 1, 0);
      if (++used_[step] < most) return;
    }
    close(step);
  }

  /// How many more it takes in the step.
  [[nodiscard]] uint32_t room(size_t step) const {
    if (is_full(step)) return 0;
    if (limit_ == Ports::kAll) return UINT32_MAX;
    if (step >= used_.size()) return limit_;
    return limit_ - used_[step];
  }

  [[nodiscard]] bool is_full(size_t step) const {
    return (full_in(step / kBitsOfWord) >> (step % kBitsOfWord) & 1U) != 0;
  }

 private:
  uint32_t limit_;              // Ports::kAll: none
  std::vector<uint64_t> full_;  // beyond its end nothing is full
  std::vector<uint32_t> used_;  // only where the limit is more than one
};

/// What of the machine every step of the new plan uses.
class StepReservations {
 public:
  /// `widths`: of the first steps how often an arc takes its capacity in each; of all others as often as in the widest of these, or
  /// once.
  explicit StepReservations(const Problem& problem, std::vector<uint32_t> widths = {})
      : topology_(problem.topology()),
        widths_(std::move(widths)),
        last_width_(widths_.empty() ? 1 : std::ranges::max(widths_)) {
    const Model& model = problem.model();
    half_duplex_ = model.duplex == Duplex::kHalf;
    resources_.reserve(topology_.num_arcs() + size_t{2} * topology_.num_nodes());
    for (const ArcId arc : topology_.arcs()) resources_.emplace_back(topology_.capacity(arc));
    for (const Ports ports : {model.send, model.receive})
      resources_.insert(resources_.end(), topology_.num_nodes(), StepResource(ports.count));
  }

  /// The first step from that one on in which the path is free.
  [[nodiscard]] size_t first_free(std::span<const ArcId> path, size_t from) const {
    const StepResource& sending = sender(path);
    const StepResource& receiving = receiver(path);
    uint64_t wanted = ~uint64_t{0} << (from % StepResource::kBitsOfWord);
    for (size_t word = from / StepResource::kBitsOfWord;; ++word) {
      uint64_t full = sending.full_in(word) | receiving.full_in(word);
      for (const ArcId arc : path) full |= resources_[index(arc)].full_in(word);
      if (const uint64_t open = ~full & wanted; open != 0)
        return word * StepResource::kBitsOfWord + static_cast<size_t>(std::countr_zero(open));
      wanted = ~uint64_t{0};
    }
  }

  /// Whether all transfers of a step, which keeps the rules by itself, have room in that one.
  [[nodiscard]] bool fits(const StepView& step, size_t at) const {
    std::vector<size_t> wanted;
    for (size_t t = 0; t < step.size(); ++t) {
      for (const ArcId arc : step.arcs(t)) wanted.push_back(index(arc));
      wanted.push_back(sender_of(step.arcs(t)));
      wanted.push_back(receiver_of(step.arcs(t)));
    }
    std::ranges::sort(wanted);
    for (size_t i = 0; i < wanted.size();) {
      size_t end = i + 1;
      while (end < wanted.size() && wanted[end] == wanted[i]) ++end;
      if (resources_[wanted[i]].room(at) < end - i) return false;
      i = end;
    }
    return true;
  }

  void use(std::span<const ArcId> path, size_t step) {
    for (const ArcId arc : path) {
      resources_[index(arc)].use(step, step < widths_.size() ? widths_[step] : last_width_);
      if (const ArcId back = topology_.reverse(arc); half_duplex_ && back != kNoArc)
        resources_[index(back)].close(step);
    }
    sender(path).use(step);
    receiver(path).use(step);
  }

 private:
  [[nodiscard]] size_t sender_of(std::span<const ArcId> path) const {
    return topology_.num_arcs() + index(topology_.tail(path.front()));
  }
  [[nodiscard]] size_t receiver_of(std::span<const ArcId> path) const {
    return topology_.num_arcs() + topology_.num_nodes() + index(topology_.head(path.back()));
  }
  [[nodiscard]] const StepResource& sender(std::span<const ArcId> path) const {
    return resources_[sender_of(path)];
  }
  [[nodiscard]] const StepResource& receiver(std::span<const ArcId> path) const {
    return resources_[receiver_of(path)];
  }
  [[nodiscard]] StepResource& sender(std::span<const ArcId> path) { return resources_[sender_of(path)]; }
  [[nodiscard]] StepResource& receiver(std::span<const ArcId> path) { return resources_[receiver_of(path)]; }

  const Topology& topology_;
  bool half_duplex_ = false;
  std::vector<uint32_t> widths_;
  uint32_t last_width_;
  std::vector<StepResource> resources_;  // arcs, send ports, receive ports
};

}  // namespace quadrille
