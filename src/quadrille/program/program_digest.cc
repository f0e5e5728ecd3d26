#include "quadrille/program/program_digest.h"

namespace quadrille {
namespace {

// Lengths go in, too: what ends one list must not begin the next.
void add(const RankProgram& program, Digest& digest) {
  digest.add(index(program.rank));
  digest.add(program.input_slots);
  digest.add(program.output_slots);
  digest.add(program.scratch_slots);
  digest.add(program.actions.size());
  for (const Action& action : program.actions) {
    digest.add(static_cast<uint64_t>(action.kind) << 32U | index(action.peer));
    digest.add(action.step);
    digest.add(uint64_t{action.begin} << 32U | action.end);
    digest.add(action.blocks_begin);
  }
  digest.add(program.runs.size());
  for (const SlotRun& run : program.runs) {
    digest.add(static_cast<uint64_t>(run.buffer));
    digest.add(uint64_t{run.first} << 32U | run.count);
  }
  digest.add(program.blocks.size());
  for (const BlockId block : program.blocks) digest.add(index(block));
  digest.add(program.requests.size());
  for (const uint32_t request : program.requests) digest.add(request);
}

}  // namespace

void Digest::add(std::string_view text) {
  add(text.size());
  for (const char c : text) add(static_cast<unsigned char>(c));
}

uint64_t digest_of(const Program& program) {
  Digest digest;
  digest.add(program.collective.name());
  digest.add(program.collective.num_ranks());
  digest.add(program.collective.pieces());
  const auto root = program.collective.root();
  digest.add(root ? index(*root) + 1 : 0);
  digest.add(program.ranks.size());
  for (const RankProgram& rank : program.ranks) add(rank, digest);
  return digest.value();
}

}  // namespace quadrille
