#include "quadrille/topology/spec_parser.h"

#include <fmt/format.h>

#include <limits>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

SpecError error_in(const SpecText& text, ByteRange place, std::string_view message) {
  const bool alone = text.inside.text.empty();
  return SpecError(input_error_at(text.source, alone ? text.text : text.inside.text,
                                  alone ? place.begin : text.inside.offset + place.begin,
                                  place.end - place.begin, message));
}

class Parser {
 public:
  explicit Parser(std::shared_ptr<const SpecText> text) : shared_(std::move(text)), text_(shared_->text) {}

  SpecCall parse() {
    skip_space();
    if (at_ == text_.size()) fail({0, text_.size()}, "a topology is missing; write one like torus(4,4)");
    if (!is_letter(text_[at_])) fail(here(), "a topology starts with its family, like torus(4,4)");
    const ByteRange name = read_name();
    skip_space();
    if (peek() != '(') {
      fail(name, fmt::format("'{}' needs its sizes in parentheses, like torus(4,4)", quote(name)));
    }
    SpecCall call = read_call(name, 1);
    skip_space();
    if (at_ != text_.size()) fail({at_, text_.size()}, "unexpected text after the topology");
    return call;
  }

 private:
  [[noreturn]] void fail(ByteRange place, std::string_view message) const {
    throw error_in(*shared_, place, message);
  }
  std::string_view quote(ByteRange place) const { return text_.substr(place.begin, place.end - place.begin); }
  ByteRange here() const { return {at_, at_ + 1}; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool done() const { return at_ >= text_.size(); }

  void skip_space() {
    while (!done() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }

  ByteRange read_name() {
    const size_t begin = at_;
    while (!done() && (is_letter(peek()) || is_digit(peek()))) ++at_;
    return {begin, at_};
  }

  uint64_t read_number() {
    skip_space();
    const size_t begin = at_;
    uint64_t value = 0;
    bool fits = true;
    while (!done() && is_digit(peek())) {
      const auto digit = static_cast<uint64_t>(peek() - '0');
      fits = fits && !__builtin_mul_overflow(value, uint64_t{10}, &value) &&
             !__builtin_add_overflow(value, digit, &value);
      ++at_;
    }
    if (begin == at_) fail(here(), fmt::format("expected a number{}", found()));
    if (!fits) {
      fail({begin, at_}, fmt::format("this number is too large; at most {} can be read",
                                     std::numeric_limits<uint64_t>::max()));
    }
    return value;
  }

  std::string found() const {
    return done() ? ", but the text ends here" : fmt::format(", found {}", shown(peek()));
  }
  // Where a path broke off.
  std::string hint_at_quotes() const {
    constexpr std::string_view kInPaths = "./\\~-:";
    return kInPaths.find(peek()) == std::string_view::npos ? ""
                                                           : R"(; a path goes in quotes: file("net.edges"))";
  }
  static std::string shown(char c) {
    if (c >= ' ' && c <= '~') return fmt::format("'{}'", c);
    return fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(c));
  }

  SpecCall read_call(ByteRange name, size_t depth) {
    if (depth > kMaxSpecDepth) {
      fail(name, fmt::format("nested too deeply; at most {} levels are allowed", kMaxSpecDepth));
    }
    SpecCall call;
    call.name = quote(name);
    call.name_where = name;
    call.text = shared_;
    const size_t open = at_;
    ++at_;
    call.sections.push_back(read_section(depth));
    while (peek() == ';') {
      ++at_;
      call.sections.push_back(read_section(depth));
    }
    if (done()) {
      fail({open, open + 1}, fmt::format("the '(' after {} is never closed", call.name));
    }
    if (peek() != ')') fail(here(), fmt::format("expected ',', ';' or ')'{}{}", found(), hint_at_quotes()));
    ++at_;
    call.where = {name.begin, at_};
    return call;
  }

  SpecSection read_section(size_t depth) {
    SpecSection section;
    skip_space();
    section.where = {at_, at_};
    if (peek() == ')' || peek() == ';' || done()) return section;
    section.args.push_back(read_arg(depth));
    skip_space();
    while (peek() == ',') {
      ++at_;
      section.args.push_back(read_arg(depth));
      skip_space();
    }
    section.where.end = section.args.back().where.end;
    return section;
  }

  Arg read_arg(size_t depth) {
    skip_space();
    Arg arg;
    const size_t begin = at_;
    const char first = peek();
    if (is_digit(first)) {
      read_numeric(arg);
    } else if (is_letter(first)) {
      const ByteRange name = read_name();
      const size_t after = at_;
      skip_space();
      if (peek() == '(') {
        arg.kind = ArgKind::kCall;
        arg.call.push_back(read_call(name, depth + 1));
      } else {
        at_ = after;
        arg.kind = ArgKind::kWord;
        arg.text = quote(name);
      }
    } else if (first == '"') {
      read_quoted(arg);
    } else if (first == '[') {
      read_tuple(arg);
    } else if (first == '(') {
      read_permutation(arg);
    } else {
      fail(here(), fmt::format("expected an argument (a number, a name, a topology, \"a file\", [a tuple] or "
                               "(a permutation)){}",
                               found()));
    }
    arg.where = {begin, at_};
    return arg;
  }

  void read_numeric(Arg& arg) {
    arg.number = read_number();
    const size_t after = at_;
    skip_space();
    if (peek() == '^' || peek() == ':') {
      arg.kind = peek() == '^' ? ArgKind::kPower : ArgKind::kPair;
      ++at_;
      arg.second = read_number();
    } else {
      at_ = after;
    }
  }

  void read_quoted(Arg& arg) {
    const size_t open = at_;
    arg.kind = ArgKind::kQuoted;
    ++at_;
    while (!done() && peek() != '"') {
      if (peek() == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\'))
        ++at_;
      if (peek() == '\n' || peek() == '\0') fail(here(), "a quoted name is one line of text");
      arg.text += peek();
      ++at_;
    }
    if (done()) fail({open, open + 1}, "the '\"' here is never closed");
    ++at_;
  }

  void read_tuple(Arg& arg) {
    const size_t open = at_;
    arg.kind = ArgKind::kTuple;
    do {
      ++at_;
      arg.tuple.push_back(read_number());
      skip_space();
    } while (peek() == ',');
    if (done()) fail({open, open + 1}, "the '[' here is never closed");
    if (peek() != ']') fail(here(), fmt::format("expected ',' or ']'{}", found()));
    ++at_;
  }

  void read_permutation(Arg& arg) {
    arg.kind = ArgKind::kPermutation;
    size_t end = at_;
    while (peek() == '(') {
      const size_t open = at_;
      ++at_;
      std::vector<uint64_t> cycle;
      skip_space();
      while (is_digit(peek())) {
        cycle.push_back(read_number());
        skip_space();
      }
      if (done()) fail({open, open + 1}, "the '(' here is never closed");
      if (peek() != ')') {
        fail(here(), fmt::format("expected a point of the cycle, like (0 1 2), or ')'{}", found()));
      }
      ++at_;
      end = at_;
      arg.cycles.push_back(std::move(cycle));
      skip_space();
    }
    at_ = end;
  }

  std::shared_ptr<const SpecText> shared_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

SpecError SpecCall::error(ByteRange place, std::string_view message) const {
  return error_in(*text, place, message);
}

std::string_view SpecCall::quote(ByteRange place) const {
  return std::string_view(text->text).substr(place.begin, place.end - place.begin);
}

SpecCall parse_spec(std::string_view text, std::string_view source, SpecPlace inside) {
  if (text.size() > kMaxSpecBytes) {
    throw SpecError(InputError(
        fmt::format("{}: the text has {} bytes; at most {} are read", source, text.size(), kMaxSpecBytes)));
  }
  auto shared = std::make_shared<SpecText>();
  shared->source = source;
  shared->text = text;
  shared->inside = inside;
  return Parser(std::move(shared)).parse();
}

}  // namespace quadrille
