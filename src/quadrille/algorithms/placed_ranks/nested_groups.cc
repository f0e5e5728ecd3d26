#include "quadrille/algorithms/placed_ranks/nested_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// From so many ranks distances are measured, to know how far members of a group are from its middle.
constexpr uint32_t kSamples = 16;

}  // namespace

NestedGroups::NestedGroups(const Topology& net, std::vector<uint32_t> sides)
    : ranks_(net.num_endpoints()),
      sides_(std::move(sides)),
      strides_(sides_.size(), 1),
      hops_(size_t{ranks_} * ranks_) {
  for_each_distance_row(net, [&](NodeId v, std::span<const uint32_t> row) {
    const size_t from = index(*net.rank(v));
    for (uint32_t to = 0; to < ranks_; ++to)
      hops_[from * ranks_ + to] = static_cast<uint16_t>(row[index(net.endpoint(Rank{to}))]);
  });
  for (size_t d = sides_.size() - 1; d-- > 0;) strides_[d] = strides_[d + 1] * sides_[d + 1];
  if (is_grid() && std::ranges::all_of(sides_, [&](uint32_t side) { return side == sides_.front(); }))
    classes_ = static_cast<uint32_t>(sides_.size());
  sizes_ = is_grid() ? boxes_of_grid() : balls();
}

uint32_t NestedGroups::place(uint32_t rank, size_t dimension) const {
  return rank / strides_[dimension] % sides_[dimension];
}

GroupSizes NestedGroups::boxes_of_grid() const {
  uint32_t middle = 0;
  for (size_t d = 0; d < sides_.size(); ++d) middle += sides_[d] / 2 * strides_[d];
  return GroupSizes::boxes(sides_, [&](size_t d, uint32_t length) {
    uint64_t all = 0;
    for (uint32_t x = 0; x < length; ++x)
      all += hops(middle, middle - length / 2 * strides_[d] + x * strides_[d]);
    return static_cast<double>(all) / length;
  });
}

GroupSizes NestedGroups::balls() const {
  std::vector<double> nearest(ranks_ + size_t{1}, 0);
  const uint32_t samples = std::min(ranks_, kSamples);
  std::vector<uint16_t> row;
  for (uint32_t s = 0; s < samples; ++s) {
    const auto from = static_cast<ptrdiff_t>(uint64_t{s} * ranks_ / samples * ranks_);
    row.assign(hops_.begin() + from, hops_.begin() + from + ranks_);
    std::ranges::sort(row);
    uint64_t sum = 0;
    for (uint32_t m = 1; m <= ranks_; ++m) nearest[m] += static_cast<double>(sum += row[m - 1]) / m / samples;
  }
  return GroupSizes::balls(nearest);
}

std::vector<GroupLevel> NestedGroups::levels(uint32_t count, uint32_t klass) const {
  std::vector<GroupLevel> out;
  std::vector<Group> groups(1, Group(ranks_));
  std::iota(groups.front().begin(), groups.front().end(), 0U);
  for (const GroupSizes::Size& size : sizes_->best(count).sizes) {
    if (is_grid()) {
      out.push_back(boxes(size, klass));
      continue;
    }
    std::vector<Group> inner;
    for (Group& group : groups) {
      const auto parts = static_cast<uint32_t>((group.size() + size.front() / 2) / size.front());
      cut(std::move(group), std::max(1U, parts), inner);
    }
    groups.swap(inner);
    out.push_back(level_of(groups));
  }
  return out;
}

GroupLevel NestedGroups::boxes(const GroupSizes::Size& size, uint32_t klass) const {
  const size_t dimensions = sides_.size();
  GroupLevel out{.groups = 1,
                 .places = 1,
                 .group_of = std::vector<uint32_t>(ranks_, 0),
                 .place_of = std::vector<uint32_t>(ranks_, 0)};
  std::vector<uint32_t> parts(dimensions);
  std::vector<uint32_t> length(dimensions);
  for (size_t d = 0; d < dimensions; ++d) {
    length[d] = size[(d + klass) % dimensions];
    parts[d] = (sides_[d] + length[d] - 1) / length[d];
    out.groups *= parts[d];
    out.places *= length[d];
  }
  // Part i of a side begins at the place floor(i side / parts).
  const auto begin_of = [&](size_t d, uint32_t part) { return part * sides_[d] / parts[d]; };
  for (uint32_t v = 0; v < ranks_; ++v) {
    for (size_t d = 0; d < dimensions; ++d) {
      const uint32_t x = place(v, d);
      uint32_t part = x * parts[d] / sides_[d];
      if (part + 1 < parts[d] && begin_of(d, part + 1) <= x) ++part;
      const uint32_t here = begin_of(d, part + 1) - begin_of(d, part);
      out.group_of[v] = out.group_of[v] * parts[d] + part;
      out.place_of[v] = out.place_of[v] * length[d] + ((x - begin_of(d, part)) * length[d] + here - 1) / here;
    }
  }
  out.members.resize(size_t{out.groups} * out.places);
  for (uint32_t g = 0; g < out.groups; ++g) {
    for (uint32_t p = 0; p < out.places; ++p) {
      uint32_t rank = 0;
      for (size_t d = dimensions, group = g, spot = p; d-- > 0; group /= parts[d], spot /= length[d]) {
        const auto part = static_cast<uint32_t>(group % parts[d]);
        const uint32_t here = begin_of(d, part + 1) - begin_of(d, part);
        rank +=
            (begin_of(d, part) + static_cast<uint32_t>(spot % length[d]) * here / length[d]) * strides_[d];
      }
      out.members[size_t{g} * out.places + p] = rank;
    }
  }
  return out;
}

