#include "quadrille/runtime/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {

Executor::Executor(const RankProgram& program, size_t block_bytes, const Reduction& reduction)
    : program_(program), block_bytes_(block_bytes), reduction_(reduction) {
  if (block_bytes % reduction.element_bytes != 0) {
    throw InputError(fmt::format("blocks of {} bytes do not hold whole elements of {} bytes ({})",
                                 block_bytes, reduction.element_bytes, reduction.name));
  }
  const uint32_t most = std::max({program.input_slots, program.output_slots, program.scratch_slots, 1U});
  if (block_bytes > PTRDIFF_MAX / most) {
    throw InputError(fmt::format("{} blocks of {} bytes are more than memory can hold", most, block_bytes));
  }
  scratch_.resize(program.scratch_slots * block_bytes);
  size_t sent = 0;
  size_t received = 0;
  size_t requests = 0;
  for (const Action& action : program.actions) {
    if (!starts_request(action.kind)) continue;
    (action.kind == ActionKind::kSend ? sent : received) += action.end - action.begin;
    ++requests;
  }
  sent_.reserve(sent);
  received_.reserve(received);
  requests_.reserve(requests);
}

void Executor::run(Transport& transport, ConstBytes input, Bytes output) {
  QUADRILLE_CHECK(
      transport.rank() == program_.rank,
      fmt::format("rank {} runs the program of {}", index(transport.rank()), index(program_.rank)));
  QUADRILLE_CHECK(input.size() == input_bytes() && output.size() == output_bytes(),
                  fmt::format("input {} of {}, output {} of {}", input.size(), input_bytes(), output.size(),
                              output_bytes()));
  try {
    run_actions(transport, input, output);
  } catch (...) {
    transport.give_up();
    throw;
  }
}

void Executor::run_actions(Transport& transport, ConstBytes input, Bytes output) {
  sent_.clear();
  received_.clear();
  requests_.clear();
  for (const Action& action : program_.actions) {
    switch (action.kind) {
      case ActionKind::kSend:
      case ActionKind::kReceive:
      case ActionKind::kReceiveReduce:
        start(transport, action, input, output);
        break;
      case ActionKind::kWait:
        wait(transport, action);
        break;
      case ActionKind::kCopy:
      case ActionKind::kReduce:
      case ActionKind::kReduceBefore:
        move(action, input, output);
        break;
      case ActionKind::kBarrier:
        transport.barrier();
        break;
    }
  }
}

void Executor::start(Transport& transport, const Action& action, ConstBytes input, Bytes output) {
  if (action.kind == ActionKind::kSend) {
    const size_t begin = sent_.size();
    for (const SlotRun& run : program_.runs_of(action)) sent_.push_back(source(run, input, output));
    requests_.push_back(transport.start_send(action.peer, std::span(sent_).subspan(begin)));
    return;
  }
  const size_t begin = received_.size();
  for (const SlotRun& run : program_.runs_of(action)) received_.push_back(target(run, output));
  const Reduction* reduction = action.kind == ActionKind::kReceiveReduce ? &reduction_ : nullptr;
  requests_.push_back(transport.start_receive(action.peer, std::span(received_).subspan(begin), reduction));
}

void Executor::wait(Transport& transport, const Action& action) {
  waited_.clear();
  for (const uint32_t request : program_.requests_of(action)) waited_.push_back(requests_[request]);
  transport.wait(waited_);
}

void Executor::move(const Action& action, ConstBytes input, Bytes output) {
  const std::span<const SlotRun> runs = program_.runs_of(action);
  const Bytes into = target(runs[0], output);
  const ConstBytes from = source(runs[1], input, output);
  if (into.empty()) return;
  if (action.kind == ActionKind::kReduceBefore && reduction_.apply_before != nullptr) {
    reduction_.apply_before(into.data(), from.data(), into.size());
  } else if (action.kind != ActionKind::kCopy) {
    reduction_.apply(into.data(), from.data(), into.size());
  } else {
    std::memcpy(into.data(), from.data(), into.size());
  }
}

ConstBytes Executor::source(const SlotRun& run, ConstBytes input, ConstBytes output) const {
  const ConstBytes buffer = run.buffer == Buffer::kInput    ? input
                            : run.buffer == Buffer::kOutput ? output
                                                            : ConstBytes(scratch_);
  return buffer.subspan(run.first * block_bytes_, run.count * block_bytes_);
}

Bytes Executor::target(const SlotRun& run, Bytes output) {
  QUADRILLE_CHECK(run.buffer != Buffer::kInput, "a program writes its input");
  const Bytes buffer = run.buffer == Buffer::kOutput ? output : Bytes(scratch_);
  return buffer.subspan(run.first * block_bytes_, run.count * block_bytes_);
}

}  // namespace quadrille
