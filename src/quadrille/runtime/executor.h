// Executor: does one rank's program over a transport.
//
//     Executor executor(program.ranks[r], block_bytes);
//     executor.run(transport, input, output);             // as often as wanted
//
// Buffers are counted in bytes: a slot is block_bytes long, zero included. The executor owns the rank's
// scratch and keeps its memory from run to run. Whether the program fits the other ranks' is
// check_program()'s business, not checked here.
#pragma once

#include <vector>

#include "quadrille/program/rank_program.h"
#include "quadrille/runtime/transport.h"

namespace quadrille {

class Executor {
 public:
  /// `program` must outlive the executor. Throws InputError for blocks that do not hold whole elements of the
  /// reduction, or for buffers larger than memory can be addressed.
  Executor(const RankProgram& program, size_t block_bytes, const Reduction& reduction = kSumBytes);

  [[nodiscard]] size_t input_bytes() const { return program_.input_slots * block_bytes_; }
  [[nodiscard]] size_t output_bytes() const { return program_.output_slots * block_bytes_; }

  /// The transport's rank is the program's; the spans have input_bytes() and output_bytes(). After an
  /// exception nothing of this rank is under way any more, and the executor can be destroyed.
  void run(Transport& transport, ConstBytes input, Bytes output);

 private:
  void run_actions(Transport& transport, ConstBytes input, Bytes output);
  void start(Transport& transport, const Action& action, ConstBytes input, Bytes output);
  void wait(Transport& transport, const Action& action);
  void move(const Action& action, ConstBytes input, Bytes output);
  [[nodiscard]] ConstBytes source(const SlotRun& run, ConstBytes input, ConstBytes output) const;
  [[nodiscard]] Bytes target(const SlotRun& run, Bytes output);

  const RankProgram& program_;
  size_t block_bytes_;
  const Reduction& reduction_;
  std::vector<std::byte> scratch_;
  // Of the current run: the ranges of all sends and receives (never reallocated within it), and the requests.
  std::vector<ConstBytes> sent_;
  std::vector<Bytes> received_;
  std::vector<Request> requests_;
  std::vector<Request> waited_;
};

}  // namespace quadrille
