#include "quadrille/mpi/mpi_crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "quadrille/base/crew/packing.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/mpi/agreement.h"

namespace quadrille {

using Clock = std::chrono::steady_clock;

namespace {

constexpr uint64_t kMost = uint64_t{1} << 30U;  // MPI counts with an int
constexpr auto kBetweenLooks = std::chrono::microseconds(300);
constexpr auto kLongestNap = std::chrono::milliseconds(5);
// Of ranks that are told something by one of them, which they all come for at about the same time.
constexpr auto kSoon = std::chrono::milliseconds(20);
constexpr uint64_t kLeastRoom = uint64_t{1} << 16U;
constexpr auto kBeat = std::chrono::seconds(1);
// Whoever has not come to what all do together after somebody has ended.
constexpr auto kNeverComes = std::chrono::seconds(10);
// Of those who wait for ranks that have something of their own to do.
constexpr auto kFirstNote = std::chrono::seconds(30);

// From rank 0: the next part, or that there is none. To it: that the sender has come to the job, what came of a part, that it
// is still there, what it says to all, how it ended.
enum Tag : int { kPart = 1, kOver, kAsks, kResult, kIsThere, kSaid, kEnded };

// Between looks at what others have sent. Who works is in the way of nobody who waits for long: the longer, the fewer looks.
class Patience {
 public:
  /// `awake`: so long others are only let past. A long message comes in many parts, each of which needs a look.
  explicit Patience(Clock::duration awake = std::chrono::milliseconds(1)) : awake_(begin_ + awake) {}

  void rest() const {
    const Clock::time_point now = Clock::now();
    if (now < awake_) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(
          std::clamp<Clock::duration>((now - begin_) / 64, kBetweenLooks, kLongestNap));
    }
  }

 private:
  Clock::time_point begin_ = Clock::now();
  Clock::time_point awake_;
};

void nap() { std::this_thread::sleep_for(kBetweenLooks); }

void wait_for(MPI_Request& request, const Patience& patience = Patience()) {
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0;)
    patience.rest();
}

// Long texts go in several messages, which come in their order.
void send_text(const std::string& text, int to, int tag, MPI_Comm comm) {
  uint64_t size = text.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&size, 1, MPI_UINT64_T, to, tag, comm, &request);
  wait_for(request);
  for (uint64_t at = 0; at < size; at += kMost) {
    MPI_Isend(text.data() + at, static_cast<int>(std::min(kMost, size - at)), MPI_BYTE, to, tag, comm,
              &request);
    wait_for(request);
  }
}

std::string receive_text(int from, int tag, MPI_Comm comm) {
  uint64_t size = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&size, 1, MPI_UINT64_T, from, tag, comm, &request);
  wait_for(request);
  std::string text(size, '\0');
  for (uint64_t at = 0; at < size; at += kMost) {
    MPI_Irecv(text.data() + at, static_cast<int>(std::min(kMost, size - at)), MPI_BYTE, from, tag, comm,
              &request);
    wait_for(request);
  }
  return text;
}

// A message that has come, if there is one.
std::optional<MPI_Status> there_is(int from, int tag, MPI_Comm comm) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(from, tag, comm, &there, &status);
  return there != 0 ? std::optional(status) : std::nullopt;
}

// How a rank ended.
struct End {
  int status = 0;
  std::string words{};

  friend void fields(auto& io, End& end) { io(end.status, end.words); }
};

}  // namespace

// What came of a part: bytes, or the words of an error.
struct MpiCrew::Outcome {
  enum class Kind : uint8_t { kBytes, kBadInput, kOurBug };

  uint64_t part = 0;
  Kind kind = Kind::kBytes;
  std::string bytes{};

  friend void fields(auto& io, Outcome& outcome) { io(outcome.part, outcome.kind, outcome.bytes); }

  static Outcome of(size_t part, const std::function<std::string(size_t)>& work) {
    try {
      return {part, Kind::kBytes, work(part)};
    } catch (const InputError& error) {
      return {part, Kind::kBadInput, error.what()};
    } catch (const std::bad_alloc& refused) {
      return {part, Kind::kBadInput, out_of_memory_text(refused)};
    } catch (const std::exception& error) {
      return {part, Kind::kOurBug, error.what()};
    }
  }
  void rethrow() const {
    if (kind == Kind::kBadInput) throw InputError(bytes);
    if (kind == Kind::kOurBug) throw std::runtime_error(bytes);
  }
};

