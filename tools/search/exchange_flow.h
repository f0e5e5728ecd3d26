// What to send, given who sends to whom: from each source one block goes to every other node, which is an
// integer flow through the phases; whichever blocks these are is settled last. Cost: the sum over the phases
// of the largest worm.
#pragma once

#include <coin/CoinPackedMatrix.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exchange_senders.h"

namespace quadrille::search_tool {

/// The blocks, as pairs of source and target, of one source of each set of images.
struct Routing {
  int cost = 0;
  std::vector<std::map<int, std::vector<std::pair<int, int>>>> phases{};  ///< by worm
};

class Flow {
 public:
  Flow(const Senders& senders, const Phases& phases);

  /// With fractions: no integer flow costs less. Nothing, if above the limit.
  [[nodiscard]] std::optional<double> bound(double limit) const;
  /// The best integer flow that is found in the given seconds.
  [[nodiscard]] std::optional<Routing> solve(double seconds) const;

 private:
  // Of one source: on a worm, or staying on a node until it receives the next worm. The first columns are the
  // phases' largest worms.
  struct Column {
    int source = -1;
    int phase = -1;
    int worm = -1;  // -1: staying
  };

  void add(int row, int column, double value);
  int add_row(double low, double high);
  void add_source(int source, const std::vector<std::map<int, int>>& load_rows);
  [[nodiscard]] CoinPackedMatrix matrix() const;
  [[nodiscard]] std::vector<double> objective() const;
  [[nodiscard]] Routing route(const std::vector<int>& values) const;

  const Senders& senders_;
  const Phases& phases_;
  std::vector<Column> columns_{};
  std::vector<double> low_{};
  std::vector<double> high_{};
  std::vector<int> rows_{};
  std::vector<int> cols_{};
  std::vector<double> values_{};
};

/// Follows every block of a routing and all its images. Throws std::logic_error if it does not do what it
/// should.
void replay(const Senders& senders, const Routing& routing);

/// The data of an entry (algorithms/worm_exchange/found_worms.h).
[[nodiscard]] std::string write_phases(const Senders& senders, const Routing& routing);

}  // namespace quadrille::search_tool
