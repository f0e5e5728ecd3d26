#include "quadrille/cli/report/json.h"

#include <nlohmann/json.hpp>

#include "quadrille/base/check.h"

namespace quadrille {

// The only place that knows the library: our tree becomes its tree.
struct JsonPrinter {
  nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
  template <typename Plain>
  nlohmann::ordered_json operator()(const Plain& value) const {
    return value;
  }
  nlohmann::ordered_json operator()(const Json::Array& elements) const {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Json& element : elements) out.push_back(std::visit(*this, element.value_));
    return out;
  }
  nlohmann::ordered_json operator()(const Json::Object& members) const {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (size_t i = 0; i < members.keys.size(); ++i) {
      out[members.keys[i]] = std::visit(*this, members.values[i].value_);
    }
    return out;
  }
};

Json::Json(Int128 value) {
  if (value >= INT64_MIN && value <= INT64_MAX) {
    value_ = static_cast<int64_t>(value);
  } else {
    value_ = to_string(value);
  }
}

Json Json::object() {
  Json out;
  out.value_ = Object();
  return out;
}

Json Json::array() {
  Json out;
  out.value_ = Array();
  return out;
}

Json& Json::set(std::string_view key, Json value) {
  Object* members = std::get_if<Object>(&value_);
  QUADRILLE_CHECK(members != nullptr, std::string(key));
  members->keys.emplace_back(key);
  members->values.push_back(std::move(value));
  return *this;
}

Json& Json::push(Json element) {
  Array* elements = std::get_if<Array>(&value_);
  QUADRILLE_CHECK(elements != nullptr, "not an array");
  elements->push_back(std::move(element));
  return *this;
}

std::string Json::text() const {
  const nlohmann::ordered_json tree = std::visit(JsonPrinter(), value_);
  return tree.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace quadrille
