// chakra: execution traces of MLCommons' Chakra, one file a rank, as ASTRA-sim takes them for a collective of one's own. The
// files are Protocol Buffers (et_def.proto), each message with its length before it; there is little enough in them to write
// them by hand.
#include <fmt/format.h>

#include <limits>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/exporters/program_of_schedule.h"
#include "quadrille/exporters/rank_operations.h"

namespace quadrille::exporters {
namespace chakra_parts {
namespace {

using Kind = RankOperation::Kind;

// Field numbers and values of et_def.proto.
enum MetadataField : uint32_t { kVersion = 1 };
enum NodeField : uint32_t { kId = 1, kName = 2, kType = 3, kDataDependencies = 5, kAttribute = 10 };
enum NodeType : uint64_t { kComputation = 4, kSend = 5, kReceive = 6 };
enum AttributeField : uint32_t { kAttributeName = 1, kInt32 = 7, kInt64 = 9, kBool = 27 };

class Message {
 public:
  void number(uint32_t field, uint64_t value) {
    varint(uint64_t{field} << 3U);
    varint(value);
  }
  void bytes(uint32_t field, std::string_view value) {
    varint((uint64_t{field} << 3U) | 2U);
    delimited(value);
  }
  /// Numbers that follow each other, without the field's number before each.
  void numbers(uint32_t field, const std::vector<uint32_t>& values) {
    if (values.empty()) return;
    Message packed;
    for (const uint32_t value : values) packed.varint(value);
    bytes(field, packed.text());
  }
  void attribute(std::string_view name, AttributeField type, uint64_t value) {
    Message one;
    one.bytes(kAttributeName, name);
    one.number(type, value);
    bytes(kAttribute, one.text());
  }
  /// The value with its length before it.
  void delimited(std::string_view value) {
    varint(value.size());
    out_ += value;
  }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void varint(uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) out_ += static_cast<char>(static_cast<unsigned char>(value | 0x80U));
    out_ += static_cast<char>(static_cast<unsigned char>(value));
  }

  std::string out_{};
};

std::string node(const RankOperations& rank, uint32_t number, uint32_t me, uint64_t block_bytes) {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  const RankOperation& one = rank.operations[number];
  const bool sends = one.kind == Kind::kSend;
  Message out;
  out.number(kId, number);
  if (one.kind == Kind::kReduce) {
    out.bytes(kName, fmt::format("step {}: sum of {} blocks", one.plan_step + 1, one.blocks));
    out.number(kType, kComputation);
  } else {
    out.bytes(kName,
              fmt::format("step {}: {} {}", one.plan_step + 1, sends ? "send to" : "receive from", one.peer));
    out.number(kType, sends ? kSend : kReceive);
  }
  out.numbers(kDataDependencies, rank.waits[one.after]);
  out.attribute("is_cpu_op", kBool, 0);
  if (one.kind == Kind::kReduce) return out.text();
  if (block_bytes != 0 && one.blocks > kMost / block_bytes) {
    throw InputError(fmt::format("chakra: rank {} {} rank {} more bytes in step {} than 63 bits count", me,
                                 sends ? "sends to" : "receives from", one.peer, one.plan_step + 1));
  }
  out.attribute("comm_src", kInt32, sends ? me : one.peer);
  out.attribute("comm_dst", kInt32, sends ? one.peer : me);
  out.attribute("comm_tag", kInt32, one.tag);
  out.attribute("comm_size", kInt64, one.blocks * block_bytes);
  return out.text();
}

std::vector<ExportedFile> write_files(const ScheduleToExport& what) {
  const ProgramFile file = program_of_schedule(what);
  const std::vector<RankOperations> ranks = rank_operations(file.program, "chakra");
  const uint64_t block_bytes = chunk_bytes(what.schedule.problem(), what.message_bytes);
  std::vector<ExportedFile> out;
  for (uint32_t r = 0; r < ranks.size(); ++r) {
    Message metadata;
    metadata.bytes(kVersion, "0.0.4");
    Message stream;
    stream.delimited(metadata.text());
    for (uint32_t i = 0; i < ranks[r].operations.size(); ++i)
      stream.delimited(node(ranks[r], i, r, block_bytes));
    out.push_back({fmt::format(".{}.et", r), stream.text()});
  }
  return out;
}

}  // namespace
}  // namespace chakra_parts

extern const Exporter chakra;

constinit const Exporter chakra{.name = "chakra",
                                .summary = "execution traces, a file for each rank, for ASTRA-sim",
                                .extension = ".et",
                                .write_files = chakra_parts::write_files};

}  // namespace quadrille::exporters