GroupLevel NestedGroups::level_of(const std::vector<Group>& groups) const {
  GroupLevel out{.groups = static_cast<uint32_t>(groups.size()),
                 .places = 0,
                 .group_of = std::vector<uint32_t>(ranks_),
                 .place_of = std::vector<uint32_t>(ranks_)};
  for (const Group& group : groups) out.places = std::max(out.places, static_cast<uint32_t>(group.size()));
  for (uint32_t g = 0; g < out.groups; ++g) {
    const auto size = static_cast<uint32_t>(groups[g].size());
    for (uint32_t i = 0; i < size; ++i) {
      out.group_of[groups[g][i]] = g;
      out.place_of[groups[g][i]] = (i * out.places + size - 1) / size;
    }
    for (uint32_t p = 0; p < out.places; ++p) out.members.push_back(groups[g][p * size / out.places]);
  }
  return out;
}

std::vector<NestedGroups::Group> NestedGroups::parts_of(Group group, uint32_t parts) const {
  std::vector<Group> out;
  if (!is_grid()) {
    const auto most = static_cast<uint32_t>(group.size());
    cut(std::move(group), std::min(parts, most), out);
    return out;
  }
  out.push_back(std::move(group));
  for (uint32_t left = parts; left > 1;) {
    uint32_t slices = 2;
    while (left % slices != 0) ++slices;
    left /= slices;
    std::vector<Group> smaller;
    for (Group& part : out) slice(std::move(part), slices, smaller);
    out.swap(smaller);
  }
  return out;
}

void NestedGroups::slice(Group group, uint32_t slices, std::vector<Group>& out) const {
  size_t longest = 0;
  uint32_t longest_low = 0;
  uint32_t length = 0;
  uint32_t most_hops = 0;
  for (size_t d = 0; d < sides_.size(); ++d) {
    const auto [low, high] = std::ranges::minmax(group, {}, [&](uint32_t v) { return place(v, d); });
    // Half way, since a ring that is whole ends beside its beginning.
    const uint32_t here = place(high, d) - place(low, d) + 1;
    const uint32_t far = hops(low, low + here / 2 * strides_[d]);
    if (here < 2 || std::pair(far, here) <= std::pair(most_hops, length)) continue;
    longest = d;
    longest_low = place(low, d);
    length = here;
    most_hops = far;
  }
  if (length < 2) {
    out.push_back(std::move(group));
    return;
  }
  const uint32_t parts = std::min(slices, length);
  const size_t first = out.size();
  out.resize(first + parts);
  for (const uint32_t v : group)
    out[first + size_t{place(v, longest) - longest_low} * parts / length].push_back(v);
}

void NestedGroups::cut(Group group, uint32_t parts, std::vector<Group>& out) const {
  if (parts <= 1 || group.size() == 1) {
    out.push_back(std::move(group));
    return;
  }
  const auto farthest = [&](uint32_t from) {
    return *std::ranges::max_element(group, {}, [&](uint32_t v) { return hops(from, v); });
  };
  const uint32_t one = farthest(group.front());
  const uint32_t other = farthest(one);
  std::ranges::stable_sort(group, {}, [&](uint32_t v) {
    return static_cast<int32_t>(hops(one, v)) - static_cast<int32_t>(hops(other, v));
  });
  const uint32_t left = parts / 2;
  const auto middle = static_cast<ptrdiff_t>(
      std::clamp<size_t>((group.size() * left + parts / 2) / parts, 1, group.size() - 1));
  Group rest(group.begin() + middle, group.end());
  group.resize(static_cast<size_t>(middle));
  cut(std::move(group), left, out);
  cut(std::move(rest), parts - left, out);
}

}  // namespace quadrille
