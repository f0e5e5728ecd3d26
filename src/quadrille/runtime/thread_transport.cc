#include "quadrille/runtime/thread_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <vector>

#include "quadrille/base/check.h"
#include "quadrille/base/threads/bell.h"
#include "quadrille/runtime/thread_each.h"

namespace quadrille {
namespace {

enum class PostState : uint32_t { kPosted, kCopying, kDone, kWithdrawn };

// A send, as its receiver sees it. Lives in the sender's operations until it is done.
struct Post {
  Rank sender{0};
  std::span<const ConstBytes> from;
  std::atomic<PostState> state{PostState::kPosted};
  Post* next = nullptr;  // in the receiver's inbox
};

// A send or receive of one rank.
struct Operation {
  bool is_send = false;
  Post post;  // of a send
  // Of a receive: the ordinal-th from that rank.
  Rank from{0};
  uint64_t ordinal = 0;
  std::span<const Bytes> into;
  const Reduction* reduction = nullptr;
};

// The posts of one sender to one receiver, in order. Only the receiver sees it.
struct Inlet {
  uint64_t receives = 0;  // started so far
  uint64_t first = 0;     // ordinal of posts[0]
  size_t taken = 0;       // how many of posts have been received: they are null
  std::vector<Post*> posts;
};

void copy_ranges(std::span<const ConstBytes> from, std::span<const Bytes> into, const Reduction* reduction) {
  QUADRILLE_CHECK(total_bytes(from) == total_bytes(into),
                  fmt::format("{} bytes are sent and {} received", total_bytes(from), total_bytes(into)));
  size_t f = 0;
  size_t i = 0;
  ConstBytes source;
  Bytes target;
  while (true) {
    while (source.empty() && f < from.size()) source = from[f++];
    while (target.empty() && i < into.size()) target = into[i++];
    const size_t bytes = std::min(source.size(), target.size());
    if (bytes == 0) return;
    if (reduction != nullptr) {
      reduction->apply(target.data(), source.data(), bytes);
    } else {
      std::memcpy(target.data(), source.data(), bytes);
    }
    source = source.subspan(bytes);
    target = target.subspan(bytes);
  }
}

}  // namespace

class ThreadHub::Shared {
 public:
  // What others see of a rank, apart from each other in memory.
  struct alignas(64) Desk {
    std::atomic<Post*> inbox{nullptr};  // newest first
    Bell bell;
  };

  explicit Shared(uint32_t num_ranks) : desks(num_ranks), operations(num_ranks) {}

  void give_up() {
    gave_up.store(true);
    for (Desk& desk : desks) desk.bell.ring();
  }

  std::vector<Desk> desks;
  std::vector<std::deque<Operation>> operations;  // per rank; here, so that posts outlive their transports
  std::atomic<bool> gave_up{false};
};

namespace {

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(ThreadHub::Shared& hub, Rank rank)
      : hub_(hub), rank_(rank), operations_(hub.operations[index(rank)]), inlets_(hub.desks.size()) {}

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] uint32_t num_ranks() const override { return static_cast<uint32_t>(hub_.desks.size()); }

  Request start_send(Rank to, std::span<const ConstBytes> from) override {
    const Request request = new_request();
    Operation& operation = operations_[index(request)];
    operation.is_send = true;
    Post& post = operation.post;
    post.sender = rank_;
    post.from = from;
    post.state.store(PostState::kPosted, std::memory_order_relaxed);
    ThreadHub::Shared::Desk& desk = hub_.desks[index(to)];
    post.next = desk.inbox.load(std::memory_order_relaxed);
    while (!desk.inbox.compare_exchange_weak(post.next, &post, std::memory_order_release,
                                             std::memory_order_relaxed)) {
    }
    desk.bell.ring();
    return request;
  }

  Request start_receive(Rank from, std::span<const Bytes> into, const Reduction* reduction) override {
    const Request request = new_request();
    Operation& operation = operations_[index(request)];
    operation.is_send = false;
    operation.from = from;
    operation.ordinal = inlets_[index(from)].receives++;
    operation.into = into;
    operation.reduction = reduction;
    return request;
  }

