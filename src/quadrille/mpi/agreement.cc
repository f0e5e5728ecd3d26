#include "quadrille/mpi/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <iostream>
#include <new>
#include <thread>

#include "quadrille/base/memory/memory_limit.h"

namespace quadrille {
namespace {

constexpr uint64_t kPart = uint64_t{1} << 30U;  // MPI counts with an int

std::string text_of(int rank, std::string text) {
  uint64_t size = text.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, rank, MPI_COMM_WORLD);
  text.resize(size);
  for (uint64_t at = 0; at < size; at += kPart)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(kPart, size - at)), MPI_CHAR, rank, MPI_COMM_WORLD);
  return text;
}

// Of many ranks that fail alike, rank 0 among them, nobody need know which it was.
std::string place_of(int rank) { return rank == 0 ? "" : fmt::format("rank {}: ", rank); }

}  // namespace

int my_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int num_ranks() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

std::string text_of_rank_0(std::string text) { return text_of(0, std::move(text)); }

void meet_to_stop(const std::optional<Stop>& mine) {
  int first = mine ? my_rank() : INT_MAX;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == INT_MAX) return;
  int status = mine ? mine->status() : kRight;
  MPI_Bcast(&status, 1, MPI_INT, first, MPI_COMM_WORLD);
  const std::string words = text_of(first, my_rank() == first ? mine->what() : "");
  const bool is_error = status == kBadInput;
  throw Stop(status, is_error ? fmt::format("error: {}{}", place_of(first), words) : words);
}

void say_and_end_all(const std::string& why, int status) noexcept {
  constexpr auto kUntilPassedOn = std::chrono::milliseconds(200);
  if (!why.empty()) std::cerr << why << "\n";
  std::cout.flush();
  std::cerr.flush();
  std::this_thread::sleep_for(kUntilPassedOn);
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

Stop reason_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Stop& stop) {
    return stop;
  } catch (const InputError& input) {
    return {kBadInput, input.what()};
  } catch (const std::bad_alloc& refused) {
    return {kBadInput, out_of_memory_text(refused)};
  } catch (const std::exception& ours) {
    return {kOurBug,
            fmt::format("internal error on rank {}: {}\nThis is a bug in Quadrille. Please report it "
                        "with the command line that shows it.",
                        my_rank(), ours.what())};
  }
}

void end_all_for(const std::exception_ptr& error) noexcept {
  const Stop stop = reason_of(error);
  say_and_end_all(
      (stop.status() == kBadInput ? fmt::format("error: rank {}: ", my_rank()) : "") + stop.what(),
      stop.status());
}

void agree_on(uint64_t digest, const std::string& what, const std::string& mine) {
  uint64_t of_rank_0 = digest;
  MPI_Bcast(&of_rank_0, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  const std::string theirs = text_of_rank_0(mine);
  std::optional<Stop> stop;
  if (digest != of_rank_0) {
    stop.emplace(kBadInput,
                 fmt::format("{} must be the same on all ranks; here: {}; rank 0: {}", what, mine, theirs));
  }
  meet_to_stop(stop);
}

}  // namespace quadrille
