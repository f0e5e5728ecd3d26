// Program files: what all ranks do, in a form that a few lines of C can run.
//
//     write_file("alltoall.qprog", write_program({lower(schedule), "torus(4,4)", "alltoall_torus"}));
//     const ProgramFile file = read_program(read_file("alltoall.qprog"), "alltoall.qprog");
//
// A file is a sequence of 32-bit words, the least byte first; a table says where each rank's part begins, so that a
// rank needs no more than its own. Slots are counted in blocks and blocks have no size: one file serves messages of any.
// docs/program_format.md says it word by word. What is written has passed check_program(), and what is read passes it
// again: a file from anywhere is refused or is a program that every rank comes to the end of.
//
// Where all ranks do the same, as on a torus, a file holds rank 0's part alone and how it is moved to the others
// (program/lowering/translations.h): 9 MB instead of 38 GB for a total exchange on torus(64,64).
//
// The same as JSON is for people who look and programs that translate. It states the same digest, and is read as the other is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quadrille/program/lowering/translations.h"
#include "quadrille/program/rank_program.h"

namespace quadrille {

struct ProgramFile {
  Program program;          ///< of all ranks; with translations, of rank 0 alone
  std::string topology{};   ///< spec of the network whose endpoints the ranks are
  std::string algorithm{};  ///< who made the plan
  /// Contributions are combined in the order of ranks, as an operator that does not commute needs it.
  bool in_order = false;
  /// How rank 0's program becomes everybody's: those of a group, and never in order.
  std::optional<Translations> translations{};
  friend bool operator==(const ProgramFile&, const ProgramFile&) = default;
};

/// Of files with a part for each rank, of those with translations, and of those where these deal out the blocks of an allreduce. All
/// are read.
inline constexpr uint32_t kProgramFileVersion = 1;
inline constexpr uint32_t kTranslatedFileVersion = 2;
inline constexpr uint32_t kDealtFileVersion = 3;
/// Which of them a file is written in.
[[nodiscard]] uint32_t version_of(const ProgramFile& file);

/// The bytes of a file. Throws InputError for alltoallv, whose blocks a table would have to number, and for programs of
/// more than 2^32 words; a program that check_program() or check_images() finds fault with is an InternalError.
[[nodiscard]] std::string write_program(const ProgramFile& file);
/// The same for people: JSON, an action a line.
[[nodiscard]] std::string write_program_json(const ProgramFile& file);

/// Of either form. `source` is how errors call it. Throws InputError for what is no program file, is damaged or is of another version,
/// and for a program that check_program() finds fault with; with translations, in all of their images.
[[nodiscard]] ProgramFile read_program(std::string_view bytes, std::string_view source);

/// With the programs of all ranks: as it is, or their images.
[[nodiscard]] Program all_programs(const ProgramFile& file);

/// The digest that a program file carries, of the words behind it.
[[nodiscard]] uint64_t digest_of_program_file(std::string_view bytes);

}  // namespace quadrille
