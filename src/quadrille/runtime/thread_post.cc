#include "quadrille/runtime/thread_post.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "quadrille/base/threads/bell.h"
#include "quadrille/runtime/thread_each.h"
#include "quadrille/runtime/thread_transport.h"

namespace quadrille {
namespace {

// What others see of a node, apart from each other in memory.
struct alignas(64) Inbox {
  std::atomic<Letter*> newest{nullptr};
  Bell bell;
};

struct PostOffice {
  explicit PostOffice(uint32_t num_nodes) : inboxes(num_nodes) {}
  PostOffice(const PostOffice&) = delete;
  PostOffice& operator=(const PostOffice&) = delete;
  ~PostOffice() {
    for (Inbox& inbox : inboxes) {
      for (Letter* letter = inbox.newest.load(); letter != nullptr;) {
        Letter* const next = letter->next;
        Letter::Delete()(letter);
        letter = next;
      }
    }
  }

  void give_up() {
    gave_up.store(true);
    for (Inbox& inbox : inboxes) inbox.bell.ring();
    round.ring();
  }

  std::vector<Inbox> inboxes;
  std::atomic<bool> gave_up{false};
  // The meeting that is under way.
  std::atomic<uint32_t> arrived{0};
  Bell round;
};

class ThreadPost final : public NodePost {
 public:
  ThreadPost(PostOffice& office, NodeId self) : office_(office), self_(self) {}

  [[nodiscard]] NodeId self() const override { return self_; }

  void send(NodeId to, Letter::Ptr letter) override {
    letter->from = self_;
    letter->held = 0;
    Inbox& inbox = office_.inboxes[index(to)];
    Letter* const sent = letter.release();
    sent->next = inbox.newest.load(std::memory_order_relaxed);
    while (!inbox.newest.compare_exchange_weak(sent->next, sent, std::memory_order_release,
                                               std::memory_order_relaxed)) {
    }
    inbox.bell.ring();
  }

  Letter::Ptr receive(NodeId from) override {
    Bell& bell = office_.inboxes[index(self_)].bell;
    while (true) {
      if (Letter::Ptr letter = take(from)) return letter;
      const uint32_t heard = bell.heard();
      if (empty_inbox()) continue;
      if (office_.gave_up.load()) throw PeerGaveUp();
      bell.wait(heard);
    }
  }

  void meet() override {
    const uint32_t round = office_.round.heard();
    if (office_.arrived.fetch_add(1) + 1 == office_.inboxes.size()) {
      office_.arrived.store(0);
      office_.round.ring();
    }
    while (!office_.gave_up.load() && office_.round.heard() == round) office_.round.wait(round);
    if (office_.gave_up.load()) throw PeerGaveUp();
  }

  void give_up() noexcept override { office_.give_up(); }

 private:
  // Of what has come: few letters, since who sends waits for answers.
  Letter::Ptr take(NodeId from) {
    const auto found = from == kAnyone
                           ? waiting_.begin()
                           : std::find_if(waiting_.begin(), waiting_.end(),
                                          [from](const Letter::Ptr& l) { return l->from == from; });
    if (found == waiting_.end()) return nullptr;
    Letter::Ptr letter = std::move(*found);
    waiting_.erase(found);
    return letter;
  }

  // In the order in which they came. Whether there were any.
  bool empty_inbox() {
    Letter* newest = office_.inboxes[index(self_)].newest.exchange(nullptr, std::memory_order_acquire);
    const size_t before = waiting_.size();
    for (; newest != nullptr; newest = newest->next) waiting_.emplace_back(newest);
    std::reverse(waiting_.begin() + static_cast<ptrdiff_t>(before), waiting_.end());
    return waiting_.size() > before;
  }

  PostOffice& office_;
  NodeId self_;
  std::vector<Letter::Ptr> waiting_;
};

}  // namespace

void run_nodes(uint32_t num_nodes, const std::function<void(NodePost&)>& run_node) {
  PostOffice office(num_nodes);
  const auto run_one = [&](uint32_t v) {
    ThreadPost post(office, NodeId{v});
    try {
      run_node(post);
    } catch (...) {
      office.give_up();
      throw;
    }
  };
  thread_each(num_nodes, "nodes", run_one, [&] { office.give_up(); });
}

}  // namespace quadrille
