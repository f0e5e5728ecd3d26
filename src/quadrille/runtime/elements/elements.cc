#include "quadrille/runtime/elements/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

using Op = ElementOperator;

constexpr std::array<std::string_view, 12> kTypeWords = {"int8",  "int16",    "int32",  "int64",
                                                         "uint8", "uint16",   "uint32", "uint64",
                                                         "half",  "bfloat16", "float",  "double"};
constexpr std::array<std::string_view, 11> kOpWords = {"sum",  "prod", "min", "max",  "band",   "bor",
                                                       "bxor", "land", "lor", "lxor", "compose"};

// --- numbers of sixteen bits ----------------------------------------------------------------------------

// The upper half of a float, rounded to even.
struct Bfloat16 {
  uint16_t bits;
  explicit operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16U); }
  static Bfloat16 of(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return {static_cast<uint16_t>((word >> 16U) | 0x40U)};
    return {static_cast<uint16_t>((word + 0x7FFFU + (word >> 16U & 1U)) >> 16U)};
  }
};

// Five bits of exponent, ten of fraction.
struct Half {
  uint16_t bits;
  explicit operator float() const {
    const uint32_t sign = uint32_t{bits & 0x8000U} << 16U;
    const uint32_t exponent = bits >> 10U & 0x1FU;
    const uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13U);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23U | fraction << 13U);
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -small : small;
  }
  static Half of(float value) {
    const auto word = std::bit_cast<uint32_t>(value);
    const uint32_t sign = word >> 16U & 0x8000U;
    const uint32_t size = word & 0x7FFFFFFFU;
    if (size > 0x7F800000U) return {static_cast<uint16_t>(sign | 0x7E00U)};
    if (size >= 0x477FF000U) return {static_cast<uint16_t>(sign | 0x7C00U)};  // from 65520 on: infinity
    if (size < 0x38800000U) {  // below the smallest normal number: so many of 2^-24
      const float units = std::nearbyint(std::bit_cast<float>(size) * 0x1p24F);
      return {static_cast<uint16_t>(sign | static_cast<uint32_t>(units))};
    }
    const uint32_t rounded = size + 0xFFFU + (size >> 13U & 1U);
    return {static_cast<uint16_t>(sign | (rounded - (112U << 23U)) >> 13U)};
  }
};

// --- combining ------------------------------------------------------------------------------------------

// What is computed with: integers as unsigned words where they wrap, numbers of sixteen bits as floats.
template <typename T>
struct Arithmetic {
  using Number = T;
  static T number(T stored) { return stored; }
  static T stored(T number) { return number; }
};
template <typename Small>
struct SmallArithmetic {
  using Number = float;
  static float number(Small stored) { return static_cast<float>(stored); }
  static Small stored(float number) { return Small::of(number); }
};
template <>
struct Arithmetic<Half> : SmallArithmetic<Half> {};
template <>
struct Arithmetic<Bfloat16> : SmallArithmetic<Bfloat16> {};

// 16-bit words would be promoted to int, and overflow.
template <typename T>
T times(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}
template <typename T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

template <Op kOp, typename T>
T combined(T a, T b) {
  if constexpr (kOp == Op::kSum) return plus(a, b);
  if constexpr (kOp == Op::kProd) return times(a, b);
  if constexpr (kOp == Op::kMin) return b < a ? b : a;
  if constexpr (kOp == Op::kMax) return a < b ? b : a;
  if constexpr (kOp == Op::kLand) return static_cast<T>(a != T{0} && b != T{0});
  if constexpr (kOp == Op::kLor) return static_cast<T>(a != T{0} || b != T{0});
  if constexpr (kOp == Op::kLxor) return static_cast<T>((a != T{0}) != (b != T{0}));
  if constexpr (std::is_integral_v<T>) {
    if constexpr (kOp == Op::kBand) return static_cast<T>(a & b);
    if constexpr (kOp == Op::kBor) return static_cast<T>(a | b);
    if constexpr (kOp == Op::kBxor) return static_cast<T>(a ^ b);
  }
}

