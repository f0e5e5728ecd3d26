// Waiting slots: where a node keeps each of the partial sums of one block that it has at the same time.
//
// Its own sum begins in slot 0. What arrives before the node has sent what it had waits in a slot of its own, and so does what it only
// passes on. Slots are used again once what was in them has been sent; only a copy into slot 0, or another sum, takes away what is left
// in one. A rank that the collective leaves with the complete sum must have nothing else in its slots at the end: where it can be, the
// last sums of its own come into slots in which something was passed on.
//
//     WaitingSlots slots;
//     slots.reads = {..}; slots.arrivals = {..}; slots.transits = {..};
//     const WaitingSlots::Kept kept = slots.choose(true, chosen);  // chosen[hop]: what the hop sends, and where it goes
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/schedule/step.h"

namespace quadrille {

/// What a hop of a block does: which slots its sender adds up, which one of the receiver's it goes into, and how.
struct HopSlots {
  SumSlots slots{};
  TransferOp op = TransferOp::kDefault;
};

class WaitingSlots {
 public:
  /// The node's sum is sent: of what had arrived by then in the order of messages, whichever step that was in.
  struct Read {
    uint32_t turn;
    uint32_t step;
    uint32_t hop;
    uint32_t slots;  ///< as the algorithm names them
  };
  /// Something is added to the node's sum, or replaces it.
  struct Arrival {
    uint32_t turn;
    uint32_t step;
    uint32_t hop;
    uint32_t slot;  ///< as the algorithm names it
    TransferOp op;
  };
  /// Something is passed on: it comes with one hop and leaves with another one in a later step.
  struct Transit {
    uint32_t arrives;
    uint32_t leaves;
    uint32_t hop_in;
    uint32_t hop_out;
  };
  struct Kept {
    bool fits = true;      ///< there are slots enough
    bool is_clean = true;  ///< at the end nothing but the node's sum is in them
    uint32_t slots = 1;    ///< those of its sum, at the end
  };

  /// Fills in the receiving side of hops that come to the node and the sending side of those that leave it. A copy into slot 0
  /// must come later than all before it that arrived, and not before anything of that has left.
  [[nodiscard]] Kept choose(bool is_to_be_clean, std::span<HopSlots> chosen);

  /// Nothing is added to what is there until it is sent: where the order of sums counts, what is between may come later.
  bool keeps_all_apart = false;

  std::vector<Read> reads{};
  std::vector<Arrival> arrivals{};
  std::vector<Transit> transits{};

 private:
  // A sum that is kept apart, from when it arrives until it is not needed any more.
  struct Sum {
    uint32_t begin = 0;
    uint32_t busy = 0;  // until what it was last needed for
    uint32_t end = 0;
    uint32_t slot = 0;
  };
  static constexpr uint32_t kForEver = UINT32_MAX;

  void follow(std::span<const char> apart);
  void arrive(const Arrival& arrival, bool is_kept_apart);
  void clear(uint32_t step);
  [[nodiscard]] uint32_t colour();
  [[nodiscard]] uint32_t mask_of(std::span<const uint32_t> sums) const;

  std::vector<Sum> sums_;
  std::array<std::vector<uint32_t>, SumSlots::kCount> named_;  // by slot of the algorithm, what is in it
  std::vector<uint32_t> into_;  // by arrival, the sum that it makes or goes into
  std::vector<char> makes_;     // by arrival
  std::vector<uint32_t> read_;  // what each read sends, one after another
  std::vector<uint32_t> read_ends_;
  std::vector<uint32_t> slot_of_;  // of each transit
  uint32_t last_read_ = 0;
  uint32_t cleared_ = 0;  // until when everything is taken away
  uint32_t since_ = 0;    // what is in slot 0 is there before this step
  uint32_t used_ = 0;
};

}  // namespace quadrille
