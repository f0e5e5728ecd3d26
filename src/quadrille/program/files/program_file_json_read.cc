// Reading the JSON form of program files (docs/program_format.md): it becomes the words of the binary form, which are then
// read as those of any file are, so nothing is looked at twice in two ways.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json_cursor.h"
#include "quadrille/program/files/program_file_forms.h"

namespace quadrille {
namespace program_file_json_parts {
namespace {

using namespace std::string_view_literals;

constexpr std::array kFileKeys = {"format"sv,    "version"sv,  "collective"sv, "num_ranks"sv,
                                  "pieces"sv,    "ranks"sv,    "root"sv,       "topology"sv,
                                  "algorithm"sv, "in_order"sv, "digest"sv,     "translations"sv};
enum FileKey : size_t {
  kFormat,
  kVersion,
  kKind,
  kNumRanks,
  kPieces,
  kRanks,
  kRoot,
  kTopology,
  kAlgorithm,
  kInOrder,
  kDigest,
  kTranslations
};
constexpr size_t kFileRequired = 6;
constexpr std::array kRankKeys = {"rank"sv, "input_slots"sv, "output_slots"sv, "scratch_slots"sv,
                                  "actions"sv};
enum RankKey : size_t { kRank, kInputSlots, kOutputSlots, kScratchSlots, kActions };
constexpr std::array kActionKeys = {"do"sv, "step"sv, "peer"sv, "slots"sv, "blocks"sv, "for"sv};
enum ActionKey : size_t { kDo, kStep, kPeer, kSlots, kBlocks, kFor };
constexpr std::array kTranslationKeys = {"generators"sv, "ways"sv};

template <typename Kind, size_t count>
std::array<std::string_view, count> names() {
  std::array<std::string_view, count> out{};
  for (size_t i = 0; i < count; ++i) out[i] = name_of(static_cast<Kind>(i));
  return out;
}
const auto kActionNames = names<ActionKind, static_cast<size_t>(ActionKind::kBarrier) + 1>();
const auto kBufferNames = names<Buffer, static_cast<size_t>(Buffer::kScratch) + 1>();

class Reader {
 public:
  Reader(std::string_view text, std::string_view source) : in_(text, source) {}

  std::string words() {
    const uint32_t seen =
        in_.object("a program file", kFileKeys, kFileRequired, [this](size_t key) { member(key); });
    in_.end();
    const bool has_root = (seen >> kRoot & 1U) != 0;
    make_collective(has_root);
    const size_t parts = translations_ ? 1 : num_ranks_;
    if (translations_ && translations_->ways.size() != num_ranks_)
      in_.fail(fmt::format("translations: {} ways for {} ranks", translations_->ways.size(), num_ranks_));
    if (file_.program.ranks.size() != parts)
      in_.fail(fmt::format("ranks: {} are there, and {} are needed", file_.program.ranks.size(), parts));
    file_.translations = std::move(translations_);
    if ((version_ != kProgramFileVersion) != file_.translations.has_value())
      in_.fail(fmt::format("version {} has {}translations", version_, file_.translations ? "no " : ""));
    if (file_.translations) file_.translations->deals_out = version_ == kDealtFileVersion;
    std::string out = words_of_program(file_);
    const uint64_t found = digest_of_program_file(out);
    if (digest_ && *digest_ != fmt::format("{:016x}", found)) {
      in_.fail(fmt::format(
          "damaged: its digest is {:016x} and should be {}; a file that is altered on purpose states none",
          found, *digest_));
    }
    return out;
  }

 private:
  void member(size_t key) {
    switch (key) {
      case kFormat:
        static_cast<void>(in_.word("format", std::array{"quadrille-program"sv}));
        break;
      case kVersion:
        version_ = in_.number("version");
        if (const std::string wrong = wrong_version(version_); !wrong.empty()) in_.fail(wrong);
        break;
      case kKind:
        kind_ = kCollectiveKinds[in_.word("collective", kind_names())];
        break;
      case kNumRanks:
        num_ranks_ = in_.number("num_ranks");
        break;
      case kPieces:
        pieces_ = in_.number("pieces");
        break;
      case kRanks:
        in_.array("ranks", [this] { read_rank(); });
        break;
      case kRoot:
        root_ = in_.number("root");
        break;
      case kTopology:
        file_.topology = in_.string("topology");
        break;
      case kAlgorithm:
        file_.algorithm = in_.string("algorithm");
        break;
      case kInOrder:
        file_.in_order = in_.boolean("in_order");
        break;
      case kDigest:
        digest_ = in_.string("digest");
        break;
      default:
        read_translations();
    }
  }

  static std::vector<std::string_view> kind_names() {
    std::vector<std::string_view> out;
    for (const CollectiveKind kind : kCollectiveKinds) out.push_back(name_of(kind));
    return out;
  }

  void make_collective(bool has_root) {
    try {
      file_.program.collective = Collective::standard(kind_, num_ranks_, Rank{root_}, pieces_);
    } catch (const InputError& wrong) {
      in_.fail(wrong.what());
    }
    if (file_.program.collective.root().has_value() != has_root)
      in_.fail(fmt::format("{} has {} root", name_of(kind_), has_root ? "no" : "a"));
  }