// The thread that does the parts, one at a time.
class MpiCrew::Hand {
 public:
  explicit Hand(const std::function<std::string(size_t)>& work) : work_(work), thread_([this] { serve(); }) {}
  ~Hand() {
    begin(kEnd);
    thread_.join();
  }
  Hand(const Hand&) = delete;
  Hand& operator=(const Hand&) = delete;

  [[nodiscard]] bool is_idle() const { return part_.load() == kNone; }
  /// It is idle.
  void begin(uint64_t part) {
    part_.store(part);
    part_.notify_one();
  }
  /// What came of the last part, once.
  std::optional<Outcome> take() {
    if (!is_done_.exchange(false)) return std::nullopt;
    Outcome out = std::move(outcome_);
    part_.store(kNone);
    return out;
  }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  static constexpr uint64_t kEnd = UINT64_MAX - 1;

  void serve() {
    uint64_t before = kNone;
    while (true) {
      part_.wait(before);
      const uint64_t part = part_.load();
      if (part == kEnd) return;
      before = part;
      if (part == kNone) continue;
      outcome_ = Outcome::of(part, work_);
      is_done_.store(true);
    }
  }

  const std::function<std::string(size_t)>& work_;
  std::atomic<uint64_t> part_{kNone};
  std::atomic<bool> is_done_{false};
  Outcome outcome_{};
  std::thread thread_;
};

// Rank 0: who has which part, and what came of them.
class MpiCrew::Dealer {
 public:
  Dealer(const MpiCrew& crew, size_t count)
      : crew_(crew), comm_(crew.all_), count_(count), of_rank_(crew.size_), outcomes_(count) {}

  std::vector<Outcome> deal(Hand& own, const std::function<void(size_t)>& done) {
    size_t said = 0;
    while (over_ < count_) {
      if (own.is_idle() && next_ < count_) own.begin(next_++);
      if (std::optional<Outcome> mine = own.take()) enter(*std::move(mine));
      hear();
      if (over_ != said && done) done(over_);
      said = over_;
      if (over_ < count_) nap();
    }
    for (int rank = 1; rank < static_cast<int>(of_rank_.size()); ++rank) {
      if (!of_rank_[static_cast<size_t>(rank)].has_asked) take_empty(rank, kAsks);
      MPI_Send(nullptr, 0, MPI_BYTE, rank, kOver, comm_);
    }
    return std::move(outcomes_);
  }

 private:
  struct Worker {
    std::optional<uint64_t> part{};
    Clock::time_point heard = Clock::now();
    bool has_asked = false;
  };

  void enter(Outcome outcome) {
    const uint64_t part = outcome.part;
    outcomes_[part] = std::move(outcome);
    ++over_;
  }

  void take_empty(int rank, int tag) {
    crew_.await(rank, tag);
    MPI_Recv(nullptr, 0, MPI_BYTE, rank, tag, comm_, MPI_STATUS_IGNORE);
  }

  void hear() {
    crew_.stop_if_one_has_ended();
    while (const std::optional<MPI_Status> status = there_is(MPI_ANY_SOURCE, kAsks, comm_)) {
      take_empty(status->MPI_SOURCE, kAsks);
      of_rank_[static_cast<size_t>(status->MPI_SOURCE)].has_asked = true;
      give(status->MPI_SOURCE);
    }
    while (const std::optional<MPI_Status> status = there_is(MPI_ANY_SOURCE, kResult, comm_)) {
      enter(unpacked<Outcome>(receive_text(status->MPI_SOURCE, kResult, comm_)));
      give(status->MPI_SOURCE);
    }
    while (const std::optional<MPI_Status> status = there_is(MPI_ANY_SOURCE, kIsThere, comm_)) {
      take_empty(status->MPI_SOURCE, kIsThere);
      of_rank_[static_cast<size_t>(status->MPI_SOURCE)].heard = Clock::now();
    }
    for (size_t rank = 1; rank < of_rank_.size(); ++rank) {
      const Worker& worker = of_rank_[rank];
      if (worker.part && Clock::now() - worker.heard > crew_.silence_) lose(rank);
    }
  }

  void give(int rank) {
    Worker& worker = of_rank_[static_cast<size_t>(rank)];
    worker.part.reset();
    if (next_ == count_) return;
    worker.heard = Clock::now();
    worker.part = next_++;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(&*worker.part, 1, MPI_UINT64_T, rank, kPart, comm_, &request);
    wait_for(request);
  }

  [[noreturn]] void lose(size_t rank) const {
    say_and_end_all(
        fmt::format(
            "error: rank {} has not been heard of for {} s, while it was working on part {} of {}; {} were "
            "done. All ranks stop (QUADRILLE_TIMEOUT is how many seconds a rank may be silent)",
            rank, std::chrono::duration_cast<std::chrono::seconds>(crew_.silence_).count(),
            *of_rank_[rank].part + 1, count_, over_),
        kBadInput);
  }

