#include "quadrille/program/lowering/translations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/cayley/group.h"

namespace quadrille {
namespace {

uint64_t mixed(uint64_t number) {
  number = (number ^ number >> 30U) * 0xbf58476d1ce4e5b9U;
  number = (number ^ number >> 27U) * 0x94d049bb133111ebU;
  return number ^ number >> 31U;
}

// So that a rank as an origin, as a destination and in a link are different numbers.
constexpr uint64_t kOfOrigin = uint64_t{1} << 62U;
constexpr uint64_t kOfDestination = uint64_t{2} << 62U;

bool follows(const SlotRun& run, const SlotRun& next) {
  return run.buffer == next.buffer && run.first + run.count == next.first;
}

// Writes the image of a rank's program.
class ImageWriter {
 public:
  ImageWriter(const Collective& collective, std::span<const uint32_t> to, bool deals_out)
      : collective_(collective), to_(to), deals_out_(deals_out) {}

  RankProgram write(const RankProgram& first) {
    out_.rank = Rank{to_[0]};
    out_.input_slots = first.input_slots;
    out_.output_slots = first.output_slots;
    out_.scratch_slots = first.scratch_slots;
    out_.requests = first.requests;
    for (const Action& action : first.actions) {
      if (is_local(action.kind)) {
        add_local(first, action);
        continue;
      }
      Action image = action;
      if (starts_request(action.kind)) {
        image.peer = Rank{to_[index(action.peer)]};
        image.begin = static_cast<uint32_t>(out_.runs.size());
        image.blocks_begin = static_cast<uint32_t>(out_.blocks.size());
        for (const SlotRun& run : first.runs_of(action)) add_runs(run, image.begin);
        for (const BlockId block : first.blocks_of(action))
          out_.blocks.push_back(image_of(block, collective_, to_, deals_out_));
        image.end = static_cast<uint32_t>(out_.runs.size());
      }
      out_.actions.push_back(image);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] uint32_t slot_of(Buffer buffer, uint32_t slot) const {
    const uint32_t of_each = slots_by_rank(collective_, buffer, deals_out_);
    return of_each == 0 ? slot : to_[slot / of_each] * of_each + slot % of_each;
  }

  void add_runs(const SlotRun& run, size_t first_run) {
    if (slots_by_rank(collective_, run.buffer, deals_out_) == 0) {
      out_.runs.push_back(run);
      return;
    }
    for (uint32_t i = 0; i < run.count; ++i) {
      const SlotRun one{run.buffer, slot_of(run.buffer, run.first + i), 1};
      if (i > 0 && out_.runs.size() > first_run && follows(out_.runs.back(), one)) {
        ++out_.runs.back().count;
      } else {
        out_.runs.push_back(one);
      }
    }
  }

  // Both ends of one length: an action for each pair of runs.
  void add_local(const RankProgram& first, const Action& action) {
    const std::span<const SlotRun> runs = first.runs_of(action);
    for (uint32_t i = 0; i < runs[0].count; ++i) {
      const SlotRun target{runs[0].buffer, slot_of(runs[0].buffer, runs[0].first + i), 1};
      const SlotRun source{runs[1].buffer, slot_of(runs[1].buffer, runs[1].first + i), 1};
      if (i > 0 && target.buffer != source.buffer && follows(out_.runs[out_.runs.size() - 2], target) &&
          follows(out_.runs.back(), source)) {
        ++out_.runs[out_.runs.size() - 2].count;
        ++out_.runs.back().count;
        continue;
      }
      Action image = action;
      image.begin = static_cast<uint32_t>(out_.runs.size());
      out_.runs.push_back(target);
      out_.runs.push_back(source);
      image.end = static_cast<uint32_t>(out_.runs.size());
      out_.actions.push_back(image);
    }
  }

  const Collective& collective_;
  std::span<const uint32_t> to_;
  bool deals_out_;
  RankProgram out_;
};

}  // namespace

// Moves some ranks as the way to `rank` does; the first of them is 0.
static void move_along(const Translations& all, Rank rank, std::span<uint32_t> some) {
  auto at = static_cast<uint32_t>(index(rank));
  for (uint32_t length = 0; at != 0; ++length) {
    const Translations::LastStep& last = all.ways[at];
    if (length == all.ways.size() || last.before >= all.ways.size() ||
        last.generator >= all.generators.size())
      throw InputError(fmt::format("the way to rank {} does not come from rank 0", index(rank)));
    const std::vector<uint32_t>& step = all.generators[last.generator];
    for (uint32_t& to : some) to = step[to];
    at = last.before;
  }
  if (some[0] != index(rank))
    throw InputError(fmt::format("the way to rank {} leads to {}", index(rank), some[0]));
}

std::vector<uint32_t> Translations::of(Rank rank) const {
  std::vector<uint32_t> out(ways.size());
  std::iota(out.begin(), out.end(), 0U);
  move_along(*this, rank, out);
  return out;
}

uint32_t Translations::moved(Rank rank, uint32_t which) const {
  std::array<uint32_t, 2> out{0, which};
  move_along(*this, rank, out);
  return out[1];
}

// The permutations that the generators make reach every rank from 0. They are as many as ranks, and so the translations,
// if none but the identity leaves 0 where it is; and that is so if maps that each of them commutes with reach every rank
// from 0, too: x -> x*s, where x has the place of T_x and s that of a generator.
bool are_of_a_group(const Translations& translations) {
  const uint32_t n = translations.num_ranks();
  std::vector<std::vector<uint32_t>> right;
  for (const std::vector<uint32_t>& generator : translations.generators) {
    std::vector<uint32_t>& map = right.emplace_back(n);
    for (uint32_t x = 0; x < n; ++x) map[x] = translations.moved(Rank{x}, generator[0]);
  }
  for (const std::vector<uint32_t>& left : translations.generators) {
    for (const std::vector<uint32_t>& map : right)
      for (uint32_t x = 0; x < n; ++x)
        if (left[map[x]] != map[left[x]]) return false;
  }
  std::vector<bool> seen(n, false);
  std::vector<uint32_t> reached{0};
  seen[0] = true;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const std::vector<uint32_t>& map : right) {
      const uint32_t next = map[reached[i]];
      if (!seen[next]) reached.push_back(next);
      seen[next] = true;
    }
  }
  return reached.size() == n;
}

