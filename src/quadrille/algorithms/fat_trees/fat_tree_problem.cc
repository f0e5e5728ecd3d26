#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"

#include <fmt/format.h>

namespace quadrille {

Applicability fits_fat_tree(const Problem& problem) {
  if (std::string why = why_no_fat_tree(problem.topology()); !why.empty()) {
    return Applicability::no(std::move(why));
  }
  if (problem.model().switching != Switching::kPacket) {
    return Applicability::no("it needs packet switching: routers store messages and forward them");
  }
  if (problem.model().duplex != Duplex::kFull) {
    return Applicability::no("it needs full duplex: branches carry messages up and down in the same step");
  }
  if (problem.collective().pieces() != 1) {
    return Applicability::no(
        fmt::format("it needs whole blocks; these are split into {} pieces", problem.collective().pieces()));
  }
  return Applicability::yes();
}

Applicability fits_multiport_fat_tree(const Problem& problem) {
  if (Applicability fits = fits_fat_tree(problem); !fits.applies) return fits;
  if (problem.model().send.unlimited() && problem.model().receive.unlimited()) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs all ports, since a router works on all its branches at once; the model has {} "
                  "send and {} receive ports",
                  to_text(problem.model().send), to_text(problem.model().receive)));
}

Applicability fits_one_send_fat_tree(const Problem& problem) {
  if (Applicability fits = fits_fat_tree(problem); !fits.applies) return fits;
  if (problem.model().send == kOnePort) return Applicability::yes();
  return Applicability::no(
      fmt::format("it is made for one send port; the model has {}", to_text(problem.model().send)));
}

}  // namespace quadrille
