// Crew: processes that do the same work side by side, and share those parts of it that do not depend on each other.
//
//     std::vector<Row> rows = shared_parts<Row>({.threads = 2, .crew = crew}, count, [&](size_t i) { return row_of(i); });
//
// All processes of a crew run the same program on the same input, so all come to the same jobs in the same order, and what is
// not shared each does for itself. What comes of the parts is known to all of them in the end: they go on as one process
// would that had done everything. Who is alone (no crew) has threads.
//
// The calls of a crew are collective: every process makes the same ones, from the thread that it began with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/crew/packing.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/threads/thread_team.h"

namespace quadrille {

class Crew {
 public:
  virtual ~Crew() = default;

  [[nodiscard]] virtual uint32_t size() const = 0;
  [[nodiscard]] virtual uint32_t me() const = 0;  ///< below size()
  /// How many threads each may have, so that all together have the cores of their machine.
  [[nodiscard]] virtual unsigned threads() const = 0;

  /// What everybody says, in their order.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& mine) = 0;
  /// What process 0 says; what the others say is heard by nobody. Until the next call of the crew.
  [[nodiscard]] virtual std::string_view from_first(std::string_view mine) = 0;

  /// What came of the parts 0 .. count-1, each done by one of the processes, whichever is free. `done` is told how many are,
  /// of those that this process knows of; process 0 knows of all. If parts throw, all processes throw what the first of
  /// them did: an InputError where it was one.
  [[nodiscard]] virtual std::vector<std::string> share(size_t count,
                                                       const std::function<std::string(size_t)>& part,
                                                       const std::function<void(size_t)>& done) = 0;
};

/// Who shares the parts of a job.
struct Sharing {
  unsigned threads = 1;  ///< of a process that is alone
  Crew* crew = nullptr;  ///< else these processes
  /// Told how many parts of how many are done; one call at a time. May be empty.
  std::function<void(size_t, size_t)> done{};
};

/// What came of the parts 0 .. count-1. What one of them throws is thrown here.
template <typename T, typename Part>
[[nodiscard]] std::vector<T> shared_parts(const Sharing& how, size_t count, const Part& part) {
  std::vector<T> out;
  out.reserve(count);
  if (how.crew != nullptr) {
    const auto one = [&](size_t i) { return packed(part(i)); };
    const auto done = [&](size_t parts) {
      if (how.done) how.done(parts, count);
    };
    for (const std::string& bytes : how.crew->share(count, one, done)) out.push_back(unpacked<T>(bytes));
    return out;
  }
  std::vector<std::optional<T>> found(count);
  ThreadTeam team(how.threads);
  std::mutex mutex;
  size_t over = 0;
  team.for_each(count, [&](size_t i) {
    found[i].emplace(part(i));
    const std::scoped_lock lock(mutex);
    ++over;
    if (how.done) how.done(over, count);
  });
  for (std::optional<T>& one : found) out.push_back(*std::move(one));
  return out;
}

/// What process 0 alone does, while the others wait; its InputError is everybody's.
template <typename T>
struct DoneByFirst {
  std::optional<std::string> error{};
  T value{};

  friend void fields(auto& io, DoneByFirst& done) { io(done.error, done.value); }
};
template <typename T, typename Work>
[[nodiscard]] T done_by_first(Crew& crew, const Work& work) {
  DoneByFirst<T> mine;
  if (crew.me() == 0) {
    try {
      mine.value = work();
    } catch (const InputError& error) {
      mine.error = error.what();
    }
  }
  auto done = unpacked<DoneByFirst<T>>(crew.from_first(crew.me() == 0 ? packed(mine) : std::string()));
  if (done.error) throw InputError(*done.error);
  return std::move(done.value);
}

}  // namespace quadrille
