#include "quadrille/program/check_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "quadrille/program/lowering/translations.h"

namespace quadrille {
namespace {

// The first findings of one rule.
class Report {
 public:
  Report(std::string_view rule, size_t most) : rule_(rule), most_(most) {}

  void add(uint64_t step, std::string message) {
    if (findings_.size() < most_) findings_.push_back({rule_, step, Finding::kAtEnd, std::move(message)});
  }
  void add(const RankProgram& rank, const Action& action, std::string_view what) {
    add(action.step, fmt::format("rank {}, {}: {}", index(rank.rank), to_text(rank, action), what));
  }
  [[nodiscard]] bool empty() const { return findings_.empty(); }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::string_view rule_;
  size_t most_;
  std::vector<Finding> findings_;
};

bool writes_runs(ActionKind kind) {
  return kind == ActionKind::kReceive || kind == ActionKind::kReceiveReduce;
}

uint32_t slots_in(const RankProgram& rank, Buffer buffer) {
  return buffer == Buffer::kInput    ? rank.input_slots
         : buffer == Buffer::kOutput ? rank.output_slots
                                     : rank.scratch_slots;
}

uint64_t slots_of(std::span<const SlotRun> runs) {
  uint64_t total = 0;
  for (const SlotRun& run : runs) total += run.count;
  return total;
}

// --- shape ---------------------------------------------------------------------------------------------

void check_runs(const RankProgram& rank, const Action& action, Report& report) {
  if (action.begin > action.end || action.end > rank.runs.size()) {
    report.add(action.step, fmt::format("rank {}: an action has runs that do not exist", index(rank.rank)));
    return;
  }
  const std::span<const SlotRun> runs = rank.runs_of(action);
  if (!starts_request(action.kind) && (runs.size() != 2 || runs[0].count != runs[1].count)) {
    report.add(action.step, fmt::format("rank {}: a {} needs a target and a source of the same size",
                                        index(rank.rank), name_of(action.kind)));
    return;
  }
  for (const SlotRun& run : runs) {
    if (uint64_t{run.first} + run.count > slots_in(rank, run.buffer)) {
      report.add(rank, action,
                 fmt::format("the {} has {} slots", name_of(run.buffer), slots_in(rank, run.buffer)));
    }
  }
  const size_t written = writes_runs(action.kind) ? runs.size() : is_local(action.kind) ? 1 : 0;
  for (size_t i = 0; i < written; ++i) {
    if (runs[i].buffer == Buffer::kInput) report.add(rank, action, "the input must not be written");
  }
}

void check_rank_shape(const RankProgram& rank, size_t num_ranks, Report& report) {
  std::vector<bool> waited;
  for (const Action& action : rank.actions) {
    if (action.kind == ActionKind::kWait) {
      if (action.begin > action.end || action.end > rank.requests.size()) {
        report.add(action.step, fmt::format("rank {}: a wait for nothing that exists", index(rank.rank)));
        continue;
      }
      for (const uint32_t request : rank.requests_of(action)) {
        if (request >= waited.size()) {
          report.add(rank, action, fmt::format("#{} has not been started", request));
        } else if (waited[request]) {
          report.add(rank, action, fmt::format("#{} has been waited for before", request));
        } else {
          waited[request] = true;
        }
      }
      continue;
    }
    if (action.kind == ActionKind::kBarrier) continue;
    check_runs(rank, action, report);
    if (!starts_request(action.kind)) continue;
    waited.push_back(false);
    if (index(action.peer) >= num_ranks || action.peer == rank.rank) {
      report.add(action.step, fmt::format("rank {} has no peer {}", index(rank.rank), index(action.peer)));
    }
    if (action.end > rank.runs.size() || action.begin > action.end) continue;
    if (action.blocks_begin + slots_of(rank.runs_of(action)) > rank.blocks.size()) {
      report.add(action.step, fmt::format("rank {}: a slot has no block", index(rank.rank)));
    }
  }
  const auto lost = std::ranges::count(waited, false);
  if (lost > 0) {
    report.add(Finding::kAtEnd,
               fmt::format("rank {} never waits for {} of its sends and receives", index(rank.rank), lost));
  }
}

// --- matched -------------------------------------------------------------------------------------------

// A send or receive: the request-th of its rank.
struct End {
  Rank from{0};
  Rank to{0};
  uint32_t request = 0;
  const Action* action = nullptr;
};

// The other end of a request.
struct Partner {
  Rank rank{0};
  uint32_t request = UINT32_MAX;
};
using Partners = std::vector<std::vector<Partner>>;  // by rank and request

void collect_ends(const Program& program, std::vector<End>& sends, std::vector<End>& receives) {
  for (const RankProgram& rank : program.ranks) {
    uint32_t request = 0;
    for (const Action& action : rank.actions) {
      if (!starts_request(action.kind)) continue;
      if (action.kind == ActionKind::kSend) {
        sends.push_back({rank.rank, action.peer, request, &action});
      } else {
        receives.push_back({action.peer, rank.rank, request, &action});
      }
      ++request;
    }
  }
  const auto by_pair = [](const End& end) { return std::tuple(end.from, end.to, end.request); };
  std::ranges::sort(sends, {}, by_pair);
  std::ranges::sort(receives, {}, by_pair);
}

void match_barriers(const Program& program, Report& report) {
  for (const RankProgram& rank : program.ranks) {
    const auto count =
        static_cast<uint64_t>(std::ranges::count(rank.actions, ActionKind::kBarrier, &Action::kind));
    if (count != program.num_barriers()) {
      report.add(Finding::kAtEnd, fmt::format("rank {} comes to {} barriers, rank 0 to {}", index(rank.rank),
                                              count, program.num_barriers()));
    }
  }
}

Partners match(const Program& program, Report& report) {
  std::vector<End> sends;
  std::vector<End> receives;
  collect_ends(program, sends, receives);
  Partners partners(program.ranks.size());
  for (const End& end : sends) partners[index(end.from)].resize(end.request + 1U);
  for (const End& end : receives) {
    std::vector<Partner>& mine = partners[index(end.to)];
    mine.resize(std::max<size_t>(mine.size(), end.request + 1U));
  }
  const auto pair = [](const End& end) { return std::tuple(end.from, end.to); };
  size_t s = 0;
  size_t r = 0;
  while (s < sends.size() || r < receives.size()) {
    if (r == receives.size() || (s < sends.size() && pair(sends[s]) < pair(receives[r]))) {
      report.add(program.ranks[index(sends[s].from)], *sends[s].action, "no receive belongs to it");
      ++s;
      continue;
    }
    const RankProgram& receiver = program.ranks[index(receives[r].to)];
    if (s == sends.size() || pair(receives[r]) < pair(sends[s])) {
      report.add(receiver, *receives[r].action, "no send belongs to it");
      ++r;
      continue;
    }
    const RankProgram& sender = program.ranks[index(sends[s].from)];
    if (!std::ranges::equal(sender.blocks_of(*sends[s].action), receiver.blocks_of(*receives[r].action))) {
      report.add(receiver, *receives[r].action,
                 fmt::format("the send that belongs to it, {}, has other blocks",
                             to_text(sender, *sends[s].action)));
    }
    partners[index(sender.rank)][sends[s].request] = {receiver.rank, receives[r].request};
    partners[index(receiver.rank)][receives[r].request] = {sender.rank, sends[s].request};
    ++s;
    ++r;
  }
  return partners;
}

// --- in use --------------------------------------------------------------------------------------------

// Which slots of a rank's buffers are being sent or received.
class SlotsInUse {
 public:
  explicit SlotsInUse(const RankProgram& rank) {
    uint32_t total = 0;
    for (const Buffer buffer : {Buffer::kInput, Buffer::kOutput, Buffer::kScratch}) {
      first_[static_cast<size_t>(buffer)] = total;
      total += slots_in(rank, buffer);
    }
    readers_.assign(total, 0);
    written_.assign(total, false);
  }