  void wait(std::span<const Request> requests) override {
    pending_.assign(requests.begin(), requests.end());
    Bell& bell = hub_.desks[index(rank_)].bell;
    while (true) {
      const uint32_t heard = bell.heard();
      empty_inbox();
      const size_t before = pending_.size();
      // Reductions are done in the order of the list, whoever comes first: their result has the same bits every time.
      bool reduces = true;
      std::erase_if(pending_, [&](Request request) {
        const bool in_order = operations_[index(request)].reduction != nullptr;
        if (in_order && !reduces) return false;
        const bool done = try_complete(request);
        if (in_order) reduces = done;
        return done;
      });
      if (pending_.empty()) return;
      if (hub_.gave_up.load()) throw PeerGaveUp();
      if (pending_.size() == before) bell.wait(heard);
    }
  }

  void give_up() noexcept override {
    hub_.give_up();
    Bell& bell = hub_.desks[index(rank_)].bell;
    for (Operation& operation : operations_) {
      PostState state = PostState::kPosted;
      if (!operation.is_send || operation.post.state.compare_exchange_strong(state, PostState::kWithdrawn))
        continue;
      while (true) {  // somebody may be copying from it
        const uint32_t heard = bell.heard();
        if (operation.post.state.load(std::memory_order_acquire) != PostState::kCopying) break;
        bell.wait(heard);
      }
    }
  }

 private:
  Request new_request() {
    if (free_.empty()) {
      operations_.emplace_back();
      return id_at<Request>(operations_.size() - 1);
    }
    const Request request = free_.back();
    free_.pop_back();
    return request;
  }

  // Files what has been posted, oldest first, under its senders.
  void empty_inbox() {
    Post* newest = hub_.desks[index(rank_)].inbox.exchange(nullptr, std::memory_order_acquire);
    Post* oldest = nullptr;
    while (newest != nullptr) {
      Post* const next = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = next;
    }
    for (Post* post = oldest; post != nullptr; post = post->next)
      inlets_[index(post->sender)].posts.push_back(post);
  }

  bool try_complete(Request request) {
    Operation& operation = operations_[index(request)];
    if (operation.is_send) {
      if (operation.post.state.load(std::memory_order_acquire) != PostState::kDone) return false;
    } else if (!try_receive(operation)) {
      return false;
    }
    free_.push_back(request);
    return true;
  }

  bool try_receive(const Operation& operation) {
    Inlet& inlet = inlets_[index(operation.from)];
    const uint64_t position = operation.ordinal - inlet.first;
    if (position >= inlet.posts.size()) return false;
    Post& post = *inlet.posts[position];
    PostState state = PostState::kPosted;
    if (!post.state.compare_exchange_strong(state, PostState::kCopying, std::memory_order_acquire))
      throw PeerGaveUp();
    try {
      copy_ranges(post.from, operation.into, operation.reduction);
    } catch (...) {
      finish(post);
      throw;
    }
    inlet.posts[position] = nullptr;
    if (++inlet.taken == inlet.posts.size()) {
      inlet.first += inlet.taken;
      inlet.taken = 0;
      inlet.posts.clear();
    }
    finish(post);
    return true;
  }

  // The sender may use the post again as soon as it is done.
  void finish(Post& post) {
    ThreadHub::Shared::Desk& desk = hub_.desks[index(post.sender)];
    post.state.store(PostState::kDone, std::memory_order_release);
    desk.bell.ring();
  }

  ThreadHub::Shared& hub_;
  Rank rank_;
  std::deque<Operation>& operations_;
  std::vector<Request> free_;
  std::vector<Inlet> inlets_;  // per sender
  std::vector<Request> pending_;
};

}  // namespace

ThreadHub::ThreadHub(uint32_t num_ranks) : shared_(std::make_unique<Shared>(num_ranks)) {}
ThreadHub::~ThreadHub() = default;

std::unique_ptr<Transport> ThreadHub::transport(Rank rank) {
  return std::make_unique<ThreadTransport>(*shared_, rank);
}

void ThreadHub::give_up() noexcept { shared_->give_up(); }

void run_threads(uint32_t num_ranks, const std::function<void(Transport&)>& run_rank) {
  ThreadHub hub(num_ranks);
  const auto run_one = [&](uint32_t r) {
    const std::unique_ptr<Transport> transport = hub.transport(Rank{r});
    try {
      run_rank(*transport);
    } catch (...) {
      transport->give_up();
      throw;
    }
  };
  thread_each(num_ranks, "ranks", run_one, [&] { hub.give_up(); });
}

}  // namespace quadrille
