#include "quadrille/program/files/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/program/check_program.h"
#include "quadrille/program/files/program_file_forms.h"
#include "quadrille/program/program_digest.h"

namespace quadrille {
namespace {

constexpr std::string_view kMagic = "quadprog";
constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kInOrderFlag = 1;
// Of rank 0's table entry, its end, and how many generators there are.
constexpr uint32_t kTranslatedTableWords = 3;
constexpr uint32_t kWayWords = 2;

// Words of the head by what they say.
enum HeadWord : uint32_t {
  kVersion = 2,
  kAllWords,
  kDigestLow,
  kDigestHigh,
  kCollective,  // from here on the digest
  kRanks,
  kPieces,
  kRoot,
  kFlags,
  kTopologyAt,
  kTopologyBytes,
  kAlgorithmAt,
  kAlgorithmBytes,
  kTableAt,
  kHeadWords
};
// And of the head of a rank's part.
enum PartWord : uint32_t {
  kRank,
  kInputSlots,
  kOutputSlots,
  kScratchSlots,
  kActions,
  kRuns,
  kRequests,
  kBlocks,
  kPartWords
};
constexpr uint32_t kActionWords = 4;
constexpr uint32_t kRunWords = 3;

uint32_t load(std::string_view bytes, uint64_t word) {
  uint32_t out = 0;
  for (uint32_t b = 0; b < 4; ++b)
    out |= uint32_t{static_cast<unsigned char>(bytes[word * 4 + b])} << (8 * b);
  return out;
}

uint64_t digest_from(std::string_view bytes) {
  Digest digest;
  for (uint64_t word = kCollective; word < bytes.size() / 4; ++word) digest.add(uint64_t{load(bytes, word)});
  return digest.value();
}

// --- writing -------------------------------------------------------------------------------------------

class WordWriter {
 public:
  void add(uint64_t word) {
    QUADRILLE_CHECK(word <= UINT32_MAX, fmt::format("{} is no word", word));
    for (uint32_t b = 0; b < 4; ++b) bytes_.push_back(static_cast<char>(word >> (8 * b) & 255U));
  }
  void add(std::string_view text) {
    bytes_ += text;
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
  }
  void set(uint64_t at, uint64_t word) {
    for (uint32_t b = 0; b < 4; ++b) bytes_[at * 4 + b] = static_cast<char>(word >> (8 * b) & 255U);
  }
  // Where the next word will be.
  [[nodiscard]] uint64_t at() const { return bytes_.size() / 4; }
  void require_small() const {
    if (at() <= UINT32_MAX) return;
    throw InputError("a program file has at most 4,294,967,295 words, and this program has more");
  }
  std::string take() { return std::move(bytes_); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void write_part(const RankProgram& rank, WordWriter& out) {
  uint64_t runs = 0;
  uint64_t requests = 0;
  uint64_t blocks = 0;
  for (const Action& action : rank.actions) {
    (action.kind == ActionKind::kWait ? requests : runs) += action.end - action.begin;
    if (starts_request(action.kind)) blocks += rank.blocks_of(action).size();
  }
  for (const uint64_t word :
       {uint64_t{index(rank.rank)}, uint64_t{rank.input_slots}, uint64_t{rank.output_slots},
        uint64_t{rank.scratch_slots}, uint64_t{rank.actions.size()}, runs, requests, blocks})
    out.add(word);
  for (const Action& action : rank.actions) {
    out.add(static_cast<uint64_t>(action.kind));
    out.add(starts_request(action.kind) ? index(action.peer) : 0);
    out.add(action.step);
    out.add(action.end - action.begin);
  }
  for (const Action& action : rank.actions) {
    if (action.kind == ActionKind::kWait) continue;
    for (const SlotRun& run : rank.runs_of(action)) {
      out.add(static_cast<uint64_t>(run.buffer));
      out.add(run.first);
      out.add(run.count);
    }
  }
  for (const Action& action : rank.actions) {
    if (action.kind != ActionKind::kWait) continue;
    for (const uint32_t request : rank.requests_of(action)) out.add(request);
  }
  for (const Action& action : rank.actions) {
    if (!starts_request(action.kind)) continue;
    for (const BlockId block : rank.blocks_of(action)) out.add(index(block));
  }
  out.require_small();
}

void require_numbered(const Collective& collective) {
  if (collective.kind() != CollectiveKind::kAlltoallv) return;
  throw InputError("program files hold no alltoallv: its blocks are numbered by a table of counts");
}

void require_good(const ProgramFile& file) {
  const Program& program = file.program;
  QUADRILLE_CHECK(!file.translations || (program.ranks.size() == 1 && !file.in_order),
                  "translations move rank 0's program alone");
  QUADRILLE_CHECK(!file.translations || !file.translations->deals_out || can_deal_out(program.collective),
                  "blocks that cannot be dealt out");
  const std::vector<Finding> findings =
      file.translations ? check_images(program.ranks.front(), program.collective, *file.translations, 1)
                        : check_program(program, 1);
  QUADRILLE_CHECK(findings.empty(), findings.empty() ? "" : findings.front().message);
}

// Where each part begins, and the parts.
void write_parts(const ProgramFile& file, WordWriter& out) {
  const uint32_t ranks = file.program.collective.num_ranks();
  const uint64_t table = out.at();
  for (uint32_t r = 0; r <= ranks; ++r) out.add(uint64_t{0});
  for (uint32_t r = 0; r < ranks; ++r) {
    out.set(table + r, out.at());
    write_part(file.program.ranks[r], out);
  }
  out.set(table + ranks, out.at());
}

// Rank 0's part, and the way to the others.
void write_translated(const ProgramFile& file, WordWriter& out) {
  const uint64_t table = out.at();
  for (uint32_t i = 0; i < 2; ++i) out.add(uint64_t{0});
  out.add(uint64_t{file.translations->generators.size()});
  for (const std::vector<uint32_t>& to : file.translations->generators)
    for (const uint32_t rank : to) out.add(uint64_t{rank});
  for (const Translations::LastStep& way : file.translations->ways) {
    out.add(uint64_t{way.before});
    out.add(uint64_t{way.generator});
  }
  out.set(table, out.at());
  write_part(file.program.ranks.front(), out);
  out.set(table + 1, out.at());
}

// --- reading -------------------------------------------------------------------------------------------

class WordReader {
 public:
  WordReader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  [[nodiscard]] InputError error(std::string_view what) const {
    return InputError(fmt::format("{}: {}", source_, what));
  }
  [[nodiscard]] uint64_t words() const { return bytes_.size() / 4; }
  [[nodiscard]] uint32_t word(uint64_t at) const { return load(bytes_, at); }

  [[nodiscard]] std::string text(uint32_t at, uint32_t size, std::string_view what) const {
    if (at > words() || size > bytes_.size() - uint64_t{at} * 4)
      throw error(fmt::format("damaged: the {} lies behind the end of the file", what));
    return std::string(bytes_.substr(uint64_t{at} * 4, size));
  }

  void require_whole() const {
    if (!bytes_.starts_with(kMagic))
      throw error(
          fmt::format("no program file: it begins neither with '{}' nor, as JSON does, with '{{'", kMagic));
    if (bytes_.size() < kHeadWords * 4) throw error("damaged: it ends within its head");
    if (const std::string wrong = wrong_version(word(kVersion)); !wrong.empty()) throw error(wrong);
    if (bytes_.size() != uint64_t{word(kAllWords)} * 4) {
      throw error(fmt::format("damaged: it has {} bytes and should have {}", bytes_.size(),
                              uint64_t{word(kAllWords)} * 4));
    }
    const uint64_t stated = uint64_t{word(kDigestHigh)} << 32U | word(kDigestLow);
    const uint64_t found = digest_from(bytes_);
    if (stated != found)
      throw error(fmt::format("damaged: its digest is {:016x} and should be {:016x}", found, stated));
  }

 private:
  std::string_view bytes_;
  std::string_view source_;
};

Collective read_collective(const WordReader& in) {
  const uint32_t number = in.word(kCollective);
  const auto kind = static_cast<CollectiveKind>(std::min<uint32_t>(number, UINT8_MAX));
  if (std::ranges::find(kCollectiveKinds, kind) == kCollectiveKinds.end())
    throw in.error(fmt::format("damaged: no collective has the number {}", number));
  const uint32_t ranks = in.word(kRanks);
  const uint32_t root = in.word(kRoot);
  // A table entry for each: nobody states more ranks than the file has words.
  if (ranks >= in.words()) throw in.error(fmt::format("damaged: {} ranks in {} words", ranks, in.words()));
  Collective out;
  try {
    out = Collective::standard(kind, ranks, Rank{root == kNone ? 0 : root}, in.word(kPieces));
  } catch (const InputError& wrong) {
    throw in.error(fmt::format("damaged: {}", wrong.what()));
  }
  if (out.root().has_value() != (root != kNone)) {
    throw in.error(fmt::format("damaged: it states {} root, and {} has {}", root == kNone ? "no" : "a",
                               out.name(), out.root() ? "one" : "none"));
  }
  return out;
}

// How many slots MPI's layout has, as BufferLayout counts them, without its tables.
std::pair<uint64_t, uint64_t> layout_slots(const Collective& collective, Rank rank) {
  const uint64_t all = collective.num_blocks();
  const uint64_t pieces = collective.pieces();
  const bool is_root = collective.root() == rank;
  switch (collective.kind()) {
    case CollectiveKind::kBroadcast:
      return {is_root ? all : 0, all};
    case CollectiveKind::kScatter:
      return {is_root ? all : 0, pieces};
    case CollectiveKind::kGather:
      return {pieces, is_root ? all : 0};
    case CollectiveKind::kAllgather:
      return {pieces, all};
    case CollectiveKind::kAlltoall:
      return {all / collective.num_ranks(), all / collective.num_ranks()};
    case CollectiveKind::kReduce:
      return {all, is_root ? all : 0};
    case CollectiveKind::kReduceScatter:
      return {all, pieces};
    default:
      return {all, all};
  }
}

class PartReader {
 public:
  PartReader(const WordReader& in, const Collective& collective, uint32_t rank, uint32_t begin, uint32_t end)
      : in_(in), collective_(collective), number_(rank), at_(begin), end_(end) {}

  RankProgram read() {
    if (at_ > end_ || end_ > in_.words() || end_ - at_ < kPartWords)
      throw wrong("the table gives it no words of the file");
    std::array<uint32_t, kPartWords> head{};
    for (uint32_t& word : head) word = next();
    RankProgram out;
    out.rank = Rank{head[kRank]};
    out.input_slots = head[kInputSlots];
    out.output_slots = head[kOutputSlots];
    out.scratch_slots = head[kScratchSlots];
    const uint64_t needed = uint64_t{head[kActions]} * kActionWords + uint64_t{head[kRuns]} * kRunWords +
                            head[kRequests] + head[kBlocks];
    if (needed != end_ - at_)
      throw wrong(fmt::format("its part has {} words and states {}", end_ - at_, needed));
    const auto [inputs, outputs] = layout_slots(collective_, Rank{number_});
    if (out.input_slots != inputs || out.output_slots != outputs) {
      throw wrong(fmt::format("{} and {} slots for what it has and gets, where {} has {} and {}",
                              out.input_slots, out.output_slots, collective_.name(), inputs, outputs));
    }
    if (inputs + outputs + out.scratch_slots > UINT32_MAX) throw wrong("more slots than can be numbered");
    read_actions(head, out);
    for (uint32_t i = 0; i < head[kRuns]; ++i) {
      const uint32_t buffer = next();
      if (buffer > static_cast<uint32_t>(Buffer::kScratch))
        throw wrong(fmt::format("no buffer has the number {}", buffer));
      const uint32_t first = next();
      out.runs.push_back({static_cast<Buffer>(buffer), first, next()});
    }
    for (uint32_t i = 0; i < head[kRequests]; ++i) out.requests.push_back(next());
    for (uint32_t i = 0; i < head[kBlocks]; ++i) out.blocks.push_back(BlockId{next()});
    place_blocks(out);
    return out;
  }

 private:
  [[nodiscard]] InputError wrong(std::string_view what) const {
    return in_.error(fmt::format("damaged: rank {}: {}", number_, what));
  }
  uint32_t next() { return in_.word(at_++); }

  void read_actions(const std::array<uint32_t, kPartWords>& head, RankProgram& out) {
    uint32_t run = 0;
    uint32_t request = 0;
    for (uint32_t i = 0; i < head[kActions]; ++i) {
      const uint32_t kind = next();
      if (kind > static_cast<uint32_t>(ActionKind::kBarrier))
        throw wrong(fmt::format("no action has the number {}", kind));
      Action action{.kind = static_cast<ActionKind>(kind)};
      action.peer = Rank{next()};
      if (!starts_request(action.kind) && index(action.peer) != 0)
        throw wrong(fmt::format("a {} has no peer", name_of(action.kind)));
      action.step = next();
      const uint32_t count = next();
      const bool waits = action.kind == ActionKind::kWait;
      uint32_t& used = waits ? request : run;
      if (count > (waits ? head[kRequests] : head[kRuns]) - used)
        throw wrong("its actions have more runs or requests than it states");
      action.begin = used;
      used += count;
      action.end = used;
      out.actions.push_back(action);
    }
    if (run != head[kRuns] || request != head[kRequests])
      throw wrong("it states more runs or requests than its actions have");
  }

  // A block for each slot of what is sent and received, and no others.
  void place_blocks(RankProgram& out) const {
    uint64_t used = 0;
    for (Action& action : out.actions) {
      if (!starts_request(action.kind)) continue;
      action.blocks_begin = static_cast<uint32_t>(used);
      for (const SlotRun& run : out.runs_of(action)) used += run.count;
      if (used > out.blocks.size()) throw wrong("a slot of a message has no block");
    }
    if (used != out.blocks.size()) throw wrong("there are more blocks than slots of messages");
    for (const BlockId block : out.blocks) {
      if (index(block) >= collective_.num_blocks())
        throw wrong(
            fmt::format("no block has the number {}: there are {}", index(block), collective_.num_blocks()));
    }
  }

  const WordReader& in_;
  const Collective& collective_;
  uint32_t number_;
  uint32_t at_;
  uint32_t end_;
};

// A whole file with a part for each rank.
void read_parts(const WordReader& in, ProgramFile& out) {
  const Collective& collective = out.program.collective;
  const uint64_t table = in.word(kTableAt);
  if (table + collective.num_ranks() >= in.words())
    throw in.error("damaged: the table of ranks lies behind the end of the file");
  for (uint32_t r = 0; r < collective.num_ranks(); ++r)
    out.program.ranks.push_back(
        PartReader(in, collective, r, in.word(table + r), in.word(table + r + 1)).read());
}

void read_translated(const WordReader& in, ProgramFile& out) {
  const Collective& collective = out.program.collective;
  const uint32_t ranks = collective.num_ranks();
  const uint64_t table = in.word(kTableAt);
  if (collective.root() || out.in_order)
    throw in.error("damaged: a program that is not the same on all ranks has one part");
  if (table + kTranslatedTableWords > in.words())
    throw in.error("damaged: the table lies behind the end of the file");
  const uint64_t generators = in.word(table + 2);
  uint64_t at = table + kTranslatedTableWords;
  if ((generators + kWayWords) * ranks > in.words() - at)
    throw in.error("damaged: the ways to the ranks lie behind the end of the file");
  Translations& all = out.translations.emplace();
  all.deals_out = in.word(kVersion) == kDealtFileVersion;
  if (all.deals_out && !can_deal_out(collective)) {
    throw in.error(fmt::format("damaged: {} in {} pieces has no blocks to deal out to {} ranks",
                               collective.name(), collective.pieces(), ranks));
  }
  for (uint64_t g = 0; g < generators; ++g) {
    std::vector<bool> seen(ranks, false);
    std::vector<uint32_t>& to = all.generators.emplace_back();
    for (uint32_t r = 0; r < ranks; ++r) {
      const uint32_t rank = in.word(at++);
      if (rank >= ranks || seen[rank])
        throw in.error(fmt::format("damaged: generator {} does not move each rank to another", g));
      seen[rank] = true;
      to.push_back(rank);
    }
  }
  for (uint32_t r = 0; r < ranks; ++r, at += kWayWords) all.ways.push_back({in.word(at), in.word(at + 1)});
  for (uint32_t r = 0; r < ranks; ++r) {
    try {
      static_cast<void>(all.moved(Rank{r}, 0));
    } catch (const InputError& wrong) {
      throw in.error(fmt::format("damaged: {}", wrong.what()));
    }
  }
  out.program.ranks.push_back(PartReader(in, collective, 0, in.word(table), in.word(table + 1)).read());
}

// By its first character.
bool is_json(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

}  // namespace

uint32_t version_of(const ProgramFile& file) {
  if (!file.translations) return kProgramFileVersion;
  return file.translations->deals_out ? kDealtFileVersion : kTranslatedFileVersion;
}

std::string wrong_version(uint32_t version) {
  if (version >= kProgramFileVersion && version <= kDealtFileVersion) return {};
  return fmt::format("a program file of version {}; this Quadrille reads versions {} to {}", version,
                     kProgramFileVersion, kDealtFileVersion);
}

Program all_programs(const ProgramFile& file) {
  if (!file.translations) return file.program;
  const Collective& collective = file.program.collective;
  Program out{collective, {}};
  for (uint32_t r = 0; r < collective.num_ranks(); ++r)
    out.ranks.push_back(image_of(file.program.ranks.front(), collective, *file.translations, Rank{r}));
  return out;
}

std::string write_program(const ProgramFile& file) {
  require_numbered(file.program.collective);
  require_good(file);
  return words_of_program(file);
}

std::string words_of_program(const ProgramFile& file) {
  const Collective& collective = file.program.collective;
  WordWriter out;
  out.add(kMagic);
  while (out.at() < kHeadWords) out.add(uint64_t{0});
  out.set(kVersion, version_of(file));
  out.set(kCollective, static_cast<uint64_t>(collective.kind()));
  out.set(kRanks, collective.num_ranks());
  out.set(kPieces, collective.pieces());
  out.set(kRoot, collective.root() ? index(*collective.root()) : kNone);
  out.set(kFlags, file.in_order ? kInOrderFlag : 0);
  out.set(kTopologyAt, out.at());
  out.set(kTopologyBytes, file.topology.size());
  out.add(file.topology);
  out.set(kAlgorithmAt, out.at());
  out.set(kAlgorithmBytes, file.algorithm.size());
  out.add(file.algorithm);
  out.set(kTableAt, out.at());
  file.translations ? write_translated(file, out) : write_parts(file, out);
  out.set(kAllWords, out.at());
  const uint64_t digest = digest_from(out.bytes());
  out.set(kDigestLow, digest & UINT32_MAX);
  out.set(kDigestHigh, digest >> 32U);
  return out.take();
}

ProgramFile read_program(std::string_view bytes, std::string_view source) {
  std::string words;
  if (is_json(bytes)) {
    words = words_of_json(bytes, source);
    bytes = words;
  }
  const WordReader in(bytes, source);
  in.require_whole();
  const Collective collective = read_collective(in);
  if (in.word(kFlags) > kInOrderFlag)
    throw in.error(fmt::format("damaged: flags {} of which only {} is known", in.word(kFlags), kInOrderFlag));
  ProgramFile out{.program = {collective, {}},
                  .topology = in.text(in.word(kTopologyAt), in.word(kTopologyBytes), "topology"),
                  .algorithm = in.text(in.word(kAlgorithmAt), in.word(kAlgorithmBytes), "algorithm"),
                  .in_order = in.word(kFlags) == kInOrderFlag};
  in.word(kVersion) == kProgramFileVersion ? read_parts(in, out) : read_translated(in, out);
  uint64_t most = 0;
  uint64_t actions = 0;
  for (const RankProgram& rank : out.program.ranks) {
    most = std::max(most, uint64_t{rank.input_slots} + rank.output_slots + rank.scratch_slots);
    actions += rank.actions.size() * sizeof(Action) + rank.runs.size() * sizeof(SlotRun);
  }
  // The images are made of what is well shaped, where rank 0's program does not answer for them.
  const bool is_group = out.translations && are_of_a_group(*out.translations);
  if (out.translations && !is_group) actions *= collective.num_ranks();
  require_memory(Int128{most} * 5 + actions, fmt::format("{}: a rank of it has {} slots and", source, most));
  std::vector<Finding> findings;
  if (out.translations) findings = check_images(out.program.ranks.front(), collective, *out.translations, 1);
  if (findings.empty() && !is_group) findings = check_program(all_programs(out), 1);
  if (!findings.empty()) {
    throw in.error(fmt::format("a bad program: [{}] {}", findings.front().rule, findings.front().message));
  }
  return out;
}

uint64_t digest_of_program_file(std::string_view bytes) {
  QUADRILLE_CHECK(bytes.size() >= kHeadWords * 4, fmt::format("{} bytes", bytes.size()));
  return uint64_t{load(bytes, kDigestHigh)} << 32U | load(bytes, kDigestLow);
}

}  // namespace quadrille
