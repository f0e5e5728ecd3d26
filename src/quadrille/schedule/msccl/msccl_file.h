// MSCCL's XML as data: what each thread block of each GPU does. Only the form is looked at here; what comes of it is found by
// running it (msccl_steps.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective/collective.h"

namespace quadrille::msccl {

/// i, o and s. Where a file works in place, i and o are one.
enum class Place : uint8_t { kInput, kOutput, kScratch };

struct Chunk {
  Place place = Place::kInput;
  uint32_t at = 0;
};

struct Step {
  bool receives = false;
  bool sends = false;
  bool reduces = false;  ///< with what is at the source: rrs, rrc, rrcs; `re` neither sends nor receives
  bool stores = false;   ///< at the target
  Chunk source{};
  Chunk target{};
  uint32_t count = 0;
  uint32_t after_block = UINT32_MAX;  ///< the step that must be over; UINT32_MAX: none
  uint32_t after_step = UINT32_MAX;
  size_t where = 0;  ///< its first byte in the file
};

struct ThreadBlock {
  uint32_t send_to = UINT32_MAX;
  uint32_t receive_from = UINT32_MAX;
  uint32_t channel = 0;
  std::vector<Step> steps{};
};

struct Gpu {
  uint32_t sizes[3] = {0, 0, 0};  ///< by Place
  std::vector<ThreadBlock> blocks{};
};

struct File {
  std::string name{};
  CollectiveKind kind{};
  uint32_t pieces = 1;
  bool in_place = false;
  uint32_t messages_of_a_connection = 8;  ///< by the protocol (msccl_room.h)
  std::vector<Gpu> gpus{};

  /// Chunks of all ranks, where a buffer holds a part for or from each; else those of one vector.
  [[nodiscard]] uint32_t whole() const;
  /// The input of allgather and gather, and the output of reduce_scatter and scatter, are a rank's own part of the whole.
  [[nodiscard]] bool is_part(Place place) const;
  [[nodiscard]] uint32_t chunks_in(Place place) const { return is_part(place) ? pieces : whole(); }
};

/// Throws InputError, with a caret under what is wrong: no XML, attributes that are missing or out of their range, thread
/// blocks that share an end of a connection, dependencies on steps that are not there.
[[nodiscard]] File read_file_of(std::string_view text, std::string_view source);

/// "gpu 3, thread block 1, step 2".
[[nodiscard]] std::string place_text(size_t gpu, size_t block, size_t step);

}  // namespace quadrille::msccl
