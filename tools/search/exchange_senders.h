// Who sends to whom: worms on a short ring or line, and sets of them that can be on their way at once.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace quadrille::search_tool {

using Mask = uint64_t;  // of nodes or links; so at most 64 nodes

struct Worm {
  int from;
  int places;
  bool up;
  int to;
};

/// What the phases of a schedule have in common.
struct Shape {
  bool line = false;
  int length = 0;
  int turn = 0;           ///< a ring's phases look the same when it is turned by so many places
  bool mirrored = false;  ///< and when it is turned over: x to 1-x; a line: x to length-1-x
};

/// A worm with all its images under the symmetry of the shape.
struct Bundle {
  std::vector<int> worms{};
  Mask up = 0;
  Mask down = 0;
  Mask senders = 0;
  Mask receivers = 0;
  bool possible = true;  ///< at once, and the shorter way round
};

[[nodiscard]] inline bool meet(const Bundle& a, const Bundle& b) {
  return ((a.up & b.up) | (a.down & b.down) | (a.senders & b.senders) | (a.receivers & b.receivers)) != 0;
}

/// Bundles that are sent at once, rising; and one such set for each phase.
using Phase = std::vector<int>;
using Phases = std::vector<Phase>;

class Senders {
 public:
  explicit Senders(const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] int length() const { return shape_.length; }
  [[nodiscard]] const std::vector<Worm>& worms() const { return worms_; }
  [[nodiscard]] const std::vector<Bundle>& bundles() const { return bundles_; }
  [[nodiscard]] const std::vector<int>& possible() const { return possible_; }
  /// -1: there is none.
  [[nodiscard]] int find(int from, int places, bool up) const;
  [[nodiscard]] int bundle_of(int worm) const { return bundle_of_[worm]; }
  /// The symmetries, as maps of nodes and of worms. The first is the identity.
  [[nodiscard]] const std::vector<std::vector<int>>& node_images() const { return node_images_; }
  [[nodiscard]] const std::vector<std::vector<int>>& worm_images() const { return worm_images_; }
  /// One node of each set of images.
  [[nodiscard]] const std::vector<int>& sources() const { return sources_; }

  /// The phase run backward: receivers send.
  [[nodiscard]] Phase backward(const Phase& phase) const;
  [[nodiscard]] Phase turned(const Phase& phase, int places) const;
  [[nodiscard]] bool fits(const Phase& phase) const;
  /// Adds bundles at random until nothing more fits.
  void fill(Phase& phase, std::mt19937_64& random) const;
  /// Every phase to which nothing can be added.
  [[nodiscard]] Phases all_full_phases() const;
  /// Pairs of nodes such that no block gets from one to the other.
  [[nodiscard]] int unreached(const Phases& phases) const;

  /// "0+1 2-3 ; 1+2 ;": one worm of each bundle.
  [[nodiscard]] std::string write(const Phases& phases) const;
  [[nodiscard]] Phases read(std::string_view text) const;

 private:
  void add_bundle(int worm);

  Shape shape_;
  std::vector<Worm> worms_{};
  std::vector<int> index_{};
  std::vector<std::vector<int>> node_images_{};
  std::vector<std::vector<int>> worm_images_{};
  std::vector<Bundle> bundles_{};
  std::vector<int> bundle_of_{};
  std::vector<int> possible_{};
  std::vector<int> backward_{};
  std::vector<int> sources_{};
};

}  // namespace quadrille::search_tool
