// What the programs of GPUs amount to as a plan: run once, each message in the earliest step in which it can be sent.
//
// A message leaves when its thread block has come to it and the step that it waits for is over; it arrives at the end of
// the step in which it leaves, and waits there for its receiver: any number of messages may. So a dependency that a file lacks shows as a message that leaves before its sender has
// what it sends, which is for the judge to find. What is written with the chunks in mind, and not the blocks, is looked at
// here: two steps that touch one chunk, one of them writing it, in no order; sums of unlike blocks; blocks that lie in the
// wrong chunk in the end.
#pragma once

#include <string_view>

#include "quadrille/schedule/msccl/msccl_file.h"
#include "quadrille/schedule/plan_file.h"

namespace quadrille::msccl {

/// The plan, for GPUs that are linked where the file has a connection, both ways. Throws InputError with the place in the
/// text for what is said above, for thread blocks that wait for ever, and for sums in more than 32 parts.
[[nodiscard]] PlanFile plan_of(const File& file, std::string_view text, std::string_view source);

}  // namespace quadrille::msccl