std::optional<Translations> translations_of(const Topology& topology) {
  const CayleyStructure* cayley = topology.cayley();
  const uint32_t n = topology.num_nodes();
  if (cayley == nullptr || n < 2 || topology.num_endpoints() != n) return std::nullopt;
  const Group& group = *cayley->group;
  Translations out;
  for (const uint32_t g : cayley->generators) {
    std::vector<uint32_t>& to = out.generators.emplace_back(n);
    for (uint32_t x = 0; x < n; ++x) to[x] = group.multiply(g, x);
  }
  // Breadth first: the shortest ways.
  std::vector<bool> seen(n, false);
  seen[0] = true;
  out.ways.resize(n);
  std::vector<uint32_t> queue{0};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (uint32_t k = 0; k < cayley->generators.size(); ++k) {
      const uint32_t next = group.multiply(queue[i], cayley->generators[k]);
      if (seen[next]) continue;
      seen[next] = true;
      out.ways[next] = {queue[i], k};
      queue.push_back(next);
    }
  }
  return queue.size() == n ? std::optional(std::move(out)) : std::nullopt;
}

bool can_deal_out(const Collective& collective) {
  return collective.kind() == CollectiveKind::kAllreduce && collective.pieces() % collective.num_ranks() == 0;
}

uint32_t slots_by_rank(const Collective& collective, Buffer buffer, bool deals_out) {
  if (buffer == Buffer::kScratch) return 0;
  const bool of_input = buffer == Buffer::kInput;
  switch (collective.kind()) {
    case CollectiveKind::kAlltoall:
      return collective.pieces();
    case CollectiveKind::kScatter:
    case CollectiveKind::kReduceScatter:
      return of_input ? collective.pieces() : 0;
    case CollectiveKind::kGather:
    case CollectiveKind::kAllgather:
      return of_input ? 0 : collective.pieces();
    case CollectiveKind::kAllreduce:
      return deals_out ? collective.pieces() / collective.num_ranks() : 0;
    default:
      return 0;
  }
}

BlockId image_of(BlockId block, const Collective& collective, std::span<const uint32_t> to, bool deals_out) {
  const auto number = static_cast<uint32_t>(index(block));
  const uint32_t pieces = collective.pieces();
  switch (collective.kind()) {
    case CollectiveKind::kAlltoall:
      return collective.block(Rank{to[index(collective.origin(block))]},
                              Rank{to[index(collective.destination(block))]}, number % pieces);
    case CollectiveKind::kScatter:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kAllgather:
      return BlockId{to[number / pieces] * pieces + number % pieces};
    case CollectiveKind::kAllreduce: {
      if (!deals_out) return block;
      const uint32_t of_each = pieces / collective.num_ranks();
      return BlockId{to[number / of_each] * of_each + number % of_each};
    }
    default:
      return block;
  }
}

RankProgram image_of(const RankProgram& first, const Collective& collective, const Translations& translations,
                     Rank rank) {
  QUADRILLE_CHECK(index(first.rank) == 0 && translations.num_ranks() == collective.num_ranks(),
                  "not rank 0's program");
  const std::vector<uint32_t> to = translations.of(rank);
  return ImageWriter(collective, to, translations.deals_out).write(first);
}

