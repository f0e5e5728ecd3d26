#include "quadrille/algorithms/placed_ranks/routed/waiting_slots.h"

#include <algorithm>
#include <tuple>

namespace quadrille {

// In the order of messages: what is sent, and what is kept apart since it comes too early or since `apart` says so.
void WaitingSlots::follow(std::span<const char> apart) {
  sums_.assign(1, {.end = kForEver});
  for (std::vector<uint32_t>& sums : named_) sums.clear();
  named_[0].push_back(0);
  into_.assign(arrivals.size(), 0);
  makes_.assign(arrivals.size(), 0);
  read_.clear();
  read_ends_.clear();
  last_read_ = cleared_ = since_ = 0;
  for (size_t r = 0, a = 0; r < reads.size() || a < arrivals.size();) {
    if (a == arrivals.size() || (r < reads.size() && reads[r].turn <= arrivals[a].turn)) {
      const Read& read = reads[r++];
      for (uint32_t s = 0; s < SumSlots::kCount; ++s) {
        if ((read.slots >> s & 1U) == 0) continue;
        read_.insert(read_.end(), named_[s].begin(), named_[s].end());
        for (const uint32_t sum : named_[s]) sums_[sum].busy = std::max(sums_[sum].busy, read.step);
      }
      read_ends_.push_back(static_cast<uint32_t>(read_.size()));
      last_read_ = std::max(last_read_, read.step);
      continue;
    }
    arrive(arrivals[a], keeps_all_apart || (!apart.empty() && apart[a] != 0));
    ++a;
  }
  for (Sum& sum : sums_)
    if (sum.end == 0) sum.end = sum.busy;
  for (const std::vector<uint32_t>& sums : named_)
    for (const uint32_t sum : sums) sums_[sum].end = kForEver;
}

void WaitingSlots::arrive(const Arrival& arrival, bool is_kept_apart) {
  const size_t a = static_cast<size_t>(&arrival - arrivals.data());
  std::vector<uint32_t>& there = named_[arrival.slot];
  if (arrival.op == TransferOp::kCopy && arrival.slot == 0) return clear(arrival.step);
  if (arrival.op == TransferOp::kCopy) {
    there.clear();
  } else if (!is_kept_apart && last_read_ <= arrival.step) {
    const auto into = std::ranges::find_if(there, [&](uint32_t sum) {
      return sum == 0 ? since_ <= arrival.step : sums_[sum].begin < arrival.step;
    });
    if (into != there.end()) {
      into_[a] = *into;
      sums_[*into].busy = std::max(sums_[*into].busy, arrival.step + 1);
      return;
    }
  }
  into_[a] = static_cast<uint32_t>(sums_.size());
  makes_[a] = 1;
  there.push_back(into_[a]);
  sums_.push_back({.begin = arrival.step, .busy = arrival.step + 1});
}

void WaitingSlots::clear(uint32_t step) {
  for (std::vector<uint32_t>& sums : named_) {
    for (const uint32_t sum : sums)
      if (sum != 0) sums_[sum].end = std::max(step, sums_[sum].begin + 1);
    sums.clear();
  }
  named_[0].push_back(0);
  cleared_ = std::max(cleared_, step);
  since_ = step + 1;
}

// From the last that ends to the first: into the slot whose next sum comes soonest after it. Returns how many slots are left with
// something that is nobody's.
uint32_t WaitingSlots::colour() {
  struct Item {
    uint32_t begin;
    uint32_t end;
    uint32_t index;
    bool is_sum;
  };
  std::vector<Item> items;
  for (uint32_t s = 1; s < sums_.size(); ++s) items.push_back({sums_[s].begin, sums_[s].end, s, true});
  for (uint32_t t = 0; t < transits.size(); ++t)
    items.push_back({transits[t].arrives, transits[t].leaves, t, false});
  std::ranges::sort(items, [](const Item& a, const Item& b) {
    return std::tuple(a.end, a.begin, a.is_sum, a.index) > std::tuple(b.end, b.begin, b.is_sum, b.index);
  });
  slot_of_.assign(transits.size(), 0);
  std::vector<uint32_t> begins;  // by slot from 1 on, of its earliest sum
  uint32_t left_over = 0;
  for (const Item& item : items) {
    size_t best = begins.size();
    for (size_t s = 0; s < begins.size(); ++s)
      if (begins[s] >= item.end && (best == begins.size() || begins[s] < begins[best])) best = s;
    if (best == begins.size()) {
      begins.push_back(0);
      if (item.end != kForEver && item.end > cleared_) ++left_over;
    }
    begins[best] = item.begin;
    (item.is_sum ? sums_[item.index].slot : slot_of_[item.index]) = static_cast<uint32_t>(best) + 1;
  }
  used_ = static_cast<uint32_t>(begins.size()) + 1;
  return left_over;
}

uint32_t WaitingSlots::mask_of(std::span<const uint32_t> sums) const {
  uint32_t mask = 0;
  for (const uint32_t sum : sums) mask |= uint32_t{1} << sums_[sum].slot;
  return mask;
}

WaitingSlots::Kept WaitingSlots::choose(bool is_to_be_clean, std::span<HopSlots> chosen) {
  const auto in_turn = [](const auto& a, const auto& b) {
    return std::tuple(a.turn, a.step, a.hop) < std::tuple(b.turn, b.step, b.hop);
  };
  std::ranges::sort(reads, in_turn);
  std::ranges::sort(arrivals, in_turn);
  follow({});
  uint32_t left_over = colour();
  if (is_to_be_clean && left_over > 0) {
    // The last that came replace what was passed on.
    std::vector<uint32_t> last;
    for (uint32_t a = 0; a < arrivals.size(); ++a)
      if (makes_[a] == 0 && arrivals[a].op != TransferOp::kCopy && arrivals[a].step >= since_)
        last.push_back(a);
    std::ranges::sort(last, [&](uint32_t a, uint32_t b) {
      return std::tuple(arrivals[a].step, a) > std::tuple(arrivals[b].step, b);
    });
    if (last.size() > left_over) last.resize(left_over);
    std::vector<char> apart(arrivals.size(), 0);
    for (const uint32_t a : last) apart[a] = 1;
    follow(apart);
    const uint32_t then = colour();
    if (then >= left_over || used_ > SumSlots::kCount) {
      follow({});
      left_over = colour();
    } else {
      left_over = then;
    }
  }
  Kept out{.fits = used_ <= SumSlots::kCount, .is_clean = left_over == 0};
  if (!out.fits) return out;
  for (size_t r = 0; r < reads.size(); ++r) {
    const uint32_t begin = r == 0 ? 0 : read_ends_[r - 1];
    chosen[reads[r].hop].slots.from = mask_of(std::span(read_).subspan(begin, read_ends_[r] - begin));
  }
  for (size_t a = 0; a < arrivals.size(); ++a) {
    HopSlots& hop = chosen[arrivals[a].hop];
    hop.slots.to = sums_[into_[a]].slot;
    hop.op = makes_[a] != 0 ? TransferOp::kCopy : arrivals[a].op;
  }
  for (size_t t = 0; t < transits.size(); ++t) {
    chosen[transits[t].hop_in].slots.to = slot_of_[t];
    chosen[transits[t].hop_in].op = TransferOp::kCopy;
    chosen[transits[t].hop_out].slots.from = uint32_t{1} << slot_of_[t];
  }
  out.slots = 0;
  for (const std::vector<uint32_t>& sums : named_) out.slots |= mask_of(sums);
  return out;
}

}  // namespace quadrille