  std::vector<uint32_t> numbers(std::string_view what) {
    std::vector<uint32_t> out;
    in_.array(what, [&] { out.push_back(in_.number(what)); });
    return out;
  }

  void read_translations() {
    Translations& all = translations_.emplace();
    static_cast<void>(in_.object("translations", kTranslationKeys, kTranslationKeys.size(), [&](size_t key) {
      if (key == 0) {
        in_.array("generators", [&] { all.generators.push_back(numbers("a generator")); });
        return;
      }
      in_.array("ways", [&] {
        const std::vector<uint32_t> way = numbers("a way");
        if (way.size() != 2) in_.fail("a way is two numbers: the rank before, and a generator");
        all.ways.push_back({way[0], way[1]});
      });
    }));
    for (const std::vector<uint32_t>& generator : all.generators) {
      if (generator.size() != all.ways.size())
        in_.fail(fmt::format("translations: a generator has {} ranks, and there are {} ways",
                             generator.size(), all.ways.size()));
    }
  }

  void read_rank() {
    RankProgram& rank = file_.program.ranks.emplace_back();
    static_cast<void>(in_.object("a rank", kRankKeys, kRankKeys.size(), [&](size_t key) {
      switch (key) {
        case kRank:
          rank.rank = Rank{in_.number("rank")};
          break;
        case kInputSlots:
          rank.input_slots = in_.number("input_slots");
          break;
        case kOutputSlots:
          rank.output_slots = in_.number("output_slots");
          break;
        case kScratchSlots:
          rank.scratch_slots = in_.number("scratch_slots");
          break;
        default:
          in_.array("actions", [&] { read_action(rank); });
      }
    }));
  }

  // [buffer, first slot, slots]
  void read_run(RankProgram& rank) {
    SlotRun run;
    size_t place = 0;
    in_.array("a run of slots", [&] {
      if (place == 0)
        run.buffer = static_cast<Buffer>(in_.word("a buffer", kBufferNames));
      else
        (place == 1 ? run.first : run.count) = in_.number("a slot, or how many");
      ++place;
    });
    if (place != 3) in_.fail("a run of slots is a buffer, the first slot, and how many");
    rank.runs.push_back(run);
  }

  void read_action(RankProgram& rank) {
    Action action;
    action.blocks_begin = static_cast<uint32_t>(rank.blocks.size());
    const size_t runs = rank.runs.size();
    const size_t waited = rank.requests.size();
    const uint32_t seen = in_.object("an action", kActionKeys, 2, [&](size_t key) {
      switch (key) {
        case kDo:
          action.kind = static_cast<ActionKind>(in_.word("do", kActionNames));
          break;
        case kStep:
          action.step = in_.number("step");
          if (action.step-- == 0) in_.fail("steps are counted from 1");
          break;
        case kPeer:
          action.peer = Rank{in_.number("peer")};
          break;
        case kSlots:
          in_.array("slots", [&] { read_run(rank); });
          break;
        case kBlocks:
          in_.array("blocks", [&] { rank.blocks.push_back(BlockId{in_.number("a block")}); });
          break;
        default:
          in_.array("for", [&] { rank.requests.push_back(in_.number("a request")); });
      }
    });
    require_keys(action.kind, seen);
    const bool waits = action.kind == ActionKind::kWait;
    action.begin = static_cast<uint32_t>(waits ? waited : runs);
    action.end = static_cast<uint32_t>(waits ? rank.requests.size() : rank.runs.size());
    uint64_t slots = 0;
    for (size_t r = runs; r < rank.runs.size() && starts_request(action.kind); ++r)
      slots += rank.runs[r].count;
    const size_t blocks = rank.blocks.size() - action.blocks_begin;
    if (slots != blocks) in_.fail(fmt::format("an action has {} blocks in {} slots", blocks, slots));
    if (!starts_request(action.kind)) action.blocks_begin = 0;
    rank.actions.push_back(action);
  }

  // Each kind has its own.
  void require_keys(ActionKind kind, uint32_t seen) const {
    uint32_t wanted = 1U << kDo | 1U << kStep;
    if (starts_request(kind)) wanted |= 1U << kPeer | 1U << kSlots | 1U << kBlocks;
    if (is_local(kind)) wanted |= 1U << kSlots;
    if (kind == ActionKind::kWait) wanted |= 1U << kFor;
    for (size_t key = 0; key < kActionKeys.size(); ++key) {
      const bool is_there = (seen >> key & 1U) != 0;
      if (is_there != ((wanted >> key & 1U) != 0))
        in_.fail(fmt::format("a {} has {} '{}'", name_of(kind), is_there ? "no" : "its", kActionKeys[key]));
    }
  }

  JsonCursor in_;
  ProgramFile file_;
  uint32_t version_ = 0;
  CollectiveKind kind_{};
  uint32_t num_ranks_ = 0;
  uint32_t pieces_ = 1;
  uint32_t root_ = 0;
  std::optional<std::string> digest_{};
  std::optional<Translations> translations_{};
};

}  // namespace
}  // namespace program_file_json_parts

std::string words_of_json(std::string_view text, std::string_view source) {
  return program_file_json_parts::Reader(text, source).words();
}

}  // namespace quadrille