  [[nodiscard]] bool may_read(std::span<const SlotRun> runs) const {
    return all(runs, [this](size_t slot) { return !written_[slot]; });
  }
  [[nodiscard]] bool may_write(std::span<const SlotRun> runs) const {
    return all(runs, [this](size_t slot) { return !written_[slot] && readers_[slot] == 0; });
  }
  void start_read(std::span<const SlotRun> runs) {
    all(runs, [this](size_t slot) { return ++readers_[slot], true; });
  }
  void end_read(std::span<const SlotRun> runs) {
    all(runs, [this](size_t slot) { return --readers_[slot], true; });
  }
  void set_written(std::span<const SlotRun> runs, bool written) {
    all(runs, [this, written](size_t slot) { return written_[slot] = written, true; });
  }

 private:
  template <typename Visit>
  bool all(std::span<const SlotRun> runs, Visit visit) const {
    for (const SlotRun& run : runs) {
      for (uint32_t i = 0; i < run.count; ++i) {
        if (!visit(size_t{first_[static_cast<size_t>(run.buffer)]} + run.first + i)) return false;
      }
    }
    return true;
  }

  std::array<uint32_t, 3> first_{};
  std::vector<uint32_t> readers_;
  std::vector<bool> written_;
};

// The requests of a wait complete in any order: reductions must not meet anything else of the same wait.
void check_wait_in_use(const RankProgram& rank, const Action& wait, std::span<const Action* const> started,
                       SlotsInUse& use, Report& report) {
  for (const uint32_t request : rank.requests_of(wait)) {
    const Action& action = *started[request];
    if (action.kind == ActionKind::kReceiveReduce && !use.may_write(rank.runs_of(action))) {
      report.add(rank, action, "it reduces into slots that are still sent or received");
    }
  }
  for (const uint32_t request : rank.requests_of(wait)) {
    const Action& action = *started[request];
    if (action.kind == ActionKind::kSend) use.end_read(rank.runs_of(action));
    if (action.kind == ActionKind::kReceive) use.set_written(rank.runs_of(action), false);
  }
}

void check_in_use(const RankProgram& rank, Report& report) {
  SlotsInUse use(rank);
  std::vector<const Action*> started;
  for (const Action& action : rank.actions) {
    if (action.kind == ActionKind::kWait) {
      check_wait_in_use(rank, action, started, use, report);
      continue;
    }
    const std::span<const SlotRun> runs = rank.runs_of(action);
    if (starts_request(action.kind)) started.push_back(&action);
    if (action.kind == ActionKind::kSend) {
      if (!use.may_read(runs)) report.add(rank, action, "it sends slots that are still received");
      use.start_read(runs);
    } else if (action.kind == ActionKind::kReceive) {
      if (!use.may_write(runs)) report.add(rank, action, "it receives into slots that are still in use");
      use.set_written(runs, true);
    } else if (is_local(action.kind)) {
      if (!use.may_write(runs.first(1))) report.add(rank, action, "its target is still in use");
      if (!use.may_read(runs.last(1))) report.add(rank, action, "its source is still received");
    }
  }
}

// --- no cyclic wait ------------------------------------------------------------------------------------

// Runs all programs without data: a wait is over when the other ends of its requests have been started, a
// barrier when all ranks have come to it.
class Rehearsal {
 public:
  Rehearsal(const Program& program, const Partners& partners)
      : program_(program),
        partners_(partners),
        at_(program.ranks.size(), 0),
        barriers_(program.ranks.size(), 0),
        started_(program.ranks.size(), 0),
        waiting_(program.ranks.size()) {}

