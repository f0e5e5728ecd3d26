#include "quadrille/schedule/counts/read_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/text.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/topology/faults/node_numbers.h"

namespace quadrille {
namespace {

constexpr uint64_t kMostCount = kMaxIds - 1;
constexpr uint64_t kBytesPerCountedBlock = 16;  // its origin and its destination, and where the judge sees it

struct Field {
  size_t offset = 0;
  std::string_view text{};
};

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

class CountsFile {
 public:
  CountsFile(const Topology& topology, std::string_view text, std::string_view source)
      : topology_(topology), numbers_(topology, Numbers::kWhole), text_(text), source_(source) {}

  // Of the last that was read; mostly "".
  [[nodiscard]] const std::string& remark() const { return remark_; }

  Counts read() {
    if (in_lower_case(text_.substr(0, kMatrixMarket.size())) == in_lower_case(kMatrixMarket)) {
      read_matrix_market();
    } else {
      read_lines();
    }
    uint64_t blocks = 0;
    for (const StatedCount& stated : stated_) blocks += stated.count;
    if (blocks <= kMostCount) {
      require_memory(Int128{blocks} * kBytesPerCountedBlock,
                     fmt::format("following the {} blocks of {}", with_thousands(blocks), source_));
    }
    try {
      return counts_of(topology_, stated_);
    } catch (const StatedCountError& error) {
      fail({offsets_[error.at()], {}}, error.what());
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", source_, error.what()));
    }
  }

 private:
  static constexpr std::string_view kMatrixMarket = "%%MatrixMarket";

  [[noreturn]] void fail(Field at, std::string_view message) const {
    throw input_error_at(source_, text_, at.offset, std::max<size_t>(at.text.size(), 1), message);
  }

  // --- lines and fields -----------------------------------------------------------------------------------

  // The next line that is not empty, in fields_. False at the end.
  bool next_line() {
    while (at_ < text_.size()) {
      const size_t begin = at_;
      size_t end = text_.find('\n', at_);
      if (end == std::string_view::npos) end = text_.size();
      at_ = end + 1;
      std::string_view line = text_.substr(begin, end - begin);
      line = line.substr(0, line.find('#'));
      if (line.starts_with('%')) continue;
      split(line, begin);
      if (!fields_.empty()) return true;
    }
    return false;
  }

  // At commas or semicolons where there are any outside of brackets, for labels have commas; else at blanks.
  void split(std::string_view line, size_t offset) {
    fields_.clear();
    const auto separators = [&](auto is_separator, auto use) {
      int depth = 0;
      for (size_t i = 0; i < line.size(); ++i) {
        depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
        if (depth <= 0 && is_separator(line[i])) use(i);
      }
    };
    const auto is_mark = [](char c) { return c == ',' || c == ';'; };
    bool with_marks = false;
    separators(is_mark, [&](size_t) { with_marks = true; });
    size_t begin = 0;
    const auto add = [&](size_t end) {
      size_t first = begin;
      size_t last = end;
      while (first < last && is_blank(line[first])) ++first;
      while (first < last && is_blank(line[last - 1])) --last;
      begin = end + 1;
      if (last - first >= 2 && line[first] == '"' && line[last - 1] == '"') {
        ++first;
        --last;
      }
      if (with_marks || first < last) fields_.push_back({offset + first, line.substr(first, last - first)});
    };
    if (with_marks) {
      separators(is_mark, add);
    } else {
      separators(is_blank, add);
    }
    add(line.size());
    // A comma at the end of a line is no field.
    if (with_marks && fields_.back().text.empty()) fields_.pop_back();
    if (with_marks && std::ranges::all_of(fields_, [](const Field& f) { return f.text.empty(); }))
      fields_.clear();
  }

  [[nodiscard]] uint32_t count_in(const Field& field) const {
    if (field.text.empty()) fail(field, "a count is missing between two separators; 0 is written as 0");
    const std::optional<double> value = number_in(field.text);
    if (!value || !std::isfinite(*value))
      fail(field, fmt::format("'{}' is no count: a whole number from 0 is needed", field.text));
    if (*value < 0) fail(field, fmt::format("a count cannot be negative: {}", field.text));
    if (*value != std::floor(*value))
      fail(field,
           fmt::format("a count is a whole number of blocks, not {}; count in smaller units", field.text));
    if (*value > static_cast<double>(kMostCount))
      fail(field,
           fmt::format("a count is at most {}, not {}; count in larger units", kMostCount, field.text));
    return static_cast<uint32_t>(*value);
  }

  [[nodiscard]] uint64_t size_in(const Field& field, std::string_view what) const {
    uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
    if (error != std::errc() || end != field.text.data() + field.text.size())
      fail(field, fmt::format("'{}' is no {}: a whole number is needed", field.text, what));
    return value;
  }

