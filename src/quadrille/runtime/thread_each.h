// A thread for each of many ranks or nodes, and the error that was the cause where some of them fail.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace quadrille {

/// Calls run(i) for every i below `count`, each on a thread of its own, and returns when all have ended. Where
/// some throw, throws what one of them threw: PeerGaveUp only if there is nothing else. Who throws has let the
/// others know before. Where the system gives too few threads, calls give_up() for those that were started and
/// throws InputError; `noun` says in it what needs them ("ranks").
void thread_each(uint32_t count, std::string_view noun, const std::function<void(uint32_t)>& run,
                 const std::function<void()>& give_up);

}  // namespace quadrille
