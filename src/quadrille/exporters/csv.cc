// csv: what is sent, a row for each block on each link, in numbers alone.
#include <fmt/format.h>

#include <iterator>

#include "quadrille/base/input_error.h"
#include "quadrille/exporters/exporter.h"

namespace quadrille::exporters {
namespace csv_parts {
namespace {

// A file of a gigabyte is no table to look at.
constexpr size_t kMostBytes = size_t{1} << 30U;

class RowWriter final : public StepSink {
 public:
  explicit RowWriter(const Problem& problem) : problem_(problem) {
    out_ = "step,transfer,hop,tail,head,block,origin,destination,replaces\n";
  }

  void push(const StepView& step) override {
    ++step_;
    for (size_t t = 0; t < step.size(); ++t) add(step, t);
    if (out_.size() > kMostBytes)
      throw InputError(fmt::format("csv: the table of this plan passes 1 GiB in step {}", step_));
  }
  std::string take() { return std::move(out_); }

 private:
  // Ranks; -1 where a block has none or many.
  [[nodiscard]] int64_t origin(BlockId block) const {
    const Collective& all = problem_.collective();
    return all.flow() == Flow::kCombine ? -1 : static_cast<int64_t>(index(all.origin(block)));
  }
  [[nodiscard]] int64_t destination(BlockId block) const {
    const Collective& all = problem_.collective();
    return all.delivers_to_all() ? -1 : static_cast<int64_t>(index(all.destination(block)));
  }

  void add(const StepView& step, size_t t) {
    const Topology& network = problem_.topology();
    uint32_t hop = 0;
    for (const ArcId arc : step.arcs(t)) {
      ++hop;
      for (const BlockId block : step.blocks(t)) {
        fmt::format_to(std::back_inserter(out_), "{},{},{},{},{},{},{},{},{}\n", step_, t + 1, hop,
                       index(network.tail(arc)), index(network.head(arc)), index(block), origin(block),
                       destination(block), step.op(t) == TransferOp::kCopy ? 1 : 0);
      }
    }
  }

  const Problem& problem_;
  std::string out_{};
  uint64_t step_ = 0;
};

std::string write(const ScheduleToExport& what) {
  RowWriter rows(what.schedule.problem());
  what.schedule.plan().replay(rows);
  return rows.take();
}

}  // namespace
}  // namespace csv_parts

extern const Exporter csv;

constinit const Exporter csv{.name = "csv",
                             .summary = "what is sent, a row for each block on each link, in numbers",
                             .extension = ".csv",
                             .write = csv_parts::write};

}  // namespace quadrille::exporters