  void add(uint32_t from, uint32_t to, uint32_t count, const Field& field) {
    if (count == 0) return;
    stated_.push_back({from, to, count});
    offsets_.push_back(field.offset);
  }

  // --- dense ----------------------------------------------------------------------------------------------

  // What a row or a column of a matrix of that size stands for.
  [[nodiscard]] uint32_t node_of(uint64_t place, uint64_t size) const {
    if (size != topology_.num_endpoints()) return static_cast<uint32_t>(place);
    return static_cast<uint32_t>(index(topology_.endpoint(Rank{static_cast<uint32_t>(place)})));
  }
  [[nodiscard]] bool is_size(uint64_t size) const {
    return size == topology_.num_endpoints() || size == topology_.num_nodes();
  }
  [[nodiscard]] std::string sizes() const {
    const std::string ends = plural(topology_.num_endpoints(), "endpoint");
    if (!topology_.has_routers()) return fmt::format("{} has {}", topology_.name(), ends);
    return fmt::format("{} has {} among {} nodes", topology_.name(), ends, topology_.num_nodes());
  }

  // --- lines ----------------------------------------------------------------------------------------------

  // Which of the fields are from, to and count, where the line names them.
  [[nodiscard]] static std::optional<std::array<size_t, 3>> header_of(const std::vector<Field>& fields) {
    constexpr std::array<std::string_view, 3> kWords = {
        " from src source ", " to dst dest target destination ", " count counts blocks bytes "};
    if (fields.size() != kWords.size()) return std::nullopt;
    std::array<size_t, 3> out{};
    for (size_t i = 0; i < kWords.size(); ++i) {
      const auto at = std::ranges::find_if(fields, [&](const Field& field) {
        return !field.text.empty() &&
               kWords[i].find(fmt::format(" {} ", in_lower_case(field.text))) != std::string_view::npos;
      });
      if (at == fields.end()) return std::nullopt;
      out[i] = static_cast<size_t>(at - fields.begin());
    }
    return out;
  }

  // ",0,1,2": a matrix with a line and a column of names, as pandas writes it.
  [[nodiscard]] bool is_named_matrix() const {
    return fields_.size() > 2 && fields_.front().text.empty() && is_size(fields_.size() - 1);
  }

  void read_named_matrix() {
    const std::vector<Field> header = fields_;
    const size_t columns = header.size() - 1;
    // Names that count from 0 are places, others are those of nodes.
    bool places = true;
    for (size_t c = 0; c < columns; ++c) places = places && header[c + 1].text == std::to_string(c);
    std::vector<uint32_t> node(columns);
    for (size_t c = 0; c < columns; ++c) node[c] = places ? node_of(c, columns) : node_in(header[c + 1]);
    std::vector<char> seen(columns, 0);
    size_t rows = 0;
    for (; next_line(); ++rows) {
      if (fields_.size() != header.size())
        fail(fields_.back(), fmt::format("this row has {}, and the header has {}",
                                         plural(fields_.size(), "field"), header.size()));
      const auto named = std::ranges::find_if(header.begin() + 1, header.end(), [&](const Field& field) {
        return field.text == fields_.front().text;
      });
      if (named == header.end())
        fail(fields_.front(), fmt::format("no column is called '{}' as this row is", fields_.front().text));
      const auto row = static_cast<size_t>(named - header.begin()) - 1;
      if (std::exchange(seen[row], char{1}) != 0)
        fail(fields_.front(), fmt::format("a second row is called '{}'", fields_.front().text));
      for (size_t c = 0; c < columns; ++c) add(node[row], node[c], count_in(fields_[c + 1]), fields_[c + 1]);
    }
    if (rows < columns)
      fail({text_.size(), {}}, fmt::format("the matrix has {} and {} columns", plural(rows, "row"), columns));
  }

