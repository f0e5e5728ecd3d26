// A large array that is read and written in random order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace quadrille {

/// Zeroed memory for `bytes`, on huge pages where the system gives them: an array of 100 MB in pages of 4 KiB
/// costs a page walk at nearly every random access. Throws std::bad_alloc.
[[nodiscard]] void* allocate_large(size_t bytes);
void free_large(void* memory);

/// A fixed number of zero-initialised plain values.
template <typename T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(size_t size) : data_(static_cast<T*>(allocate_large(size * sizeof(T)))), size_(size) {}

  [[nodiscard]] T& operator[](size_t i) { return data_.get()[i]; }
  [[nodiscard]] const T& operator[](size_t i) const { return data_.get()[i]; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* memory) const { free_large(memory); }
  };
  std::unique_ptr<T, Free> data_;
  size_t size_ = 0;
};

}  // namespace quadrille
