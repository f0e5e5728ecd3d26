// A large array that is read and written in random order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace quadrille {

/// Large arrays take memory page by page, as it is first used.
enum class Pages : uint8_t {
  kHuge,   ///< where the system gives them: an array of 100 MB in pages of 4 KiB costs a page walk at nearly
           ///< every random access
  kSmall,  ///< for an array of which little may ever be used
};

/// Zeroed memory for `bytes`. Throws MemoryRefused (memory_limit.h).
[[nodiscard]] void* allocate_large(size_t bytes, Pages pages = Pages::kHuge);
/// `bytes`: what was asked for.
void free_large(void* memory, size_t bytes);

/// A fixed number of zero-initialised plain values.
template <typename T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(size_t size, Pages pages = Pages::kHuge)
      : data_(static_cast<T*>(allocate_large(size * sizeof(T), pages)), Free{size * sizeof(T)}),
        size_(size) {}

  [[nodiscard]] T& operator[](size_t i) { return data_.get()[i]; }
  [[nodiscard]] const T& operator[](size_t i) const { return data_.get()[i]; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] size_t size() const { return size_; }

 private:
  struct Free {
    size_t bytes = 0;
    void operator()(T* memory) const { free_large(memory, bytes); }
  };
  std::unique_ptr<T, Free> data_;
  size_t size_ = 0;
};

}  // namespace quadrille
