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
  for (uint32_t round = 0;; ++round) {
    round_.wait(round);
    if (over_) return;
    take_parts();
    if (busy_.fetch_sub(1) == 1) done_.ring();
  }
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
  busy_.store(static_cast<uint32_t>(threads_.size()));
  round_.ring();
  take_parts();
  // Everybody looks at every job, so that none is still there when the next begins.
  while (true) {
    const uint32_t heard = done_.heard();
    if (busy_.load() == 0) break;
    done_.wait(heard);
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace quadrille
