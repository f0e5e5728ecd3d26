// What a test reads of a refusal.
#pragma once

#include <string>
#include <utility>

#include "quadrille/base/input_error.h"

namespace quadrille {

/// The message of the InputError that `act` throws, or "no error".
template <typename Act>
[[nodiscard]] std::string error_of(Act&& act) {
  try {
    std::forward<Act>(act)();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace quadrille
