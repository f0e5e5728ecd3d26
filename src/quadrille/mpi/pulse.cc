#include "quadrille/mpi/pulse.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace quadrille {
namespace {

constexpr auto kBetweenCounts = std::chrono::milliseconds(250);
constexpr int kCounts = 1;  // a tag

int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

// What the first rank of a machine sends and hears, in its counting thread. Rank 0 is the first of all of them. Messages are rank and
// count in turns: of a machine's ranks to rank 0, of all ranks from it.
class Pulse::Post {
 public:
  Post(MPI_Comm heads, std::vector<int> own) : own_(std::move(own)) {
    MPI_Comm_dup(heads, &heads_);
    me_ = rank_in(heads_);
    sent_.resize(me_ == 0 ? static_cast<size_t>(size_of(heads_)) : 1);
  }
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  ~Post() { MPI_Comm_free(&heads_); }

  void exchange(Count* counts, size_t ranks) {
    hear(counts);
    if (me_ > 0) {
      send(sent_[0], 0, own_, counts);
      return;
    }
    std::vector<int> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    for (size_t head = 1; head < sent_.size(); ++head) send(sent_[head], static_cast<int>(head), all, counts);
  }

  // Nobody sends any more: what is under way is taken in.
  void end(Count* counts) {
    MPI_Request all_have = MPI_REQUEST_NULL;
    bool is_over = false;
    for (bool has_begun = false; !is_over;) {
      hear(counts);
      if (!has_begun && std::all_of(sent_.begin(), sent_.end(), [](Sent& one) { return one.is_over(); })) {
        has_begun = true;
        MPI_Ibarrier(heads_, &all_have);
      }
      int over = 0;
      if (has_begun) MPI_Test(&all_have, &over, MPI_STATUS_IGNORE);
      is_over = over != 0;
      std::this_thread::yield();
    }
  }

 private:
  struct Sent {
    std::vector<uint64_t> words{};
    MPI_Request request = MPI_REQUEST_NULL;

    bool is_over() {
      int over = 0;
      MPI_Test(&request, &over, MPI_STATUS_IGNORE);
      return over != 0;
    }
  };

  void hear(Count* counts) {
    for (int there = 1; there != 0;) {
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kCounts, heads_, &there, &status);
      if (there == 0) continue;
      int size = 0;
      MPI_Get_count(&status, MPI_UINT64_T, &size);
      std::vector<uint64_t> words(static_cast<size_t>(size));
      MPI_Recv(words.data(), size, MPI_UINT64_T, status.MPI_SOURCE, kCounts, heads_, MPI_STATUS_IGNORE);
      for (size_t i = 0; i + 1 < words.size(); i += 2)
        if (std::find(own_.begin(), own_.end(), static_cast<int>(words[i])) == own_.end())
          counts[words[i]].value.store(words[i + 1]);
    }
  }

  // Who has not taken the last ones gets none.
  void send(Sent& last, int head, const std::vector<int>& of, const Count* counts) {
    if (!last.is_over()) return;
    last.words.clear();
    for (const int rank : of) {
      last.words.push_back(static_cast<uint64_t>(rank));
      last.words.push_back(counts[rank].value.load());
    }
    MPI_Isend(last.words.data(), static_cast<int>(last.words.size()), MPI_UINT64_T, head, kCounts, heads_,
              &last.request);
  }

  MPI_Comm heads_ = MPI_COMM_NULL;
  int me_ = 0;
  std::vector<int> own_;
  std::vector<Sent> sent_;
};

Pulse::Pulse(MPI_Comm all, MPI_Comm here, MPI_Comm heads) : all_(all), here_(here) {
  const int rank = rank_in(all);
  const int me = rank_in(here);
  const auto ranks = static_cast<size_t>(size_of(all));
  std::vector<int> own(static_cast<size_t>(size_of(here)));
  MPI_Allgather(&rank, 1, MPI_INT, own.data(), 1, MPI_INT, here);
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  int sees_all = own.size() < ranks && level == MPI_THREAD_MULTIPLE ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &sees_all, 1, MPI_INT, MPI_MIN, all);
  sees_all_ = sees_all != 0;
  me_ = static_cast<size_t>(rank);
  ranks_ = own;
  void* memory = nullptr;
  // One line more, as memory begins where MPI likes.
  MPI_Win_allocate_shared(me == 0 ? static_cast<MPI_Aint>((ranks + 1) * sizeof(Count)) : 0, 1, MPI_INFO_NULL,
                          here, &memory, &window_);
  MPI_Aint bytes = 0;
  int unit = 1;
  MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory);
  const auto place = reinterpret_cast<uintptr_t>(memory);
  // Each rank sees the same line begin there: mappings begin with a page.
  counts_ = reinterpret_cast<Count*>((place + sizeof(Count) - 1) / sizeof(Count) * sizeof(Count));
  for (size_t r = 0; r < ranks && me == 0; ++r) new (&counts_[r]) Count{};
  if (sees_all_) {
    ranks_.resize(ranks);
    std::iota(ranks_.begin(), ranks_.end(), 0);
    if (heads != MPI_COMM_NULL) post_ = std::make_unique<Post>(heads, own);
  }
  MPI_Barrier(here);
  thread_ = std::thread([this] { count_on(); });
}

void Pulse::count_on() {
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, kBetweenCounts, [this] { return is_over_; })) {
    ++counts_[me_].value;
    if (!post_) continue;
    lock.unlock();
    post_->exchange(counts_, ranks_.size());
    lock.lock();
  }
}

Pulse::~Pulse() {
  // Who is done is alive as long as others may wait.
  MPI_Barrier(sees_all_ ? all_ : here_);
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
  if (post_) post_->end(counts_);
  post_.reset();
  MPI_Win_free(&window_);
}

Pulse::Watch::Watch(const Pulse& pulse) : pulse_(pulse), seen_(pulse.ranks_.size()) {}

std::optional<int> Pulse::Watch::lost(std::chrono::milliseconds limit) {
  const Clock::time_point now = Clock::now();
  const Clock::duration since = now - looked_;
  if (since < kBetweenCounts) return std::nullopt;
  looked_ = now;
  for (size_t i = 0; i < seen_.size(); ++i) {
    const auto rank = static_cast<size_t>(pulse_.ranks_[i]);
    if (rank == pulse_.me_) continue;
    const uint64_t count = pulse_.counts_[rank].value.load();
    const bool has_moved = count != seen_[i].count;
    seen_[i].still =
        has_moved ? Clock::duration{} : seen_[i].still + std::min<Clock::duration>(since, 4 * kBetweenCounts);
    seen_[i].count = count;
    if (seen_[i].still > limit) return pulse_.ranks_[i];
  }
  return std::nullopt;
}

}  // namespace quadrille
