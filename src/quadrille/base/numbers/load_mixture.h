// Load mixture: of several ways to load some machines, the mixture whose busiest machine has least to do, and prices that
// prove it.
//
//     LoadMixture mixture({4, 2});
//     mixture.add({1, 5});
//     mixture.busiest();     // 3: two thirds of the first and a third of the second
//     mixture.prices();      // a half each: at these both cost 3, and so does every mixture
//
// A small linear program, solved by the simplex method: loads come one by one, as those that are cheapest at the last
// prices (column generation). A mixture takes few of them: no more than there are machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille {

class LoadMixture {
 public:
  /// One number for each machine, none negative and not all 0.
  explicit LoadMixture(const std::vector<double>& first);
  void add(const std::vector<double>& loads);

  /// Of the best mixture of all that were given.
  [[nodiscard]] double busiest() const;
  /// One for each machine, none negative, 1 together: nothing that was given costs less than busiest() at them.
  [[nodiscard]] const std::vector<double>& prices() const { return prices_; }
  /// In what parts the mixture takes them, in the order in which they were given.
  [[nodiscard]] std::vector<double> shares() const;

 private:
  // Of the program: the busiest load, how far each machine is below it, and how much of each is taken.
  static constexpr uint32_t kBusiest = 0;
  [[nodiscard]] uint32_t slack(size_t machine) const { return static_cast<uint32_t>(1 + machine); }
  [[nodiscard]] uint32_t part(size_t i) const { return static_cast<uint32_t>(1 + machines_ + i); }
  [[nodiscard]] double coefficient(size_t row, uint32_t variable) const;
  [[nodiscard]] double gain(uint32_t variable) const;
  void set_prices();
  void optimise();
  bool enter(uint32_t variable);

  size_t machines_;
  double scale_;
  std::vector<std::vector<double>> loads_;
  // One row a machine, busiest - slack - loads = 0, and one that says that the parts are 1 together.
  std::vector<uint32_t> basis_;
  std::vector<double> value_;
  std::vector<std::vector<double>> inverse_;
  std::vector<double> prices_;
  double worth_ = 0;  // of a part, at the prices
};

}  // namespace quadrille