// Blocks need not be aligned; compilers make plain loads of copies of one element.
template <Op kOp, typename Stored>
void apply(std::byte* into, const std::byte* from, size_t bytes) {
  using A = Arithmetic<Stored>;
  for (size_t i = 0; i + sizeof(Stored) <= bytes; i += sizeof(Stored)) {
    Stored a;
    Stored b;
    std::memcpy(&a, into + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    a = A::stored(combined<kOp>(A::number(a), A::number(b)));
    std::memcpy(into + i, &a, sizeof a);
  }
}

// The pair at `first` is done first.
template <typename Stored>
void compose(std::byte* into, const std::byte* first, const std::byte* then, size_t bytes) {
  using A = Arithmetic<Stored>;
  constexpr size_t kPair = 2 * sizeof(Stored);
  for (size_t i = 0; i + kPair <= bytes; i += kPair) {
    std::array<Stored, 2> f;
    std::array<Stored, 2> g;
    std::memcpy(f.data(), first + i, kPair);
    std::memcpy(g.data(), then + i, kPair);
    const auto a = A::number(g[0]);
    const auto scaled = A::number(A::stored(times(a, A::number(f[1]))));
    f = {A::stored(times(a, A::number(f[0]))), A::stored(plus(scaled, A::number(g[1])))};
    std::memcpy(into + i, f.data(), kPair);
  }
}
template <typename Stored>
void compose_after(std::byte* into, const std::byte* from, size_t bytes) {
  compose<Stored>(into, into, from, bytes);
}
template <typename Stored>
void compose_before(std::byte* into, const std::byte* from, size_t bytes) {
  compose<Stored>(into, from, into, bytes);
}

constexpr bool is_of_bits(Op op) { return op == Op::kBand || op == Op::kBor || op == Op::kBxor; }

template <typename Stored, size_t kOp>
constexpr Reduction make() {
  constexpr Op op{kOp};
  if constexpr (op == Op::kCompose) {
    return {kOpWords[kOp], 2 * sizeof(Stored), compose_after<Stored>, compose_before<Stored>};
  } else if constexpr (is_of_bits(op) && !std::is_integral_v<Stored>) {
    return {};
  } else {
    return {kOpWords[kOp], sizeof(Stored), apply<op, Stored>, nullptr};
  }
}

using Row = std::array<Reduction, kOpWords.size()>;

template <typename Stored, size_t... kOps>
constexpr Row row(std::index_sequence<kOps...>) {
  return {make<Stored, kOps>()...};
}
template <typename Stored>
constexpr Row row() {
  return row<Stored>(std::make_index_sequence<kOpWords.size()>());
}

constexpr std::array<Row, kTypeWords.size()> kReductions = {
    row<int8_t>(),   row<int16_t>(),  row<int32_t>(), row<int64_t>(),  row<uint8_t>(), row<uint16_t>(),
    row<uint32_t>(), row<uint64_t>(), row<Half>(),    row<Bfloat16>(), row<float>(),   row<double>()};

constexpr std::array<size_t, kTypeWords.size()> kTypeBytes = {1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};

template <typename Enum, typename Words>
Enum parse(const Words& words, std::string_view option, std::string_view text) {
  const auto at = std::find(words.begin(), words.end(), text);
  if (at != words.end()) return static_cast<Enum>(at - words.begin());
  const std::vector<std::string_view> all(words.begin(), words.end());
  throw ValueError(
      fmt::format("{} is '{}'; allowed are {}", option, text, join(all)),
      {.of = std::string(option), .given = std::string(text), .allowed = {all.begin(), all.end()}});
}

}  // namespace

std::string_view to_text(ElementType type) { return kTypeWords[static_cast<size_t>(type)]; }
std::string_view to_text(ElementOperator op) { return kOpWords[static_cast<size_t>(op)]; }
ElementType parse_element_type(std::string_view text) {
  return parse<ElementType>(kTypeWords, "--type", text);
}
ElementOperator parse_element_operator(std::string_view text) {
  return parse<ElementOperator>(kOpWords, "--op", text);
}

bool is_floating(ElementType type) { return type >= ElementType::kHalf; }
bool commutes(ElementOperator op) { return op != Op::kCompose; }

void require_sense(const Elements& elements) {
  if (!is_floating(elements.type) || !is_of_bits(elements.op)) return;
  throw InputError(
      fmt::format("--op {} combines bits, and --type {} is a floating-point number; it is for integers",
                  to_text(elements.op), to_text(elements.type)));
}

size_t element_bytes(const Elements& elements) {
  return kTypeBytes[static_cast<size_t>(elements.type)] * (elements.op == Op::kCompose ? 2 : 1);
}

const Reduction& reduction_of(const Elements& elements) {
  require_sense(elements);
  return kReductions[static_cast<size_t>(elements.type)][static_cast<size_t>(elements.op)];
}

double float_at(ElementType type, const std::byte* at) {
  const auto load = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (type) {
    case ElementType::kHalf:
      return static_cast<double>(static_cast<float>(load(Half{})));
    case ElementType::kBfloat16:
      return static_cast<double>(static_cast<float>(load(Bfloat16{})));
    case ElementType::kFloat:
      return static_cast<double>(load(0.0F));
    default:
      return load(0.0);
  }
}

void put_float(ElementType type, double value, std::byte* at) {
  const auto store = [at](auto stored) { std::memcpy(at, &stored, sizeof stored); };
  switch (type) {
    case ElementType::kHalf:
      return store(Half::of(static_cast<float>(value)));
    case ElementType::kBfloat16:
      return store(Bfloat16::of(static_cast<float>(value)));
    case ElementType::kFloat:
      return store(static_cast<float>(value));
    default:
      return store(value);
  }
}

double unit_roundoff(ElementType type) {
  switch (type) {
    case ElementType::kHalf:
      return 0x1p-11;
    case ElementType::kBfloat16:
      return 0x1p-8;
    case ElementType::kFloat:
      return 0x1p-24;
    default:
      return 0x1p-53;
  }
}

}  // namespace quadrille
