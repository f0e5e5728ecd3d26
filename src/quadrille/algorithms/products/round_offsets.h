// Round offsets: who rides when in a product of unequal factors, in closed form.
//
// A product of factors with n_1, .., n_d nodes has N = n_1 .. n_d types. They are listed as t = 0 .. N-1 with
// the displacement
//     d_i(t) = (t + floor((t mod P_i) / l_i)) mod n_i,     P_i = n_1 .. n_i,  l_i = lcm(P_(i-1), n_i),
// which gives every displacement once, and each d_i every value once among any n_i types that start at a
// multiple of n_i. So consecutive types in groups of c_i n_i can share the rounds of dimension i, c_i types
// for each offset, and there are R_i = N / (c_i n_i) rounds. Round r starts at step ceil(r L / R_i) of L, and
// the group g rides in round g + s_i, modulo R_i. The shifts s_i are chosen so that no type has two rides at
// the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quadrille {

class RoundOffsets {
 public:
  struct Side {
    uint32_t nodes;   ///< n_i, at least 2
    uint32_t copies;  ///< c_i; divides N / n_i
    uint64_t length;  ///< steps of a round
  };

  /// With L as short as the longest dimension allows; nothing if no shifts are found for which all goes well.
  /// N fits 32 bits.
  [[nodiscard]] static std::optional<RoundOffsets> find(std::vector<Side> sides);
  /// With some longer L for which shifts are found, or one dimension after the other: never longer than that.
  [[nodiscard]] static RoundOffsets find_longer(std::vector<Side> sides);

  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] uint64_t num_rounds(size_t i) const { return rounds_[i]; }
  [[nodiscard]] uint64_t start(size_t i, uint64_t round) const {
    if (!turns_.empty()) return turns_[i] + round * sides_[i].length;
    return (round * steps_ + rounds_[i] - 1) / rounds_[i];
  }
  /// d_i(t).
  [[nodiscard]] uint32_t offset(size_t i, uint32_t t) const {
    return static_cast<uint32_t>((t + t % prefix_[i] / period_[i]) % sides_[i].nodes);
  }
  /// The round of dimension i in which type t rides, if d_i(t) != 0.
  [[nodiscard]] uint64_t round_of(size_t i, uint32_t t) const {
    return (t / group_size(i) + shifts_[i]) % rounds_[i];
  }
  /// The first type of those that share a round.
  [[nodiscard]] uint32_t first_type(size_t i, uint64_t round) const {
    return static_cast<uint32_t>((round + rounds_[i] - shifts_[i]) % rounds_[i]) * group_size(i);
  }
  [[nodiscard]] uint32_t group_size(size_t i) const { return sides_[i].nodes * sides_[i].copies; }

 private:
  explicit RoundOffsets(std::vector<Side> sides);

  [[nodiscard]] bool find_shifts();
  void stack_windows();
  [[nodiscard]] bool no_type_rides_twice() const;

  std::vector<Side> sides_;
  uint32_t types_ = 1;
  std::vector<uint64_t> prefix_;  // P_i
  std::vector<uint64_t> period_;  // l_i
  std::vector<uint64_t> rounds_;  // R_i
  std::vector<uint64_t> shifts_;
  uint64_t steps_ = 0;
  std::vector<uint64_t> turns_;  // when each dimension starts, if they take turns
};

}  // namespace quadrille