  const MpiCrew& crew_;
  MPI_Comm comm_;
  size_t count_;
  std::vector<Worker> of_rank_;
  std::vector<Outcome> outcomes_;
  size_t next_ = 0;
  size_t over_ = 0;
};

MpiCrew::MpiCrew(std::chrono::milliseconds silence) : silence_(silence) {
  MPI_Comm_dup(MPI_COMM_WORLD, &all_);
  size_ = static_cast<uint32_t>(num_ranks());
  me_ = static_cast<uint32_t>(my_rank());
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here_);
  int ranks_here = 1;
  int first_here = 0;
  MPI_Comm_size(here_, &ranks_here);
  MPI_Comm_rank(here_, &first_here);
  MPI_Comm_split(MPI_COMM_WORLD, first_here == 0 ? 0 : MPI_UNDEFINED, 0, &heads_);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  threads_ = std::max(1U, cores / static_cast<unsigned>(ranks_here));
  machines_ = first_here == 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &machines_, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD);
  pulse_ = std::make_unique<Pulse>(all_, here_, heads_);
}

MpiCrew::~MpiCrew() {
  pulse_.reset();
  if (window_ != MPI_WIN_NULL) {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  if (heads_ != MPI_COMM_NULL) MPI_Comm_free(&heads_);
  MPI_Comm_free(&here_);
  MPI_Comm_free(&all_);
}

// All ask for the same; what was there is gone.
void MpiCrew::keep_room(uint64_t bytes) {
  if (bytes <= room_) return;
  if (window_ != MPI_WIN_NULL) {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  room_ = std::max(kLeastRoom, std::bit_ceil(bytes));
  int me_here = 0;
  MPI_Comm_rank(here_, &me_here);
  void* own = nullptr;
  MPI_Win_allocate_shared(me_here == 0 ? static_cast<MPI_Aint>(room_) : 0, 1, MPI_INFO_NULL, here_, &own,
                          &window_);
  MPI_Aint size = 0;
  int unit = 1;
  MPI_Win_shared_query(window_, 0, &size, &unit, &said_);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
}

// A rank that counts no more while this one waits. The first that waits says it.
void MpiCrew::stop_if_lost(Pulse::Watch& watch, bool only_first) const {
  constexpr auto kLater = std::chrono::milliseconds(500);
  constexpr uint32_t kMostLater = 4;
  const std::optional<int> lost = watch.lost(silence_ + kLater * std::min(me_, kMostLater));
  if (!lost || (only_first && *lost != 0)) return;
  say_and_end_all(
      fmt::format("error: rank {} has not been heard of for {} s, while others wait for it. All ranks stop "
                  "(QUADRILLE_TIMEOUT is how many seconds a rank may be silent)",
                  *lost, std::chrono::duration_cast<std::chrono::seconds>(silence_).count()),
      kBadInput);
}

// What all ranks do together, and come to at about the same time.
void MpiCrew::complete(MPI_Request& request) const {
  const Patience patience(kSoon);
  Pulse::Watch watch(*pulse_);
  const Clock::time_point begin = Clock::now();
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0;) {
    patience.rest();
    stop_if_lost(watch);
    // Who has ended has been here, or never comes: then this lasts.
    if (me_ == 0 && Clock::now() - begin > kNeverComes) stop_if_one_has_ended();
  }
}

std::string_view MpiCrew::from_first(std::string_view mine) {
  // Whoever has come reads no more of what was there before.
  uint64_t size = me_ == 0 ? mine.size() : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, &size, 1, MPI_UINT64_T, MPI_MAX, all_, &request);
  complete(request);
  if (size == 0) return {};
  keep_room(size);
  if (me_ == 0) mine.copy(said_, size);
  for (uint64_t at = 0; at < size && heads_ != MPI_COMM_NULL && machines_ > 1; at += kMost) {
    MPI_Ibcast(said_ + at, static_cast<int>(std::min(kMost, size - at)), MPI_BYTE, 0, heads_, &request);
    complete(request);
  }
  MPI_Win_sync(window_);
  MPI_Ibarrier(here_, &request);
  complete(request);
  MPI_Win_sync(window_);
  return {said_, size};
}

std::string MpiCrew::from_rank_0(std::string text) const {
  uint64_t size = text.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, all_, &request);
  complete(request);
  text.resize(size);
  for (uint64_t at = 0; at < size; at += kMost) {
    MPI_Ibcast(text.data() + at, static_cast<int>(std::min(kMost, size - at)), MPI_BYTE, 0, all_, &request);
    complete(request);
  }
  return text;
}

