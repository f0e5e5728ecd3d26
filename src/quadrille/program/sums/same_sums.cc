#include "quadrille/program/sums/same_sums.h"

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// How a value was put together, as a number: unlike ones have other numbers but for an accident of 64 bits.
using Trace = uint64_t;

Trace mixed(Trace x) {
  x = (x ^ x >> 30U) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27U) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31U;
}
Trace of_rank(Rank rank) { return mixed(index(rank) + 1); }
// Of two in either order, and not of three in any.
Trace sum(Trace a, Trace b) { return mixed(mixed(a) + mixed(b)); }

using Mail = std::map<std::pair<Rank, Rank>, std::vector<std::vector<Trace>>>;  // from, to

// One rank, as far as what has come to it lets it go.
class Follower {
 public:
  Follower(const RankProgram& program, Mail& mail)
      : Follower(program, std::vector<Trace>(program.input_slots, of_rank(program.rank)), mail) {}
  Follower(const RankProgram& program, std::vector<Trace> inputs, Mail& mail)
      : program_(program), mail_(mail) {
    values_ = {std::move(inputs), std::vector<Trace>(program.output_slots, 0),
               std::vector<Trace>(program.scratch_slots, 0)};
    std::map<Rank, size_t> started;
    for (const Action& action : program.actions) {
      if (!starts_request(action.kind)) continue;
      const bool receives = action.kind != ActionKind::kSend;
      requests_.push_back({&action, receives, receives ? started[action.peer]++ : 0});
    }
  }

  // What comes from rank p is what this rank sends to others[p].
  void take_own_mail(std::span<const uint32_t> others) { others_ = others; }

  // Whether it did something.
  bool go_on() {
    const size_t before = at_;
    while (at_ < program_.actions.size() && did(program_.actions[at_])) ++at_;
    return at_ != before;
  }
  [[nodiscard]] bool is_done() const { return at_ == program_.actions.size(); }
  [[nodiscard]] const std::vector<Trace>& output() const {
    return values_[static_cast<size_t>(Buffer::kOutput)];
  }

 private:
  struct Request {
    const Action* action = nullptr;
    bool receives = false;
    size_t place = 0;  // among all messages from its peer
  };

  bool did(const Action& action) {
    const std::span<const SlotRun> runs = program_.runs_of(action);
    switch (action.kind) {
      case ActionKind::kSend: {
        std::vector<Trace>& message = mail_[{program_.rank, action.peer}].emplace_back();
        for (const SlotRun& run : runs)
          for (uint32_t s = 0; s < run.count; ++s) message.push_back(at(run, s));
        return true;
      }
      case ActionKind::kWait:
        return waited(action);
      case ActionKind::kCopy:
        for (uint32_t s = 0; s < runs[0].count; ++s) at(runs[0], s) = at(runs[1], s);
        return true;
      case ActionKind::kReduce:
      case ActionKind::kReduceBefore:
        for (uint32_t s = 0; s < runs[0].count; ++s) at(runs[0], s) = sum(at(runs[0], s), at(runs[1], s));
        return true;
      default:
        return true;  // what comes is taken when it is waited for; what keeps steps apart changes no value
    }
  }

  bool waited(const Action& wait) {
    for (const uint32_t number : program_.requests_of(wait)) {
      const Request& request = requests_[number];
      if (request.receives && mail_for(*request.action).size() <= request.place) return false;
    }
    for (const uint32_t number : program_.requests_of(wait)) {
      const Request& request = requests_[number];
      if (request.receives)
        take(*request.action, std::exchange(mail_for(*request.action)[request.place], {}));
    }
    return true;
  }

  std::vector<std::vector<Trace>>& mail_for(const Action& receive) {
    if (others_.empty()) return mail_[{receive.peer, program_.rank}];
    return mail_[{program_.rank, Rank{others_[index(receive.peer)]}}];
  }

  void take(const Action& receive, const std::vector<Trace>& message) {
    size_t next = 0;
    for (const SlotRun& run : program_.runs_of(receive)) {
      for (uint32_t s = 0; s < run.count; ++s, ++next) {
        Trace& slot = at(run, s);
        slot = receive.kind == ActionKind::kReceive ? message[next] : sum(slot, message[next]);
      }
    }
  }

  Trace& at(const SlotRun& run, uint32_t slot) {
    return values_[static_cast<size_t>(run.buffer)][run.first + slot];
  }

  const RankProgram& program_;
  Mail& mail_;
  std::array<std::vector<Trace>, 3> values_;
  std::vector<Request> requests_;
  std::span<const uint32_t> others_{};
  size_t at_ = 0;
};

// Of each rank, where rank 0 goes when that one goes to 0.
std::vector<uint32_t> opposites(const Translations& all) {
  std::vector<std::vector<uint32_t>> back;
  for (const std::vector<uint32_t>& generator : all.generators) {
    std::vector<uint32_t>& map = back.emplace_back(generator.size());
    for (uint32_t x = 0; x < generator.size(); ++x) map[generator[x]] = x;
  }
  // The way to a rank from its end; back goes what goes there in the other order.
  std::vector<uint32_t> out(all.num_ranks(), 0);
  std::vector<uint32_t> way;
  for (uint32_t r = 0; r < out.size(); ++r) {
    way.clear();
    for (uint32_t at = r; at != 0; at = all.ways[at].before) way.push_back(all.ways[at].generator);
    for (size_t i = way.size(); i-- > 0;) out[r] = back[way[i]][out[r]];
  }
  return out;
}

}  // namespace

bool gives_same_sums(const Program& program) {
  if (program.collective.kind() != CollectiveKind::kAllreduce) return true;
  Mail mail;
  std::vector<Follower> ranks;
  ranks.reserve(program.ranks.size());
  for (const RankProgram& rank : program.ranks) ranks.emplace_back(rank, mail);
  for (bool moved = true; moved;) {
    moved = false;
    for (Follower& rank : ranks) moved = rank.go_on() || moved;
  }
  for (const Follower& rank : ranks) {
    QUADRILLE_CHECK(rank.is_done(), "a program that waits for ever");
    if (rank.output() != ranks.front().output()) return false;
  }
  return true;
}

bool gives_same_sums(const RankProgram& first, const Collective& collective,
                     const Translations& translations) {
  if (collective.kind() != CollectiveKind::kAllreduce) return true;
  if (!translations.deals_out) {
    Program all{collective, {}};
    for (uint32_t r = 0; r < collective.num_ranks(); ++r)
      all.ranks.push_back(image_of(first, collective, translations, Rank{r}));
    return gives_same_sums(all);
  }
  // Of each block, as whoever it is dealt out to sees it.
  const std::vector<uint32_t> opposite = opposites(translations);
  const uint32_t of_each = slots_by_rank(collective, Buffer::kInput, true);
  std::vector<Trace> inputs(first.input_slots);
  for (uint32_t slot = 0; slot < first.input_slots; ++slot)
    inputs[slot] = of_rank(Rank{opposite[slot / of_each]});
  Mail mail;
  Follower rank(first, std::move(inputs), mail);
  rank.take_own_mail(opposite);
  while (rank.go_on()) {
  }
  QUADRILLE_CHECK(rank.is_done(), "a program that waits for ever");
  for (uint32_t slot = of_each; slot < first.output_slots; ++slot)
    if (rank.output()[slot] != rank.output()[slot % of_each]) return false;
  return true;
}

}  // namespace quadrille