  void run(Report& report) {
    std::vector<uint32_t> ready;
    for (uint32_t r = 0; r < program_.ranks.size(); ++r) ready.push_back(r);
    while (!ready.empty()) {
      const uint32_t r = ready.back();
      ready.pop_back();
      const size_t before = at_[r];
      advance(r);
      if (is_at_barrier(r) && barriers_[r] == met_) meet(r, ready);
      if (at_[r] != before) {
        ready.insert(ready.end(), waiting_[r].begin(), waiting_[r].end());
        waiting_[r].clear();
      }
      if (const Partner* blocker = blocker_of(r)) waiting_[index(blocker->rank)].push_back(r);
    }
    for (uint32_t r = 0; r < program_.ranks.size(); ++r) {
      if (blocker_of(r) != nullptr || is_at_barrier(r)) return report_cycle(r, report);
    }
  }

 private:
  void advance(uint32_t r) {
    const RankProgram& rank = program_.ranks[r];
    while (at_[r] < rank.actions.size() && blocker_of(r) == nullptr && !is_at_barrier(r)) {
      if (starts_request(rank.actions[at_[r]].kind)) ++started_[r];
      ++at_[r];
    }
  }

  [[nodiscard]] bool is_at_barrier(uint32_t r) const {
    const RankProgram& rank = program_.ranks[r];
    return at_[r] < rank.actions.size() && rank.actions[at_[r]].kind == ActionKind::kBarrier;
  }