void MpiCrew::stop_if_one_has_ended() const {
  const std::optional<MPI_Status> status = there_is(MPI_ANY_SOURCE, kEnded, all_);
  if (!status) return;
  const End end = unpacked<End>(receive_text(status->MPI_SOURCE, kEnded, all_));
  say_and_end_all(
      fmt::format("error: rank {} has stopped while others wait for it: {}", status->MPI_SOURCE, end.words),
      end.status == kRight ? kOurBug : end.status);
}

// Until there is such a message. Nobody need be heard of before its own work is done; but somebody may never come.
void MpiCrew::await(int rank, int tag) const {
  auto patience = std::chrono::duration_cast<std::chrono::seconds>(kFirstNote);
  const Clock::time_point begin = Clock::now();
  const Patience between;
  Pulse::Watch watch(*pulse_);
  while (!there_is(rank, tag, all_)) {
    if (tag != kEnded) stop_if_one_has_ended();
    stop_if_lost(watch);
    between.rest();
    if (Clock::now() < begin + patience) continue;
    std::cerr << fmt::format("note: waiting for rank {} for {} s\n", rank, patience.count());
    patience *= 2;
  }
}

int MpiCrew::end(int status, const std::string& words) {
  if (me_ > 0) {
    send_text(packed(End{status, words}), 0, kEnded, all_);
    return status;
  }
  int most = status;
  // Who could not go on leaves the others to wait for it.
  const Clock::time_point patience = Clock::now() + 2 * kBeat;
  if (status != kRight) {
    const auto has_ended = [&](int rank) { return there_is(rank, kEnded, all_).has_value(); };
    for (int rank = 1; rank < static_cast<int>(size_); ++rank) {
      while (!has_ended(rank) && Clock::now() < patience) nap();
      if (!has_ended(rank)) say_and_end_all({}, status);
    }
  }
  for (int rank = 1; rank < static_cast<int>(size_); ++rank) {
    await(rank, kEnded);
    const End there = unpacked<End>(receive_text(rank, kEnded, all_));
    if (there.status != kRight && there.status != status)
      std::cerr << fmt::format("error: rank {} came to another end than rank 0: {}\n", rank, there.words);
    most = std::max(most, there.status);
  }
  return most;
}

std::vector<std::string> MpiCrew::gather(const std::string& mine) {
  std::vector<std::string> all(size_);
  if (me_ > 0) {
    send_text(mine, 0, kSaid, all_);
  } else {
    all[0] = mine;
    for (uint32_t rank = 1; rank < size_; ++rank) {
      await(static_cast<int>(rank), kSaid);
      all[rank] = receive_text(static_cast<int>(rank), kSaid, all_);
    }
  }
  return unpacked<std::vector<std::string>>(from_rank_0(me_ == 0 ? packed(all) : std::string()));
}

void MpiCrew::serve(const std::function<std::string(size_t)>& part) {
  Hand hand(part);
  const auto say = [this](int tag) { MPI_Send(nullptr, 0, MPI_BYTE, 0, tag, all_); };
  say(kAsks);
  Clock::time_point next = Clock::now() + kBeat;
  Pulse::Watch watch(*pulse_);
  while (true) {
    stop_if_lost(watch, true);  // rank 0 knows what the others work on
    if (const std::optional<Outcome> done = hand.take()) send_text(packed(*done), 0, kResult, all_);
    if (there_is(0, kPart, all_)) {
      uint64_t given = 0;
      MPI_Recv(&given, 1, MPI_UINT64_T, 0, kPart, all_, MPI_STATUS_IGNORE);
      hand.begin(given);
    }
    if (there_is(0, kOver, all_)) {
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, kOver, all_, MPI_STATUS_IGNORE);
      return;
    }
    if (!hand.is_idle() && Clock::now() >= next) {
      say(kIsThere);
      next = Clock::now() + kBeat;
    }
    nap();
  }
}

std::vector<std::string> MpiCrew::share(size_t count, const std::function<std::string(size_t)>& part,
                                        const std::function<void(size_t)>& done) {
  std::vector<Outcome> outcomes;
  if (me_ > 0) {
    serve(part);
  } else {
    Hand own(part);
    outcomes = Dealer(*this, count).deal(own, done);
  }
  outcomes = unpacked<std::vector<Outcome>>(from_rank_0(packed(outcomes)));
  std::vector<std::string> out;
  out.reserve(count);
  for (Outcome& one : outcomes) {
    one.rethrow();
    out.push_back(std::move(one.bytes));
  }
  return out;
}

}  // namespace quadrille