  void read_lines() {
    if (!next_line()) {
      throw InputError(fmt::format(
          "{}: the file holds no counts; where nothing is to be sent, write the line: from to count",
          source_));
    }
    if (const auto header = header_of(fields_)) return read_sparse(next_line(), *header);
    if (is_named_matrix()) return read_named_matrix();
    const bool numbers =
        std::ranges::all_of(fields_, [](const Field& f) { return number_in(f.text) || f.text.empty(); });
    const size_t columns = fields_.size();
    const size_t lines = columns == 3 && numbers && is_size(3) ? lines_in_file() : 0;
    if (lines > 0 && lines <= 3 && may_be_triples()) remark_ = remark_on(lines);
    if (columns == 3 && lines != 3) return read_sparse(true, {0, 1, 2});
    if (!is_size(columns)) {
      fail({fields_.front().offset, {}},
           fmt::format("a line of {}: {}, so a line is a row of as many counts, or: from to count",
                       plural(columns, "field"), sizes()));
    }
    uint64_t row = 0;
    bool more = true;
    for (; more; more = next_line(), ++row) {
      if (fields_.size() != columns) {
        fail(fields_.back(), fmt::format("row {} has {}, and the rows before it have {}", row + 1,
                                         plural(fields_.size(), "count"), columns));
      }
      if (row == columns)
        fail(fields_.front(),
             fmt::format("a row too many: the matrix has {} columns, and as many rows", columns));
      for (size_t c = 0; c < columns; ++c)
        add(node_of(row, columns), node_of(c, columns), count_in(fields_[c]), fields_[c]);
    }
    if (row < columns) {
      fail({text_.size(), {}},
           fmt::format("the matrix has {} and {} columns; {}", plural(row, "row"), columns, sizes()));
    }
  }

  // Calls `see` for this line and those behind it that hold something, four at most, and stays where it is.
  template <typename See>
  void look_ahead(See see) {
    const size_t at = at_;
    const std::vector<Field> fields = fields_;
    see();
    for (size_t lines = 1; lines < 4 && next_line(); ++lines) see();
    at_ = at;
    fields_ = fields;
  }

  [[nodiscard]] size_t lines_in_file() {
    size_t lines = 0;
    look_ahead([&] { ++lines; });
    return lines;
  }

  // Every line is: from, to, count, and no pair comes twice.
  [[nodiscard]] bool may_be_triples() {
    bool may = true;
    std::vector<std::pair<double, double>> pairs;
    look_ahead([&] {
      may = may && fields_.size() == 3;
      for (size_t i = 0; may && i < 3; ++i) {
        const std::optional<double> value = number_in(fields_[i].text);
        may = value && *value >= 0 && *value == std::floor(*value) &&
              (i == 2 || *value < numbers_.node_count());
      }
      if (!may) return;
      const std::pair pair(*number_in(fields_[0].text), *number_in(fields_[1].text));
      may = std::ranges::find(pairs, pair) == pairs.end();
      pairs.push_back(pair);
    });
    return may;
  }

  [[nodiscard]] std::string remark_on(size_t lines) const {
    if (lines == 3) {
      return fmt::format(
          "{}: three lines of three numbers were read as a matrix, a line for each sender; where they are: from, to, "
          "count, the first line must say: from,to,count",
          source_);
    }
    return fmt::format(
        "{}: {} of three numbers {} read as: from, to, count, for a matrix has three lines; a first line: "
        "from,to,count says so",
        source_, plural(lines, "line"), lines == 1 ? "was" : "were");
  }

  void read_sparse(bool more, const std::array<size_t, 3>& column) {
    for (; more; more = next_line()) {
      if (fields_.size() != 3) {
        fail(fields_.back(),
             fmt::format("a line says: from, to, count; this one has {}", plural(fields_.size(), "field")));
      }
      const uint32_t from = node_in(fields_[column[0]]);
      const uint32_t to = node_in(fields_[column[1]]);
      // 0 is said, too: the pair must be one.
      stated_.push_back({from, to, count_in(fields_[column[2]])});
      offsets_.push_back(fields_[0].offset);
    }
  }

  uint32_t node_in(const Field& field) {
    uint32_t value = 0;
    const auto [end, error] =
        std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
    const bool is_number = error == std::errc() && end == field.text.data() + field.text.size();
    if (is_number && value < numbers_.node_count()) {
      if (const std::optional<NodeId> node = numbers_.node(value)) return static_cast<uint32_t>(index(*node));
    }
    if (const std::optional<std::string> gone = numbers_.gone(field.text)) fail(field, *gone);
    if (labels_.empty()) {
      for (const NodeId v : topology_.nodes())
        labels_.emplace(topology_.label(v), static_cast<uint32_t>(index(v)));
    }
    const auto found = labels_.find(std::string(field.text));
    if (found != labels_.end()) return found->second;
    fail(field, fmt::format("{} has no node '{}'; give a number from 0 to {}, or a label such as '{}'",
                            topology_.name(), field.text, numbers_.node_count() - 1,
                            topology_.label(NodeId{topology_.num_nodes() - 1})));
  }

  // --- Matrix Market --------------------------------------------------------------------------------------

