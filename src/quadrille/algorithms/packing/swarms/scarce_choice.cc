#include "quadrille/algorithms/packing/swarms/scarce_choice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// A score is 4 (8 near + holders) + noise, with four digits of noise.
constexpr size_t kNearFrom = 3;
constexpr size_t kNoiseDigits = 4;
constexpr uint32_t kRaise = 2;
constexpr size_t kNoiseWords = 4096;
constexpr size_t kFewPerChannel = 2;
constexpr size_t kMostDigits = 36;
constexpr size_t kLanes = 2;

// 128 blocks: what processors of every kind do in one go.
using Lanes = uint64_t __attribute__((vector_size(kLanes * sizeof(uint64_t))));

Lanes load(const uint64_t* from) {
  Lanes out;
  std::memcpy(&out, from, sizeof(out));
  return out;
}
void store(uint64_t* to, Lanes value) { std::memcpy(to, &value, sizeof(value)); }
bool is_zero(Lanes value) { return (value[0] | value[1]) == 0; }

// Digits that the sum of both and of a noise below 4 has.
size_t digits_of_sum(size_t near_digits, size_t holder_digits) {
  return std::max(holder_digits, near_digits + kNearFrom) + 2;
}

}  // namespace

BlockHoldings::BlockHoldings(const Topology& net, uint32_t blocks)
    : words_((size_t{blocks} + 127) / 128 * kLanes),
      digits_(static_cast<size_t>(std::bit_width(net.num_nodes()))),
      bits_(net.num_nodes() * words_, 0),
      wanted_(words_, 0),
      holders_(blocks, 0),
      planes_(words_ * digits_, 0) {}

void BlockHoldings::begin(NodeId node, uint32_t block) {
  wanted_[block / 64] |= uint64_t{1} << (block % 64);
  give(node, block);
}

void BlockHoldings::give(NodeId node, uint32_t block) {
  set(node, block);
  ++holders_[block];
  const uint64_t bit = uint64_t{1} << (block % 64);
  for (size_t digit = 0; digit < digits_; ++digit) {
    uint64_t& plane = planes_[plane_word(block, digit)];
    plane ^= bit;
    if ((plane & bit) != 0) break;
  }
}

void BlockHoldings::is_everywhere(uint32_t block) { wanted_[block / 64] &= ~(uint64_t{1} << (block % 64)); }

std::vector<uint64_t> ScarceChoice::noise_words(uint64_t seed) {
  std::vector<uint64_t> out(kNoiseWords);
  Rng rng(seed);
  for (uint64_t& word : out) word = rng.next();
  return out;
}

void ScarceChoice::choose(NodeId v, std::span<const ArcId> channels, uint64_t seed, uint32_t& most,
                          std::span<uint32_t> chosen) {
  std::fill(chosen.begin(), chosen.end(), kNobody);
  channels_ = channels;
  chosen_ = chosen;
  noise_from_ = Rng(seed).below(noise_.size() / kLanes) * kLanes;
  add_up(v);
  // A channel that brings nothing new is as good as one for which every search was in vain.
  mark_.assign(channels.size(), 0);
  search_ = 0;
  open_ = 0;
  for (size_t i = 0; i < channels.size(); ++i) {
    if (brings_news(channels[i])) {
      ++open_;
    } else {
      mark_[i] = kInVain;
    }
  }
  if (open_ == 0) return;
  uint32_t up_to = most;
  bool is_all = list_scarcest(kFewPerChannel * channels.size(), up_to, most);
  place_listed();
  for (uint32_t more = kRaise; open_ > 0 && !is_all; more *= 2) {
    leave_out_useless();
    up_to += more;
    is_all = list_up_to(up_to);
    place_listed();
  }
}

// The scarcest few do, as a rule. The limit of the node's last step is a good one for this step, too.
bool ScarceChoice::list_scarcest(size_t few, uint32_t& up_to, uint32_t& most) {
  bool is_all = list_up_to(up_to);
  for (uint32_t more = kRaise; !is_all && listed_.size() < few; more *= 2) {
    up_to += more;
    is_all = list_up_to(up_to);
  }
  std::sort(listed_.begin(), listed_.end());
  most = listed_.size() > 2 * few ? listed_[few + few / 2].score : up_to;
  return is_all;
}

// Over the neighbours.
void ScarceChoice::add_up(NodeId v) {
  const size_t words = holdings_.words_;
  tails_.clear();
  for (size_t i = 0; i < channels_.size(); ++i)
    if (i == 0 || channels_[i] != channels_[i - 1]) tails_.push_back(holdings_.of(net_.tail(channels_[i])));
  near_digits_ = static_cast<size_t>(std::bit_width(tails_.size()));
  near_.resize(words * near_digits_);
  news_.resize(words);
  const uint64_t* here = holdings_.of(v);
  std::array<Lanes, kMostDigits> near;
  for (size_t w = 0; w < words; w += kLanes) {
    std::fill_n(near.begin(), near_digits_, Lanes{});
    for (size_t t = 0; t < tails_.size(); ++t) {
      Lanes carry = load(tails_[t] + w);
      const size_t digits = std::min(near_digits_, static_cast<size_t>(std::bit_width(t + 1)));
      for (size_t d = 0; d < digits; ++d) {
        const Lanes before = near[d];
        near[d] = before ^ carry;
        carry &= before;
      }
    }
    Lanes any{};
    for (size_t d = 0; d < near_digits_; ++d) {
      any |= near[d];
      store(&near_[w * near_digits_ + d * kLanes], near[d]);
    }
    store(&news_[w], any & ~load(here + w) & load(&holdings_.wanted_[w]));
  }
}

