#include "exchange_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <coin/CbcModel.hpp>
#include <coin/CbcSolver.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/OsiClpSolverInterface.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

namespace quadrille::search_tool {

Flow::Flow(const Senders& senders, const Phases& phases) : senders_(senders), phases_(phases) {
  columns_.resize(phases.size());
  std::vector<std::map<int, int>> load_rows(phases.size());
  for (size_t p = 0; p < phases.size(); ++p) {
    for (const int b : phases[p]) {
      load_rows[p][b] = add_row(-COIN_DBL_MAX, 0);
      add(load_rows[p][b], int(p), -1);
    }
  }
  for (const int source : senders.sources()) add_source(source, load_rows);
}

void Flow::add(int row, int column, double value) {
  rows_.push_back(row);
  cols_.push_back(column);
  values_.push_back(value);
}

int Flow::add_row(double low, double high) {
  low_.push_back(low);
  high_.push_back(high);
  return int(low_.size()) - 1;
}

// A row is a node between two worms that it receives: what comes goes on with a worm, stays, or has arrived.
void Flow::add_source(int source, const std::vector<std::map<int, int>>& load_rows) {
  std::vector<int> row(senders_.length(), -1);
  const double others = senders_.length() - 1;
  row[source] = add_row(-others, -others);
  for (size_t p = 0; p < phases_.size(); ++p) {
    std::vector<int> next = row;
    for (const int b : phases_[p]) {
      for (const int w : senders_.bundles()[b].worms) {
        const Worm& worm = senders_.worms()[w];
        if (row[worm.from] < 0 || worm.to == source) continue;
        const int column = int(columns_.size());
        columns_.push_back({source, int(p), w});
        add(row[worm.from], column, -1);
        // An image of the worm carries as much for an image of the source: the bundle's worms are all alike.
        add(load_rows[p].at(b), column, 1);
        next[worm.to] = add_row(0, 0);
        add(next[worm.to], column, 1);
        if (row[worm.to] < 0) continue;
        const int stay = int(columns_.size());
        columns_.push_back({source, int(p), -1});
        add(row[worm.to], stay, -1);
        add(next[worm.to], stay, 1);
      }
    }
    row.swap(next);
  }
  for (int v = 0; v < senders_.length(); ++v) {
    if (v == source) continue;
    if (row[v] < 0) row[v] = add_row(0, 0);  // never reached: no flow does it
    low_[row[v]] += 1;
    high_[row[v]] += 1;
  }
}

CoinPackedMatrix Flow::matrix() const {
  CoinPackedMatrix out(true, rows_.data(), cols_.data(), values_.data(), CoinBigIndex(values_.size()));
  out.setDimensions(int(low_.size()), int(columns_.size()));
  return out;
}

std::vector<double> Flow::objective() const {
  std::vector<double> out(columns_.size(), 0.0);
  std::fill_n(out.begin(), phases_.size(), 1.0);
  return out;
}

std::optional<double> Flow::bound(double limit) const {
  ClpSimplex lp;
  lp.setLogLevel(0);
  lp.loadProblem(matrix(), nullptr, nullptr, objective().data(), low_.data(), high_.data());
  lp.setDualObjectiveLimit(limit + 1e-6);
  lp.dual();
  if (lp.status() != 0 || lp.objectiveValue() > limit + 1e-6) return std::nullopt;
  return lp.objectiveValue();
}

std::optional<Routing> Flow::solve(double seconds) const {
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  const std::vector<double> most(columns_.size(), senders_.length() * senders_.length());
  solver.loadProblem(matrix(), nullptr, most.data(), objective().data(), low_.data(), high_.data());
  for (int c = 0; c < int(columns_.size()); ++c) solver.setInteger(c);
  CbcModel model(solver);
  CbcMain0(model);
  const std::string limit = std::to_string(seconds);
  std::array<const char*, 9> arguments = {"quadrille-search", "-log",  "0",      "-sec", limit.c_str(),
                                          "-increment",       "0.999", "-solve", "-quit"};
  CbcMain1(int(arguments.size()), arguments.data(), model);
  if (model.bestSolution() == nullptr) return std::nullopt;
  std::vector<int> values;
  for (size_t c = 0; c < columns_.size(); ++c) values.push_back(int(std::lround(model.bestSolution()[c])));
  return route(values);
}

Routing Flow::route(const std::vector<int>& values) const {
  const int n = senders_.length();
  Routing out;
  out.phases.resize(phases_.size());
  for (const int source : senders_.sources()) {
    std::vector<std::map<int, int>> sent(phases_.size());  // by worm
    for (size_t c = phases_.size(); c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      if (column.source == source && column.worm >= 0 && values[c] > 0)
        sent[column.phase][column.worm] = values[c];
    }
    std::vector<std::vector<int>> stay(phases_.size(), std::vector<int>(n, 0));
    std::vector<int> amount(n, 0);
    amount[source] = n;
    for (size_t p = 0; p < phases_.size(); ++p) {
      for (const auto& worm : sent[p]) amount[senders_.worms()[worm.first].from] -= worm.second;
      stay[p] = amount;
      for (const auto& worm : sent[p]) amount[senders_.worms()[worm.first].to] += worm.second;
    }
    // Back from each target, along anything that is left.
    for (int target = 0; target < n; ++target) {
      std::vector<std::pair<int, int>> hops;  // phase and worm, the last one first
      int at = target;
      for (int p = int(phases_.size()) - 1; p >= 0; --p) {
        if (stay[p][at] > 0) {
          --stay[p][at];
          continue;
        }
        const auto worm = std::find_if(sent[p].begin(), sent[p].end(), [&](const auto& w) {
          return w.second > 0 && senders_.worms()[w.first].to == at;
        });
        if (worm == sent[p].end()) throw std::logic_error("the flow is none");
        --worm->second;
        at = senders_.worms()[worm->first].from;
        hops.push_back({p, worm->first});
        // Later it would only come back.
        if (at == target) hops.clear();
      }
      for (const auto& hop : hops) out.phases[hop.first][hop.second].push_back({source, target});
    }
  }
  std::erase_if(out.phases, [](const auto& phase) { return phase.empty(); });
  for (const auto& phase : out.phases) {
    std::map<int, size_t> loads;
    for (const auto& worm : phase) loads[senders_.bundle_of(worm.first)] += worm.second.size();
    size_t largest = 0;
    for (const auto& load : loads) largest = std::max(largest, load.second);
    out.cost += int(largest);
  }
  replay(senders_, out);
  return out;
}

void replay(const Senders& senders, const Routing& routing) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw std::logic_error(what);
  };
  const int n = senders.length();
  std::vector<int> at(size_t(n) * n);
  for (int b = 0; b < n * n; ++b) at[b] = b / n;
  int cost = 0;
  for (const auto& phase : routing.phases) {
    std::map<int, int> loads;
    std::vector<int> after = at;
    for (size_t g = 0; g < senders.node_images().size(); ++g) {
      const std::vector<int>& image = senders.node_images()[g];
      for (const auto& worm : phase) {
        const Worm& moved = senders.worms()[senders.worm_images()[g][worm.first]];
        for (const auto& block : worm.second) {
          const int b = image[block.first] * n + image[block.second];
          require(at[b] == moved.from && after[b] == moved.from, "a block is not there");
          after[b] = moved.to;
        }
        loads[senders.worm_images()[g][worm.first]] += int(worm.second.size());
      }
    }
    std::set<int> senders_seen;
    std::set<int> receivers_seen;
    std::set<std::pair<int, bool>> links;
    int largest = 0;
    for (const auto& load : loads) {
      const Worm& worm = senders.worms()[load.first];
      require(senders_seen.insert(worm.from).second, "a node sends twice");
      require(receivers_seen.insert(worm.to).second, "a node receives twice");
      for (int k = 0; k < worm.places; ++k) {
        const int tail = ((worm.up ? worm.from + k : worm.from - k) % n + n) % n;
        require(links.insert({tail, worm.up}).second, "two worms on a link");
      }
      largest = std::max(largest, load.second);
    }
    cost += largest;
    at = after;
  }
  for (int b = 0; b < n * n; ++b) require(at[b] == b % n, "a block has not arrived");
  require(cost == routing.cost, "another cost");
}

namespace {

std::string ranges(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string out;
  for (size_t i = 0; i < numbers.size();) {
    size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (j < i + 2) j = i;
    out += (out.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (j > i) out += "-" + std::to_string(numbers[j]);
    i = j + 1;
  }
  return out;
}

}  // namespace

std::string write_phases(const Senders& senders, const Routing& routing) {
  std::ostringstream out;
  for (const auto& phase : routing.phases) {
    for (const auto& worm : phase) {
      const Worm& w = senders.worms()[worm.first];
      out << w.from << (w.up ? '+' : '-') << w.places;
      std::map<int, std::vector<int>> targets;
      for (const auto& block : worm.second) targets[block.first].push_back(block.second);
      for (const auto& source : targets) out << ' ' << source.first << ':' << ranges(source.second);
      out << '\n';
    }
    out << ";\n";
  }
  return out.str();
}

}  // namespace quadrille::search_tool