TranslationWatch::TranslationWatch(const Topology& topology, const Collective& collective,
                                   const Translations& translations)
    : collective_(collective), deals_out_(translations.deals_out) {
  const auto add = [&](const std::vector<uint32_t>& to) {
    to_.push_back(to);
    std::vector<uint64_t>& links = links_.emplace_back();
    links.reserve(topology.num_arcs());
    for (const ArcId arc : topology.arcs())
      links.push_back(mixed(uint64_t{to[index(topology.tail(arc))]} << 32U | to[index(topology.head(arc))]));
    if (collective.kind() != CollectiveKind::kAlltoall) return;
    std::vector<uint64_t>& origins = origins_.emplace_back();
    std::vector<uint64_t>& destinations = destinations_.emplace_back();
    for (const uint32_t rank : to) {
      origins.push_back(mixed(kOfOrigin + rank));
      destinations.push_back(mixed(kOfDestination + rank));
    }
  };
  std::vector<uint32_t> identity(translations.num_ranks());
  std::iota(identity.begin(), identity.end(), 0U);
  add(identity);
  // What a translation leaves as it is, its inverse does, too.
  std::vector<const std::vector<uint32_t>*> asked;
  for (const std::vector<uint32_t>& to : translations.generators) {
    const bool is_inverse = std::ranges::any_of(asked, [&](const std::vector<uint32_t>* other) {
      for (uint32_t x = 0; x < to.size(); ++x)
        if ((*other)[to[x]] != x) return false;
      return true;
    });
    if (is_inverse) continue;
    asked.push_back(&to);
    add(to);
  }
}

uint64_t TranslationWatch::sum_of(const StepView& step, std::span<const uint64_t> links,
                                  std::span<const uint32_t> to) const {
  uint64_t sum = 0;
  for (size_t t = 0; t < step.size(); ++t) {
    uint64_t way = static_cast<uint64_t>(step.op(t)) + 1;
    const SumSlots slots = step.slots_of(t);
    way = mixed(way ^ (uint64_t{slots.from} << 32U | slots.to));
    for (const ArcId arc : step.arcs(t)) way = mixed(way + links[index(arc)]);
    for (const BlockId block : step.blocks(t))
      sum += mixed(way + mixed(index(image_of(block, collective_, to, deals_out_))));
  }
  return sum;
}

// A total exchange by single packets, which may have billions: what a packet is, is looked at once for all translations.
bool TranslationWatch::is_same_exchange(const StepView& step) const {
  const uint32_t pieces = collective_.pieces();
  const uint32_t ranks = collective_.num_ranks();
  const auto take = [&](auto visit) {
    for (size_t t = 0; t < step.all_arcs.size(); ++t) {
      const auto number = static_cast<uint32_t>(index(step.all_blocks[t]));
      const uint32_t pair = pieces == 1 ? number : number / pieces;
      const uint32_t origin = pair / ranks;
      visit(index(step.all_arcs[t]), origin, pair - origin * ranks, number - pair * pieces);
    }
  };
  std::vector<uint64_t> sums(to_.size(), 0);
  // Three at a time: of a torus of two dimensions these are all, the identity among them.
  for (size_t g = 0; g < to_.size(); g += 3) {
    const std::array<size_t, 3> at{g, std::min(g + 1, to_.size() - 1), std::min(g + 2, to_.size() - 1)};
    std::array<uint64_t, 3> sum{};
    std::array<const uint64_t*, 3> links{};
    std::array<const uint64_t*, 3> origins{};
    std::array<const uint64_t*, 3> destinations{};
    for (size_t i = 0; i < 3; ++i) {
      links[i] = links_[at[i]].data();
      origins[i] = origins_[at[i]].data();
      destinations[i] = destinations_[at[i]].data();
    }
    take([&](size_t arc, uint32_t origin, uint32_t destination, uint32_t piece) {
      for (size_t i = 0; i < 3; ++i)
        sum[i] += mixed(links[i][arc] + origins[i][origin] + destinations[i][destination] + piece);
    });
    for (size_t i = 0; i < 3; ++i) sums[at[i]] = sum[i];
  }
  return std::ranges::all_of(sums, [&](uint64_t sum) { return sum == sums[0]; });
}

void TranslationWatch::push(const StepView& step) {
  if (!origins_.empty() && step.is_unit() && step.ops.empty() && step.slots.empty()) {
    if (!broken_at_ && !is_same_exchange(step)) broken_at_ = steps_;
    ++steps_;
    return;
  }
  if (!broken_at_) {
    const uint64_t sum = sum_of(step, links_[0], to_[0]);
    for (size_t g = 1; g < to_.size(); ++g)
      if (sum_of(step, links_[g], to_[g]) != sum) broken_at_ = steps_;
  }
  ++steps_;
}

}  // namespace quadrille