bool ScarceChoice::brings_news(ArcId arc) const {
  const uint64_t* from = holdings_.of(net_.tail(arc));
  for (size_t w = 0; w < holdings_.words_; ++w)
    if ((from[w] & news_[w]) != 0) return true;
  return false;
}

uint32_t ScarceChoice::score(uint32_t block) const {
  const size_t w = block / 128 * kLanes;
  const size_t lane = block / 64 % kLanes;
  const auto bit = [&](uint64_t word) { return static_cast<uint32_t>((word >> (block % 64)) & 1U); };
  uint32_t near = 0;
  for (size_t d = 0; d < near_digits_; ++d) near |= bit(near_[w * near_digits_ + d * kLanes + lane]) << d;
  uint32_t noise = 0;
  for (size_t d = 0; d < kNoiseDigits; ++d) noise |= bit(noise_word(w, d, lane)) << d;
  return (near * 8 + holdings_.holders(block)) * 4 + noise;
}

// Takes what has no higher score out of the news, and appends it to the list; whether nothing is left.
bool ScarceChoice::list_up_to(uint32_t most) {
  const size_t holder_digits = holdings_.digits_;
  const size_t digits = digits_of_sum(near_digits_, holder_digits);
  std::array<Lanes, kMostDigits> sum;
  std::array<Lanes, kMostDigits> limit;  // all ones, or none
  for (size_t d = 0; d < digits + 2; ++d) {
    const uint64_t ones = (uint64_t{most} >> (digits + 2)) != 0 || ((most >> d) & 1U) != 0 ? ~uint64_t{0} : 0;
    limit[d] = Lanes{ones, ones};
  }
  bool is_all = true;
  for (size_t w = 0; w < holdings_.words_; w += kLanes) {
    const Lanes news = load(&news_[w]);
    if (is_zero(news)) continue;
    const std::array<Lanes, kNoiseDigits> noise{load(&noise_word(w, 0, 0)), load(&noise_word(w, 1, 0)),
                                                load(&noise_word(w, 2, 0)), load(&noise_word(w, 3, 0))};
    const uint64_t* holders = &holdings_.planes_[w * holder_digits];
    Lanes carry{};
    for (size_t d = 0; d < digits; ++d) {
      const Lanes one = d < holder_digits ? load(holders + d * kLanes) : Lanes{};
      const Lanes two = d < 2 ? noise[d + 2] : Lanes{};
      sum[d] = one ^ two ^ carry;
      carry = (one & two) | (carry & (one ^ two));
    }
    carry = Lanes{};
    const uint64_t* near = &near_[w * near_digits_];
    for (size_t d = kNearFrom; d < digits; ++d) {
      const Lanes one = sum[d];
      const Lanes two = d - kNearFrom < near_digits_ ? load(near + (d - kNearFrom) * kLanes) : Lanes{};
      sum[d] = one ^ two ^ carry;
      carry = (one & two) | (carry & (one ^ two));
    }
    Lanes same = news;
    Lanes below{};
    const auto compare = [&](Lanes digit, Lanes of_limit) {
      below |= same & ~digit & of_limit;
      same &= ~(digit ^ of_limit);
    };
    for (size_t d = digits; d-- > 0;) compare(sum[d], limit[d + 2]);
    compare(noise[1], limit[1]);
    compare(noise[0], limit[0]);
    below |= same;
    const Lanes rest = news & ~below;
    store(&news_[w], rest);
    is_all = is_all && is_zero(rest);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (uint64_t bits = below[lane]; bits != 0; bits &= bits - 1) {
        const auto block =
            static_cast<uint32_t>((w + lane) * 64 + static_cast<size_t>(std::countr_zero(bits)));
        listed_.push_back({score(block), block});
      }
    }
  }
  return is_all;
}

void ScarceChoice::place_listed() {
  std::sort(listed_.begin(), listed_.end());
  for (size_t at = 0; at < listed_.size() && open_ > 0; ++at) {
    ++search_;
    if (place(listed_[at].block)) {
      --open_;
    } else {
      // Where a search in vain has been no later one finds a way on.
      for (uint32_t& mark : mark_)
        if (mark == search_) mark = kInVain;
    }
  }
  listed_.clear();
}

// What can come neither over a free channel nor over one whose block may come over a free one: a search for it is in vain, now and
// later.
void ScarceChoice::leave_out_useless() {
  reaching_.clear();
  is_reaching_.assign(channels_.size(), 0);
  useful_.assign(holdings_.words_, 0);
  const auto reach = [&](size_t i) {
    if (is_reaching_[i] != 0 || mark_[i] == kInVain) return;
    is_reaching_[i] = 1;
    reaching_.push_back(i);
  };
  for (size_t i = 0; i < channels_.size(); ++i)
    if (chosen_[i] == kNobody) reach(i);
  for (size_t next = 0; next < reaching_.size(); ++next) {
    const NodeId from = net_.tail(channels_[reaching_[next]]);
    for (size_t w = 0; w < holdings_.words_; ++w) useful_[w] |= holdings_.of(from)[w];
    for (size_t i = 0; i < channels_.size(); ++i)
      if (chosen_[i] != kNobody && holdings_.has(from, chosen_[i])) reach(i);
  }
  for (size_t w = 0; w < holdings_.words_; ++w) news_[w] &= useful_[w];
}

bool ScarceChoice::place(uint32_t block) {
  for (size_t i = 0; i < channels_.size(); ++i) {
    if (mark_[i] == kInVain || mark_[i] == search_ || !holdings_.has(net_.tail(channels_[i]), block))
      continue;
    mark_[i] = search_;
    if (chosen_[i] != kNobody && !place(chosen_[i])) continue;
    chosen_[i] = block;
    return true;
  }
  return false;
}

}  // namespace quadrille
