// A crew (base/crew/crew.h) of threads: what processes do that share their work, within one test.
#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "quadrille/base/crew/crew.h"

namespace quadrille::testing {

/// Calls run(crew) on so many threads, each with its own place in the crew.
class ThreadCrew {
 public:
  static void run(uint32_t size, const std::function<void(Crew&)>& work, unsigned threads_each = 1) {
    ThreadCrew all(size);
    std::vector<std::thread> threads;
    for (uint32_t me = 0; me < size; ++me) {
      threads.emplace_back([&all, &work, me, threads_each] {
        Member member(all, me, threads_each);
        work(member);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  class Member final : public Crew {
   public:
    Member(ThreadCrew& all, uint32_t me, unsigned threads) : all_(all), me_(me), threads_(threads) {}
    [[nodiscard]] uint32_t size() const override { return static_cast<uint32_t>(all_.said_.size()); }
    [[nodiscard]] uint32_t me() const override { return me_; }
    [[nodiscard]] unsigned threads() const override { return threads_; }
    [[nodiscard]] std::vector<std::string> gather(const std::string& mine) override {
      all_.said_[me_] = mine;
      all_.meeting_.arrive_and_wait();
      std::vector<std::string> out = all_.said_;
      all_.meeting_.arrive_and_wait();
      return out;
    }
    [[nodiscard]] std::string_view from_first(std::string_view mine) override {
      heard_ = gather(std::string(mine)).front();
      return heard_;
    }
    [[nodiscard]] std::vector<std::string> share(size_t count, const std::function<std::string(size_t)>& part,
                                                 const std::function<void(size_t)>& done) override {
      if (me_ == 0) {
        all_.results_.assign(count, "");
        all_.next_ = 0;
      }
      all_.meeting_.arrive_and_wait();
      for (size_t i = all_.next_++; i < count; i = all_.next_++) all_.results_[i] = part(i);
      all_.meeting_.arrive_and_wait();
      if (me_ == 0 && done) done(count);
      std::vector<std::string> out = all_.results_;
      all_.meeting_.arrive_and_wait();
      return out;
    }

   private:
    ThreadCrew& all_;
    uint32_t me_;
    unsigned threads_;
    std::string heard_{};
  };

  explicit ThreadCrew(uint32_t size) : said_(size), meeting_(size) {}

  std::vector<std::string> said_;
  std::vector<std::string> results_;
  std::atomic<size_t> next_{0};
  std::barrier<> meeting_;
};

}  // namespace quadrille::testing