  // A rank comes to a barrier; the last one lets all go.
  void meet(uint32_t r, std::vector<uint32_t>& ready) {
    ++barriers_[r];
    if (++here_ < program_.ranks.size()) return;
    here_ = 0;
    ++met_;
    for (uint32_t other = 0; other < program_.ranks.size(); ++other) {
      ++at_[other];
      ready.push_back(other);
      ready.insert(ready.end(), waiting_[other].begin(), waiting_[other].end());
      waiting_[other].clear();
    }
  }

  // Whom a rank waits for that cannot go on: the other end, or at a barrier somebody who is not there.
  [[nodiscard]] uint32_t waits_for(uint32_t r) const {
    if (const Partner* partner = blocker_of(r)) return static_cast<uint32_t>(index(partner->rank));
    uint32_t missing = 0;
    while (barriers_[missing] > met_) ++missing;
    return missing;
  }

  // What keeps a rank from doing its next action: an end that has not been started.
  [[nodiscard]] const Partner* blocker_of(uint32_t r) const {
    const RankProgram& rank = program_.ranks[r];
    if (at_[r] == rank.actions.size() || rank.actions[at_[r]].kind != ActionKind::kWait) return nullptr;
    for (const uint32_t request : rank.requests_of(rank.actions[at_[r]])) {
      const Partner& partner = partners_[r][request];
      if (started_[index(partner.rank)] <= partner.request) return &partner;
    }
    return nullptr;
  }

  // Whom a rank waits for has not come to its end (all is matched), so it waits too: in the end, in a circle.
  void report_cycle(uint32_t r, Report& report) const {
    std::vector<uint32_t> path;
    while (std::ranges::find(path, r) == path.end()) {
      path.push_back(r);
      r = waits_for(r);
    }
    path.erase(path.begin(), std::ranges::find(path, r));
    std::string text;
    for (const uint32_t member : path) {
      text += fmt::format("rank {} waits for rank {} in step {}, ", member, waits_for(member),
                          program_.ranks[member].actions[at_[member]].step + 1);
    }
    report.add(program_.ranks[r].actions[at_[r]].step, text + "and none of them can go on");
  }

