#include "quadrille/base/json/json.h"

#include <algorithm>

#include "quadrille/base/check.h"
#include "quadrille/base/json/json_text.h"
#include "quadrille/base/numbers/whole_number.h"

namespace quadrille {

// Writes a value that starts in a line indented so far.
struct JsonPrinter {
  std::string& out;
  size_t indent = 0;

  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(int64_t value) const { out += std::to_string(value); }
  void operator()(uint64_t value) const { out += std::to_string(value); }
  void operator()(double value) const { append_json_number(out, value); }
  void operator()(const std::string& value) const { append_json_string(out, value); }
  void operator()(const Json::Array& elements) const {
    print_parts('[', ']', elements, [](size_t) {});
  }
  void operator()(const Json::Object& members) const {
    print_parts('{', '}', members.values, [&](size_t i) {
      append_json_string(out, members.keys[i]);
      out += ": ";
    });
  }

 private:
  template <typename PrintKey>
  void print_parts(char open, char close, const std::vector<Json>& parts, PrintKey print_key) const {
    constexpr size_t kIndent = 2;
    out += open;
    for (size_t i = 0; i < parts.size(); ++i) {
      out += i == 0 ? "\n" : ",\n";
      out.append(indent + kIndent, ' ');
      print_key(i);
      std::visit(JsonPrinter{out, indent + kIndent}, parts[i].value_);
    }
    if (!parts.empty()) {
      out += '\n';
      out.append(indent, ' ');
    }
    out += close;
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
  QUADRILLE_CHECK(std::ranges::find(members->keys, key) == members->keys.end(), std::string(key));
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

const Json* Json::at(std::string_view path) const {
  const Json* here = this;
  while (here != nullptr && !path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    const Json* next = nullptr;
    if (const Object* members = std::get_if<Object>(&here->value_)) {
      const auto key = std::ranges::find(members->keys, part);
      if (key != members->keys.end())
        next = &members->values[static_cast<size_t>(key - members->keys.begin())];
    } else if (const Array* elements = std::get_if<Array>(&here->value_)) {
      const auto place = whole_number(std::string(part));
      if (place && *place < elements->size()) next = &(*elements)[*place];
    }
    here = next;
  }
  return here;
}

std::string Json::cell() const {
  if (const auto* words = std::get_if<std::string>(&value_)) return *words;
  if (const auto* yes = std::get_if<bool>(&value_)) return *yes ? "yes" : "no";
  if (std::holds_alternative<std::monostate>(value_)) return "";
  std::string out = text();
  out.pop_back();
  return out;
}

std::string Json::text() const {
  std::string out;
  std::visit(JsonPrinter{out}, value_);
  out += '\n';
  return out;
}

}  // namespace quadrille
