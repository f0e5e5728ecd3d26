// Packing: values as bytes, for another process of the same program.
//
//     struct Trial { std::string name; uint64_t steps; std::optional<double> time; };
//     void fields(auto& io, Trial& trial) { io(trial.name, trial.steps, trial.time); }   // both ways
//
//     const std::string bytes = packed(trial);
//     const Trial same = unpacked<Trial>(bytes);
//
// Not a file format: the processes are of one build, on machines of one kind.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille {

template <typename T>
concept PlainValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Packer {
 public:
  static constexpr bool kReads = false;

  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  void put(const T& value) {
    if constexpr (PlainValue<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      fields(*this,
             const_cast<T&>(value));  // NOLINT(cppcoreguidelines-pro-type-const-cast): it is not changed
    }
  }
  void put(const std::string& text) {
    put(uint64_t{text.size()});
    bytes_ += text;
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(uint64_t{values.size()});
    if constexpr (PlainValue<T> && !std::is_same_v<T, bool>) {
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    } else {
      for (const T& value : values) put(value);
    }
  }

  std::string bytes_;
};

class Unpacker {
 public:
  static constexpr bool kReads = true;

  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  [[nodiscard]] bool is_over() const { return bytes_.empty(); }

 private:
  std::string_view some(uint64_t size) {
    QUADRILLE_CHECK(size <= bytes_.size(), "packed by another build");
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return out;
  }
  template <typename T>
  void get(T& value) {
    if constexpr (PlainValue<T>) {
      std::memcpy(&value, some(sizeof value).data(), sizeof value);
    } else {
      fields(*this, value);
    }
  }
  uint64_t size() {
    uint64_t out = 0;
    get(out);
    return out;
  }
  void get(std::string& text) { text = some(size()); }
  template <typename T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (!there) return;
    T inside{};
    get(inside);
    value = std::move(inside);
  }
  template <typename T>
  void get(std::vector<T>& values) {
    values.clear();
    const uint64_t count = size();
    if constexpr (PlainValue<T> && !std::is_same_v<T, bool>) {
      QUADRILLE_CHECK(count <= bytes_.size() / sizeof(T), "packed by another build");
      values.resize(count);
      if (count > 0) std::memcpy(values.data(), some(count * sizeof(T)).data(), count * sizeof(T));
    } else {
      for (uint64_t left = count; left > 0; --left) get(values.emplace_back());
    }
  }

  std::string_view bytes_;
};

template <typename T>
[[nodiscard]] std::string packed(const T& value) {
  Packer packer;
  packer(value);
  return packer.take();
}

template <std::default_initializable T>
[[nodiscard]] T unpacked(std::string_view bytes) {
  T out{};
  Unpacker unpacker(bytes);
  unpacker(out);
  QUADRILLE_CHECK(unpacker.is_over(), "packed by another build");
  return out;
}

}  // namespace quadrille