  const Program& program_;
  const Partners& partners_;
  std::vector<size_t> at_;                      // per rank: its next action
  std::vector<uint64_t> barriers_;              // per rank: to how many it has come
  uint64_t met_ = 0;                            // barriers that are over
  size_t here_ = 0;                             // ranks at the next one
  std::vector<uint32_t> started_;               // per rank: how many requests
  std::vector<std::vector<uint32_t>> waiting_;  // per rank: who waits for it
};

// --- images of one program -------------------------------------------------------------------------------

// A send or receive of rank 0's program, and its number among all those of it.
struct OwnEnd {
  const Action* action;
  size_t at;  // among the actions
};

// Sends of rank 0 to each peer, or receives from it, in their order.
std::vector<std::vector<OwnEnd>> ends_by_peer(const RankProgram& first, uint32_t ranks, bool sends) {
  std::vector<std::vector<OwnEnd>> out(ranks);
  for (size_t at = 0; at < first.actions.size(); ++at) {
    const Action& action = first.actions[at];
    if (starts_request(action.kind) && (action.kind == ActionKind::kSend) == sends)
      out[index(action.peer)].push_back({&action, at});
  }
  return out;
}

// What rank p sends rank 0 is the image of what rank 0 sends where 0 is from p. All come to the same action together, so
// a wait is over if the other ends of its requests lie before it in the one program that there is.
void match_images(const RankProgram& first, const Collective& collective, const Translations& translations,
                  Report& matched, Report& no_cyclic_wait) {
  const std::vector<std::vector<OwnEnd>> sent = ends_by_peer(first, translations.num_ranks(), true);
  const std::vector<std::vector<OwnEnd>> came = ends_by_peer(first, translations.num_ranks(), false);
  std::vector<size_t> partner(first.actions.size());  // where the other end is started
  for (uint32_t p = 0; p < translations.num_ranks(); ++p) {
    if (came[p].empty()) continue;
    const std::vector<uint32_t> to = translations.of(Rank{p});
    const auto back = static_cast<uint32_t>(std::ranges::find(to, 0U) - to.begin());
    const std::vector<OwnEnd>& sends = sent[back];
    for (size_t i = 0; i < came[p].size(); ++i) {
      const OwnEnd& end = came[p][i];
      if (i >= sends.size()) {
        matched.add(first, *end.action, "no send belongs to it");
        return;
      }
      const std::span<const BlockId> here = first.blocks_of(*end.action);
      const std::span<const BlockId> there = first.blocks_of(*sends[i].action);
      const bool same = std::ranges::equal(here, there, [&](BlockId mine, BlockId theirs) {
        return mine == image_of(theirs, collective, to, translations.deals_out);
      });
      if (!same) {
        matched.add(first, *end.action,
                    fmt::format("the image of the send that belongs to it, {}, has other blocks",
                                to_text(first, *sends[i].action)));
      }
      partner[end.at] = sends[i].at;
      partner[sends[i].at] = end.at;
    }
    if (sends.size() > came[p].size())
      matched.add(first, *sends[came[p].size()].action, "no receive belongs to it");
  }
  const auto count = [](const std::vector<std::vector<OwnEnd>>& ends) {
    size_t out = 0;
    for (const std::vector<OwnEnd>& one : ends) out += one.size();
    return out;
  };
  if (count(sent) != count(came))
    matched.add(Finding::kAtEnd, fmt::format("{} sends and {} receives", count(sent), count(came)));
  if (!matched.empty()) return;
  std::vector<size_t> started;
  for (size_t at = 0; at < first.actions.size(); ++at) {
    const Action& action = first.actions[at];
    if (starts_request(action.kind)) started.push_back(at);
    if (action.kind != ActionKind::kWait) continue;
    for (const uint32_t request : first.requests_of(action)) {
      if (partner[started[request]] > at)
        no_cyclic_wait.add(first, action, "all ranks wait here for what they start later");
    }
  }
}

}  // namespace

std::vector<Finding> check_images(const RankProgram& first, const Collective& collective,
                                  const Translations& translations, size_t max_findings) {
  Report shape("shape", max_findings);
  if (index(first.rank) != 0 || translations.num_ranks() != collective.num_ranks() || collective.root())
    shape.add(Finding::kAtEnd, "the program is not rank 0's, or not one of a collective of all ranks alike");
  else
    check_rank_shape(first, translations.num_ranks(), shape);
  if (!shape.empty()) return shape.take();
  Report matched("matched", max_findings);
  Report in_use("in_use", max_findings);
  Report no_cyclic_wait("no_cyclic_wait", max_findings);
  match_images(first, collective, translations, matched, no_cyclic_wait);
  check_in_use(first, in_use);
  std::vector<Finding> all = matched.take();
  for (Report* report : {&in_use, &no_cyclic_wait}) {
    for (Finding& finding : report->take()) all.push_back(std::move(finding));
  }
  return all;
}

std::vector<Finding> check_program(const Program& program, size_t max_findings) {
  Report shape("shape", max_findings);
  for (size_t r = 0; r < program.ranks.size(); ++r) {
    if (index(program.ranks[r].rank) != r)
      shape.add(Finding::kAtEnd, fmt::format("program {} is for another rank", r));
    check_rank_shape(program.ranks[r], program.ranks.size(), shape);
  }
  if (!shape.empty()) return shape.take();

  Report matched("matched", max_findings);
  const Partners partners = match(program, matched);
  match_barriers(program, matched);
  Report in_use("in_use", max_findings);
  for (const RankProgram& rank : program.ranks) check_in_use(rank, in_use);
  Report no_cyclic_wait("no_cyclic_wait", max_findings);
  if (matched.empty()) Rehearsal(program, partners).run(no_cyclic_wait);

  std::vector<Finding> all = matched.take();
  for (Report* report : {&in_use, &no_cyclic_wait}) {
    for (Finding& finding : report->take()) all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace quadrille
