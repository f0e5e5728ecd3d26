#include "quadrille/base/threads/thread_team.h"

#include <system_error>
#include <utility>

namespace quadrille {

ThreadTeam::~ThreadTeam() {
  over_ = true;
  round_.ring();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::start() {
  started_ = true;
  threads_.reserve(most_);
  try {
    while (threads_.size() + 1 < most_) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // No more to be had: those that are there do it.
  }
}

void ThreadTeam::serve() {
  for (uint32_t heard = 0;;) {
    round_.wait(heard);
    heard = round_.heard();
    if (over_) return;
    if (!enter()) continue;
    take_parts();
    if (inside_.fetch_sub(1) == kClosed + 1) done_.ring();
  }
}

bool ThreadTeam::enter() {
  uint32_t inside = inside_.load();
  while ((inside & kClosed) == 0)
    if (inside_.compare_exchange_weak(inside, inside + 1)) return true;
  return false;
}

void ThreadTeam::take_parts() noexcept {
  try {
    for (size_t part = next_.fetch_add(1); part < count_; part = next_.fetch_add(1)) (*work_)(part);
  } catch (...) {
    next_.store(count_);
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void ThreadTeam::for_each(size_t count, const std::function<void(size_t)>& work) {
  if (!started_) start();
  work_ = &work;
  count_ = count;
  next_.store(0);
  inside_.store(0);
  round_.ring();
  take_parts();
  // Whoever has not come by now need not: to wait for a thread that wakes takes longer than many a job.
  inside_.fetch_or(kClosed);
  while (true) {
    const uint32_t heard = done_.heard();
    if (inside_.load() == kClosed) break;
    done_.wait(heard);
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace quadrille
