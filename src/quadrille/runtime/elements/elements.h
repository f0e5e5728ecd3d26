// Elements: what blocks of a reduction hold, and how two of them become one: the types and operators of MPI, and one
// operator that does not commute.
//
//     const Elements elements{parse_element_type("float"), parse_element_operator("sum")};
//     require_sense(elements);                                          // throws: band of floats
//     Executor executor(program, block_bytes, reduction_of(elements));
//
// Integers wrap around, as unsigned ones do, so every order gives the same result. Floating-point numbers are rounded
// after every operation, halves and bfloat16s too; a plan fixes the order of its sums, so every run of it gives the same
// bits, and a different plan others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "quadrille/runtime/reduction.h"

namespace quadrille {

enum class ElementType : uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kHalf,
  kBfloat16,
  kFloat,
  kDouble,
};

enum class ElementOperator : uint8_t {
  kSum,
  kProd,
  kMin,
  kMax,
  kBand,
  kBor,
  kBxor,
  kLand,
  kLor,
  kLxor,
  /// Pairs (a, b) of the type are maps x -> a x + b, done one after the other, that of the lowest rank first.
  kCompose,
};

struct Elements {
  ElementType type = ElementType::kFloat;
  ElementOperator op = ElementOperator::kSum;
};

/// "float", "sum", as MPI names them. Parsing throws InputError with the words that there are.
[[nodiscard]] std::string_view to_text(ElementType type);
[[nodiscard]] std::string_view to_text(ElementOperator op);
[[nodiscard]] ElementType parse_element_type(std::string_view text);
[[nodiscard]] ElementOperator parse_element_operator(std::string_view text);

[[nodiscard]] bool is_floating(ElementType type);
[[nodiscard]] bool commutes(ElementOperator op);
/// Throws InputError for an operator that is not for the type: bits of floating-point numbers.
void require_sense(const Elements& elements);

/// Of what it combines: a pair for kCompose.
[[nodiscard]] size_t element_bytes(const Elements& elements);
/// What two of them become.
[[nodiscard]] const Reduction& reduction_of(const Elements& elements);

/// Numbers as the operators compute with them; a floating-point number is rounded to the type.
[[nodiscard]] double float_at(ElementType type, const std::byte* at);
void put_float(ElementType type, double value, std::byte* at);
/// Half the distance of neighbouring numbers, for a number of one.
[[nodiscard]] double unit_roundoff(ElementType type);

}  // namespace quadrille
