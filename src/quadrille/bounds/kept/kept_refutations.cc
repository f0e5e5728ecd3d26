#include "quadrille/bounds/kept/kept_refutations.h"

#include <algorithm>
#include <array>

namespace quadrille {
namespace {

constexpr uint32_t kMostPlaces = 1U << 16U;

constexpr std::array<std::string_view, 4> kRequired = {"torus", "steps", "lemmas", "proof"};
constexpr StoredKind kKind = {.name = "refutation", .folder = "data/refutations/", .required = kRequired};

}  // namespace

const StoredKind& kept_refutation_kind() { return kKind; }

KeptRefutation::KeptRefutation(const StoredEntry& entry)
    : sides(entry.numbers("torus", 3, kMostPlaces)),
      steps(entry.number("steps", 1, kMostPlaces)),
      lemmas(entry.number("lemmas", 1, UINT32_MAX)),
      proof(entry.value("proof")),
      path(entry.path()) {
  if (!std::is_sorted(sides.begin(), sides.end())) entry.spoilt(entry.value("torus"), "sides must ascend");
  if (!proof.ends_with(".drat") || proof.find('/') != std::string_view::npos)
    entry.spoilt(proof, "a proof is a file NAME.drat beside the entry");
  if (!entry.data().empty()) entry.spoilt(entry.data(), "a refutation's data is its proof");
}

std::span<const KeptRefutation> kept_refutations() {
  static const std::vector<KeptRefutation> all = [] {
    std::vector<KeptRefutation> out;
    for (const StoredEntry& entry : stored_entries(kKind)) out.emplace_back(entry);
    return out;
  }();
  return all;
}

}  // namespace quadrille
