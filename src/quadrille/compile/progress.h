// Progress: who is told how far long work is.
//
//     class Bar final : public Progress {
//       void made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) override { ... }
//     };
//     Bar bar;
//     compile(problem, {.progress = &bar});
//
// Called from the thread that called compile(), and often: whoever shows something decides how seldom. Nobody
// is told anything after the call has returned or thrown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quadrille {

class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// Work begins, "choosing an algorithm", and is over: one after the other. Some of it never says how far it
  /// is.
  virtual void begin(std::string_view what) { static_cast<void>(what); }
  virtual void end() {}

  /// A search has a plan of so many steps, of which at least `least` are needed. Searches end at Ctrl-C where somebody
  /// calls stop_searches() (base/search_limits.h).
  virtual void found(uint64_t steps, uint64_t least) {
    static_cast<void>(steps);
    static_cast<void>(least);
  }

  /// A search has paths for all blocks, of which the busiest link needs so many steps, and no plan yet.
  virtual void paths_found(uint64_t steps, uint64_t least) {
    static_cast<void>(steps);
    static_cast<void>(least);
  }

  /// So many steps are made and judged, with so many transfers; `of`: how many steps there will be, where
  /// that is known.
  virtual void made(uint64_t steps, std::optional<uint64_t> of, uint64_t transfers) {
    static_cast<void>(steps);
    static_cast<void>(of);
    static_cast<void>(transfers);
  }
};

}  // namespace quadrille
