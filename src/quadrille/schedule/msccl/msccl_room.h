// Connections hold only so many messages: who sends more before anybody receives waits for room.
//
// A connection of NCCL is 8 slots. A step of MSCCL takes 4 of them with the protocol Simple (MSCCL_CHUNKSTEPS), and 1 with LL and
// LL128: it holds 2 messages or 8. So files that are right where messages may wait in any number hang there, however short the
// messages are, if everybody sends before it receives. (Long ones are sent in several parts, and may hang earlier.)
#pragma once

#include <string_view>

#include "quadrille/schedule/msccl/msccl_file.h"

namespace quadrille::msccl {

/// Throws InputError with the first step that waits for room for ever. The file must end where there is room for all.
void require_room(const File& file, std::string_view text, std::string_view source);

}  // namespace quadrille::msccl
