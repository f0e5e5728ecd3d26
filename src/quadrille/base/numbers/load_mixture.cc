#include "quadrille/base/numbers/load_mixture.h"

#include <algorithm>
#include <cmath>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr double kNothing = 1e-10;

}  // namespace

LoadMixture::LoadMixture(const std::vector<double>& first)
    : machines_(first.size()), scale_(*std::max_element(first.begin(), first.end())) {
  QUADRILLE_CHECK(scale_ > 0, "loads that are all 0");
  const size_t rows = machines_ + 1;
  const auto most = static_cast<size_t>(std::max_element(first.begin(), first.end()) - first.begin());
  loads_.emplace_back();
  for (const double load : first) loads_.back().push_back(load / scale_);
  // The first alone: its busiest machine has no slack.
  inverse_.assign(rows, std::vector<double>(rows, 0));
  for (size_t k = 0; k < machines_; ++k) {
    basis_.push_back(k == most ? kBusiest : slack(k));
    value_.push_back(k == most ? 1 : 1 - loads_[0][k]);
    inverse_[k][most] = 1;
    inverse_[k][machines_] = 1;
    if (k == most) continue;
    inverse_[k][k] = -1;
    inverse_[k][machines_] = 1 - loads_[0][k];
  }
  basis_.push_back(part(0));
  value_.push_back(1);
  inverse_[machines_][machines_] = 1;
  set_prices();
}

double LoadMixture::coefficient(size_t row, uint32_t variable) const {
  if (variable == kBusiest) return row < machines_ ? 1 : 0;
  if (variable <= machines_) return row == variable - 1 ? -1 : 0;
  return row < machines_ ? -loads_[variable - 1 - machines_][row] : 1;
}

void LoadMixture::set_prices() {
  const auto at = std::find(basis_.begin(), basis_.end(), kBusiest) - basis_.begin();
  const std::vector<double>& row = inverse_[static_cast<size_t>(at)];
  prices_.assign(row.begin(), row.end() - 1);
  worth_ = row.back();
}

// How much the busiest load sinks for each unit of a variable.
double LoadMixture::gain(uint32_t variable) const {
  if (variable == kBusiest) return 0;
  if (variable <= machines_) return -prices_[variable - 1];
  double costs = 0;
  const std::vector<double>& loads = loads_[variable - 1 - machines_];
  for (size_t k = 0; k < machines_; ++k) costs += prices_[k] * loads[k];
  return worth_ - costs;
}

void LoadMixture::add(const std::vector<double>& loads) {
  loads_.emplace_back();
  for (const double load : loads) loads_.back().push_back(load / scale_);
  optimise();
}

void LoadMixture::optimise() {
  const auto variables = static_cast<uint32_t>(1 + machines_ + loads_.size());
  // Steps that gain nothing may go round.
  for (size_t pivots = 0; pivots < 20 * (machines_ + 2); ++pivots) {
    uint32_t best = kBusiest;
    double most = kNothing;
    for (uint32_t v = 1; v < variables; ++v) {
      const double gained = gain(v);
      if (gained <= most) continue;
      most = gained;
      best = v;
    }
    if (best == kBusiest || !enter(best)) break;
  }
  for (double& price : prices_) price = std::max(price, 0.0);
}

bool LoadMixture::enter(uint32_t variable) {
  const size_t rows = machines_ + 1;
  std::vector<double> direction(rows, 0);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < rows; ++j) direction[i] += inverse_[i][j] * coefficient(j, variable);
  size_t leaving = rows;
  double ratio = 0;
  for (size_t i = 0; i < rows; ++i) {
    if (direction[i] < 1e-9 || basis_[i] == kBusiest) continue;
    const double r = std::max(value_[i], 0.0) / direction[i];
    if (leaving < rows &&
        (r > ratio + kNothing || (r > ratio - kNothing && direction[i] <= direction[leaving])))
      continue;
    leaving = i;
    ratio = r;
  }
  if (leaving == rows) return false;
  const double pivot = direction[leaving];
  for (double& x : inverse_[leaving]) x /= pivot;
  value_[leaving] = ratio;
  for (size_t i = 0; i < rows; ++i) {
    if (i == leaving || direction[i] == 0) continue;
    for (size_t j = 0; j < rows; ++j) inverse_[i][j] -= direction[i] * inverse_[leaving][j];
    value_[i] -= direction[i] * ratio;
  }
  basis_[leaving] = variable;
  set_prices();
  return true;
}

double LoadMixture::busiest() const {
  const auto at = std::find(basis_.begin(), basis_.end(), kBusiest) - basis_.begin();
  return value_[static_cast<size_t>(at)] * scale_;
}

std::vector<double> LoadMixture::shares() const {
  std::vector<double> out(loads_.size(), 0);
  for (size_t i = 0; i < basis_.size(); ++i)
    if (basis_[i] > machines_) out[basis_[i] - 1 - machines_] = std::max(value_[i], 0.0);
  return out;
}

}  // namespace quadrille