  void read_matrix_market() {
    const std::string_view banner = text_.substr(0, text_.find('\n'));
    split(banner, 0);
    if (fields_.size() != 5 || in_lower_case(fields_[1].text) != "matrix") {
      fail({0, banner},
           "the first line of Matrix Market says: %%MatrixMarket matrix, then coordinate or array, "
           "then integer, real or pattern, then general or symmetric");
    }
    const auto word = [&](size_t i, std::initializer_list<std::string_view> allowed) {
      std::string given = in_lower_case(fields_[i].text);
      if (std::ranges::find(allowed, given) != allowed.end()) return given;
      fail(fields_[i], fmt::format("'{}': counts are in a file that says {} here", fields_[i].text,
                                   join(std::vector<std::string_view>(allowed), " or ")));
    };
    const bool coordinates = word(2, {"coordinate", "array"}) == "coordinate";
    const bool pattern = word(3, {"integer", "real", "pattern"}) == "pattern";
    const bool symmetric = word(4, {"general", "symmetric"}) == "symmetric";
    if (pattern && !coordinates) fail(fields_[3], "an array has values: integer or real, not pattern");
    at_ = std::min(banner.size() + 1, text_.size());
    if (!next_line()) fail({text_.size(), {}}, "the line with the size of the matrix is missing");
    if (fields_.size() != (coordinates ? 3 : 2))
      fail(fields_.front(), fmt::format("the size of the matrix is {}",
                                        coordinates ? "rows, columns and entries" : "rows and columns"));
    const uint64_t size = size_in(fields_[0], "number of rows");
    if (size != size_in(fields_[1], "number of columns") || !is_size(size)) {
      fail(fields_[0], fmt::format("a matrix of {} x {}; {}, so it has as many rows and columns",
                                   fields_[0].text, fields_[1].text, sizes()));
    }
    if (coordinates) {
      read_coordinates(size, size_in(fields_[2], "number of entries"), pattern, symmetric);
    } else {
      read_columns(size, symmetric);
    }
  }

  void read_coordinates(uint64_t size, uint64_t entries, bool pattern, bool symmetric) {
    uint64_t read = 0;
    for (; next_line(); ++read) {
      if (read == entries)
        fail(fields_.front(), fmt::format("an entry too many: {} were announced", entries));
      if (fields_.size() != (pattern ? 2 : 3))
        fail(fields_.back(), fmt::format("an entry is row, column{}", pattern ? "" : " and value"));
      const auto place = [&](const Field& field) {
        const uint64_t value = size_in(field, "row or column");
        if (value >= 1 && value <= size) return node_of(value - 1, size);
        fail(field, fmt::format("{} is outside: rows and columns are 1 to {}", field.text, size));
      };
      const uint32_t from = place(fields_[0]);
      const uint32_t to = place(fields_[1]);
      const uint32_t count = pattern ? 1 : count_in(fields_[2]);
      stated_.push_back({from, to, count});
      offsets_.push_back(fields_[0].offset);
      if (symmetric && from != to) {
        stated_.push_back({to, from, count});
        offsets_.push_back(fields_[0].offset);
      }
    }
    if (read < entries)
      fail({text_.size(), {}}, fmt::format("{} entries were announced, and {} are there", entries, read));
    // A router may be named where nothing is to be sent.
    size_t kept = 0;
    for (size_t i = 0; i < stated_.size(); ++i) {
      if (stated_[i].count == 0) continue;
      stated_[kept] = stated_[i];
      offsets_[kept++] = offsets_[i];
    }
    stated_.resize(kept);
    offsets_.resize(kept);
  }

  // Column by column; of a symmetric one from the diagonal down.
  void read_columns(uint64_t size, bool symmetric) {
    uint64_t row = 0;
    uint64_t column = 0;
    while (next_line()) {
      for (const Field& field : fields_) {
        if (column == size)
          fail(field, fmt::format("a value too many: the matrix has {} rows and columns", size));
        const uint32_t from = node_of(row, size);
        const uint32_t to = node_of(column, size);
        const uint32_t count = count_in(field);
        add(from, to, count, field);
        if (symmetric && from != to) add(to, from, count, field);
        if (++row < size) continue;
        ++column;
        row = symmetric ? column : 0;
      }
    }
    if (column < size)
      fail({text_.size(), {}},
           fmt::format("values are missing from row {} of column {} on", row + 1, column + 1));
  }

  const Topology& topology_;
  NodeNumbers numbers_;
  std::string_view text_;
  std::string_view source_;
  size_t at_ = 0;
  std::vector<Field> fields_;
  std::vector<StatedCount> stated_;
  std::vector<size_t> offsets_;
  std::string remark_;
  std::unordered_map<std::string, uint32_t> labels_;
};

}  // namespace

Counts read_counts(const Topology& topology, std::string_view text, std::string_view source,
                   std::vector<std::string>* remarks) {
  CountsFile file(topology, text, source);
  Counts out = file.read();
  if (remarks != nullptr && !file.remark().empty()) remarks->push_back(file.remark());
  return out;
}

}  // namespace quadrille
