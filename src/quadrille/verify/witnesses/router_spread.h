// How soon all endpoints can have heard of one where none has a link to another.
//
// Then each of them hears of it from a router, and whoever knows can only tell more routers. So endpoints and routers are counted
// apart: a router tells at most as many of each in a step as any router can, and an endpoint so many routers, but the one that told it.
// (examples/checker/by_news.py counts the same.)
#pragma once

#include <cstdint>

#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Steps of packets; backwards: until it has heard of all. 0 where endpoints are linked, or there are no routers.
[[nodiscard]] uint64_t spread_through_routers(const Problem& problem, NodeId root, bool backwards);

}  // namespace quadrille
