// LinkMeetings: how often messages of different steps met on the links of a model network (link_watch.h).
#pragma once

#include <cstdint>

namespace quadrille {

struct LinkMeetings {
  uint64_t conflicts = 0;     ///< pairs of messages
  uint64_t pushed_aside = 0;  ///< pairs of which the later one let the earlier one pass

  friend bool operator==(const LinkMeetings&, const LinkMeetings&) = default;
};

}  // namespace quadrille
