#include "quadrille/cli/link_rates_report.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/link_rates.h"

namespace quadrille {
namespace {

constexpr size_t kMostListed = 6;
constexpr double kBitsPerMegabyte = 8e6;

std::string arcs_text(uint64_t arcs) { return arcs == 1 ? "1 arc" : with_thousands(arcs) + " arcs"; }

std::string listed(std::vector<std::string> parts) {
  if (parts.size() > kMostListed) {
    const size_t more = parts.size() - kMostListed;
    parts.resize(kMostListed);
    parts.push_back(fmt::format("and {} more", more));
  }
  return join(parts, "; ");
}

void report_bandwidths(const Topology& network, const LinkRates& rates, Report& report) {
  std::map<std::pair<double, uint32_t>, uint64_t> arcs;
  for (const ArcId arc : network.arcs()) ++arcs[{rates.bandwidth[index(arc)], network.capacity(arc)}];
  std::vector<std::string> parts;
  Json json = Json::array();
  for (const auto& [key, count] : arcs) {
    const double bits = key.first * kBitsPerMegabyte;
    parts.push_back(fmt::format("{} of {}: capacity {}", arcs_text(count), bandwidth_text(bits),
                                with_thousands(key.second)));
    Json one = Json::object();
    one.set("bits_per_second", bits).set("capacity", key.second).set("arcs", count);
    json.push(std::move(one));
  }
  report.add("bandwidth", listed(std::move(parts)), std::move(json));
  report.add_json("bits_per_second_of_capacity_1", rates.unit_bandwidth * kBitsPerMegabyte);
}

void report_latencies(const LinkRates& rates, Report& report) {
  std::map<double, uint64_t> arcs;
  for (const double latency : rates.latency) ++arcs[latency];
  std::vector<std::string> parts;
  Json json = Json::array();
  for (const auto& [latency, count] : arcs) {
    parts.push_back(fmt::format("{} of {:.6g} us", arcs_text(count), latency));
    Json one = Json::object();
    one.set("microseconds", latency).set("arcs", count);
    json.push(std::move(one));
  }
  report.add("latency", listed(std::move(parts)), std::move(json));
}

}  // namespace

void report_link_rates(const Topology& network, Report& report) {
  const LinkRates* const rates = network.link_rates();
  if (rates == nullptr) return;
  if (!rates->bandwidth.empty()) report_bandwidths(network, *rates, report);
  if (!rates->latency.empty()) report_latencies(*rates, report);
}

}  // namespace quadrille
