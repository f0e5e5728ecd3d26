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
// The same as JSON is for people who look and programs that translate; it is written only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quadrille/program/rank_program.h"

namespace quadrille {

struct ProgramFile {
  Program program;
  std::string topology{};   ///< spec of the network whose endpoints the ranks are
  std::string algorithm{};  ///< who made the plan
  /// Contributions are combined in the order of ranks, as an operator that does not commute needs it.
  bool in_order = false;
  friend bool operator==(const ProgramFile&, const ProgramFile&) = default;
};

inline constexpr uint32_t kProgramFileVersion = 1;

/// The bytes of a file. Throws InputError for alltoallv, whose blocks a table would have to number, and for programs of
/// more than 2^32 words; a program that check_program() finds fault with is an InternalError.
[[nodiscard]] std::string write_program(const ProgramFile& file);
/// The same for people: JSON, an action a line.
[[nodiscard]] std::string write_program_json(const ProgramFile& file);

/// `source` is how errors call it. Throws InputError for what is no program file, is damaged or is of another version,
/// and for a program that check_program() finds fault with.
[[nodiscard]] ProgramFile read_program(std::string_view bytes, std::string_view source);

/// The digest that a program file carries, of the words behind it.
[[nodiscard]] uint64_t digest_of_program_file(std::string_view bytes);

}  // namespace quadrille
