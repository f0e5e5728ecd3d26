#include "quadrille/runtime/thread_each.h"

#include <fmt/format.h>

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/runtime/thread_transport.h"

namespace quadrille {

void thread_each(uint32_t count, std::string_view noun, const std::function<void(uint32_t)>& run,
                 const std::function<void()>& give_up) {
  std::vector<std::exception_ptr> errors(count);
  std::vector<std::thread> threads;
  threads.reserve(count);
  const auto run_one = [&](uint32_t i) {
    try {
      run(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  try {
    for (uint32_t i = 0; i < count; ++i) threads.emplace_back(run_one, i);
  } catch (const std::system_error& error) {  // no more threads
    give_up();
    for (std::thread& thread : threads) thread.join();
    throw InputError(fmt::format("each of the {} {} needs a thread, and the system gives {}: {}", count, noun,
                                 threads.size(), error.code().message()));
  }
  for (std::thread& thread : threads) thread.join();

  // Who was told that somebody has given up is not the cause.
  std::exception_ptr first;
  for (const std::exception_ptr& error : errors) {
    if (!error) continue;
    try {
      std::rethrow_exception(error);
    } catch (const PeerGaveUp&) {
      if (!first) first = error;
    } catch (...) {
      std::rethrow_exception(error);
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace quadrille
