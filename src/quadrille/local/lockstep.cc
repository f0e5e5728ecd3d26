#include "quadrille/local/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

// Longer than anybody waits on purpose.
constexpr uint64_t kLongestSilence = 100'000;

class Lockstep {
 public:
  Lockstep(const LocalProgram& program, const Problem& problem)
      : program_(program), problem_(problem), topology_(problem.topology()) {
    for (const NodeId v : topology_.nodes()) {
      nodes_.push_back(program.node(problem, v));
      figures_.table_bytes = std::max<uint64_t>(figures_.table_bytes, nodes_.back()->table_bytes());
      const std::optional<Rank> rank = topology_.rank(v);
      nodes_.back()->start(rank ? own_messages(problem.collective(), *rank) : std::vector<LocalMessage>{});
    }
    outboxes_.resize(nodes_.size());
    incoming_.resize(nodes_.size());
    awake_.resize(nodes_.size());
  }

  LockstepFigures run(StepSink& sink) {
    const uint64_t per_step = program_.ticks_per_step(problem_);
    uint64_t silence = 0;
    for (uint64_t tick = 0; speak(tick); ++tick) {
      const uint64_t before = figures_.messages + figures_.words;
      for (size_t v = 0; v < nodes_.size(); ++v) write_down(v);
      for (size_t v = 0; v < nodes_.size(); ++v) hear(tick, v);
      ++figures_.ticks;
      QUADRILLE_CHECK(step_.empty() || tick % per_step + 1 == per_step,
                      fmt::format("{} moves blocks in tick {}", program_.name, tick));
      if (tick % per_step + 1 == per_step) step_.flush(sink);
      silence = figures_.messages + figures_.words == before ? silence + 1 : 0;
      QUADRILLE_CHECK(silence < kLongestSilence, fmt::format("{} comes to no end", program_.name));
    }
    return figures_;
  }

 private:
  struct Incoming {
    uint32_t from;
    uint32_t letter;
  };

  // Whether anybody is still at work.
  bool speak(uint64_t tick) {
    bool any = false;
    for (size_t v = 0; v < nodes_.size(); ++v) {
      outboxes_[v].clear();
      incoming_[v].clear();
      awake_[v] = !nodes_[v]->done();
      if (!awake_[v]) continue;
      nodes_[v]->send(tick, outboxes_[v]);
      any = true;
    }
    return any;
  }

  void write_down(size_t v) {
    const LocalOutbox& out = outboxes_[v];
    for (size_t i = 0; i < out.size(); ++i) {
      incoming_[index(out.to(i))].push_back({static_cast<uint32_t>(v), static_cast<uint32_t>(i)});
      path_.clear();
      NodeId at = id_at<NodeId>(v);
      for (const NodeId next : out.route(i)) {
        const std::optional<ArcId> arc = topology_.find_arc(at, next);
        QUADRILLE_CHECK(arc.has_value(), fmt::format("{}: no link from {} to {}", program_.name,
                                                     topology_.label(at), topology_.label(next)));
        path_.push_back(*arc);
        at = next;
      }
      blocks_.clear();
      for (const LocalMessage& message : out.messages(i)) {
        if (!message.is_word()) blocks_.push_back(message.block);
      }
      ++(blocks_.empty() ? figures_.words : figures_.messages);
      if (blocks_.empty()) continue;
      if (path_.size() == 1 && blocks_.size() == 1) {
        step_.add(path_.front(), blocks_.front());
      } else {
        step_.add(path_, blocks_);
      }
    }
  }

  void hear(uint64_t tick, size_t v) {
    from_.clear();
    if (awake_[v]) nodes_[v]->hears(tick, from_);
    size_t heard = 0;
    for (const NodeId from : from_) {
      const bool anyone = from == kAnyone;
      const size_t before = heard;
      for (const Incoming& in : incoming_[v]) {
        if (!anyone && in.from != index(from)) continue;
        for (const LocalMessage& message : outboxes_[in.from].messages(in.letter))
          nodes_[v]->receive(tick, NodeId{in.from}, message);
        ++heard;
        if (!anyone) break;
      }
      QUADRILLE_CHECK(anyone ? heard <= 1 : heard > before, wrong(tick, v, heard));
    }
    QUADRILLE_CHECK(heard == incoming_[v].size(), wrong(tick, v, heard));
  }
  [[nodiscard]] std::string wrong(uint64_t tick, size_t v, size_t heard) const {
    return fmt::format("{}: in tick {} node {} listens to {}, {} speak to it, {} are heard", program_.name,
                       tick, topology_.label(id_at<NodeId>(v)), from_.size(), incoming_[v].size(), heard);
  }

  const LocalProgram& program_;
  const Problem& problem_;
  const Topology& topology_;
  std::vector<std::unique_ptr<LocalNode>> nodes_;
  std::vector<LocalOutbox> outboxes_;
  std::vector<std::vector<Incoming>> incoming_;
  std::vector<bool> awake_;
  std::vector<NodeId> from_;
  std::vector<ArcId> path_;
  std::vector<BlockId> blocks_;
  StepBuilder step_;
  LockstepFigures figures_;
};

}  // namespace

LockstepFigures run_in_lockstep(const LocalProgram& program, const Problem& problem, StepSink& sink) {
  return Lockstep(program, problem).run(sink);
}

std::vector<LocalMessage> own_messages(const Collective& collective, Rank rank) {
  std::vector<LocalMessage> out;
  const auto add = [&](Rank to) {
    for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
      out.push_back({collective.block(rank, to, piece), 0, 0});
  };
  switch (collective.kind()) {
    case CollectiveKind::kAlltoall:
    case CollectiveKind::kScatter:
      if (collective.kind() == CollectiveKind::kScatter && collective.root() != rank) break;
      for (uint32_t to = 0; to < collective.num_ranks(); ++to) {
        if (Rank{to} != rank) add(Rank{to});
      }
      break;
    case CollectiveKind::kGather:
      if (collective.root() != rank) add(*collective.root());
      break;
    case CollectiveKind::kBroadcast:
      if (collective.root() != rank) break;
      [[fallthrough]];
    case CollectiveKind::kAllgather:
      for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
        out.push_back({collective.block(rank, piece), 0, 0});
      break;
    default:
      QUADRILLE_CHECK(false, "local programs do not reduce");
  }
  return out;
}

}  // namespace quadrille
