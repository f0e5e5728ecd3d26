// What is known of a judged plan, as the page that shows it wants it.
#pragma once

#include <cstdint>
#include <optional>

#include "quadrille/compile/compile.h"
#include "quadrille/viewer/view_page.h"

namespace quadrille {

/// `steps` and `verdict` must outlive it.
[[nodiscard]] PagePlan page_plan(const Compiled& judged, const PageColumns& steps, const Verdict& verdict,
                                 std::optional<uint64_t> message_bytes);

}  // namespace quadrille
