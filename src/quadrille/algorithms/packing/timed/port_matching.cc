#include "quadrille/algorithms/packing/timed/port_matching.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quadrille {
namespace {

// A link is tight where all but one step in so many must use it.
constexpr uint64_t kSlack = 16;
constexpr uint32_t kNoLink = UINT32_MAX;

// Of lists that are short, or nearly in order.
template <typename Item, typename Less>
void insertion_sort(std::span<Item> list, Less less) {
  for (size_t i = 1; i < list.size(); ++i) {
    const Item moved = list[i];
    size_t at = i;
    for (; at > 0 && less(moved, list[at - 1]); --at) list[at] = list[at - 1];
    list[at] = moved;
  }
}

}  // namespace

PortMatching::PortMatching(uint32_t nodes, Links links, uint64_t send_ports, uint64_t receive_ports,
                           Search search)
    : links_(std::move(links)),
      send_ports_(send_ports),
      receive_ports_(receive_ports),
      frees_first_(search == Search::kFreeFirst),
      used_(links_.tail.size(), 0),
      uses_(links_.tail.size()),
      sent_(nodes, 0),
      received_(nodes, 0),
      senders_(nodes),
      receivers_(nodes),
      seen_(nodes, 0) {
  std::iota(senders_.begin(), senders_.end(), 0U);
  receivers_ = senders_;
  std::vector<uint64_t> out(nodes, 0);
  std::vector<uint64_t> in(nodes, 0);
  for (size_t link = 0; link < links_.tail.size(); ++link)
    most_links_ = std::max({most_links_, out[links_.tail[link]] += links_.capacity[link],
                            in[links_.head[link]] += links_.capacity[link]});
}

void PortMatching::Ends::fill(std::span<const uint32_t> order, std::span<const uint32_t> node_of,
                              std::span<const uint32_t> other_of, size_t nodes) {
  begin.assign(nodes + 1, 0);
  for (const uint32_t link : order) ++begin[node_of[link]];
  uint32_t sum = 0;
  for (uint32_t& at : begin) sum = at += sum;
  ends.resize(order.size());
  for (size_t i = order.size(); i-- > 0;) ends[--begin[node_of[order[i]]]] = {order[i], other_of[order[i]]};
}

void PortMatching::Ends::sort(std::span<const uint64_t> rest, bool by_number) {
  for (size_t v = 0; v + 1 < begin.size(); ++v) {
    insertion_sort(
        std::span(ends).subspan(begin[v], begin[v + 1] - begin[v]), [&](const End& a, const End& b) {
          return rest[a.link] != rest[b.link] ? rest[a.link] > rest[b.link] : by_number && a.link < b.link;
        });
  }
}

void PortMatching::list_all_links() {
  if (std::exchange(holds_all_, true)) return;
  std::vector<uint32_t> all(used_.size());
  std::iota(all.begin(), all.end(), 0U);
  from_.fill(all, links_.tail, links_.head, sent_.size());
  into_.fill(all, links_.head, links_.tail, sent_.size());
}

void PortMatching::list_links(std::span<const uint32_t> order, bool is_sorted) {
  const bool takes_all = frees_first_ && is_sorted;
  if (takes_all) {
    list_all_links();
  } else {
    from_.fill(order, links_.tail, links_.head, sent_.size());
    into_.fill(order, links_.head, links_.tail, sent_.size());
    holds_all_ = false;
  }
  from_.sort(work_.over, takes_all);
  into_.sort(work_.over, takes_all);
}

std::span<const uint32_t> PortMatching::match(std::span<const uint32_t> order,
                                              std::span<const uint32_t> waiting, const Work& work,
                                              bool tight_first, Start start) {
  work_ = work;
  waiting_ = waiting;
  if (start == Start::kFromLast && is_full_ && keeps_all()) return used_;
  const bool is_sorted = std::ranges::is_sorted(order);
  if (frees_first_ && send_ports_ <= 1 && receive_ports_ <= 1 && !tight_first && is_sorted)
    return match_one_each(order, start);
  list_links(order, is_sorted);
  // One port after another: nobody gets a second transfer before all had a chance of the first.
  const uint64_t most = std::min(std::max(send_ports_, receive_ports_), most_links_);
  uint64_t port = 1;
  if (start == Start::kFromLast) {
    keep_last();
    port = most;
  } else {
    for (size_t link = 0; link < uses_.size(); ++link)
      uses_[link] = {.most = std::min(waiting_[link], links_.capacity[link])};
    std::ranges::fill(sent_, 0U);
    std::ranges::fill(received_, 0U);
    if (tight_first) take_tight_links(order);
  }
  for (; port <= most; ++port) {
    send_limit_ = std::min(port, send_ports_);
    receive_limit_ = std::min(port, receive_ports_);
    by_rest(senders_, work.out, sent_);
    ++search_;
    for (const uint32_t v : senders_) {
      if (work.out[v] == 0) break;
      looked_at_.clear();
      if (sent_[v] < send_limit_ && send_more(v)) look_again();
    }
    by_rest(receivers_, work.in, received_);
    for (const uint32_t v : receivers_) {
      if (work.in[v] == 0) break;
      ++search_;
      looked_at_.clear();
      if (received_[v] < receive_limit_) receive_more(v, v);
    }
  }
  fill_up(order);
  is_full_ = std::ranges::all_of(sent_, [this](uint32_t sent) { return sent == send_ports_; });
  for (size_t link = 0; link < uses_.size(); ++link) used_[link] = uses_[link].used;
  return used_;
}

bool PortMatching::keeps_all() const {
  for (size_t link = 0; link < used_.size(); ++link)
    if (used_[link] > waiting_[link]) return false;
  return true;
}

void PortMatching::keep_last() {
  std::ranges::fill(sent_, 0U);
  std::ranges::fill(received_, 0U);
  for (size_t link = 0; link < uses_.size(); ++link) {
    Use& use = uses_[link];
    use.most = std::min(waiting_[link], links_.capacity[link]);
    use.used = std::min(used_[link], waiting_[link]);
    use.fixed = std::min(use.fixed, use.used);
    sent_[links_.tail[link]] += use.used;
    received_[links_.head[link]] += use.used;
  }
}

void PortMatching::keep_last_one_each() {
  for (size_t v = 0; v < one_from_.size(); ++v) {
    const uint32_t link = one_from_[v];
    if (link == kNoLink || waiting_[link] > 0) continue;
    one_into_[links_.head[link]] = kNoLink;
    one_from_[v] = kNoLink;
  }
}

std::span<const uint32_t> PortMatching::match_one_each(std::span<const uint32_t> order, Start start) {
  if (start == Start::kFromLast && !one_from_.empty()) {
    keep_last_one_each();
  } else {
    one_from_.assign(sent_.size(), kNoLink);
    one_into_.assign(sent_.size(), kNoLink);
  }
  list_all_links();
  from_.sort(work_.over, true);
  for (size_t v = 0; v < sent_.size(); ++v) sent_[v] = one_from_[v] == kNoLink ? 0 : 1;
  by_rest(senders_, work_.out, sent_);
  size_t count = 0;
  ++search_;
  for (const uint32_t v : senders_) {
    if (work_.out[v] == 0) break;
    if (one_from_[v] == kNoLink) {
      looked_at_.clear();
      if (!send_one(v)) continue;
      look_again();
    }
    ++count;
  }
  // Whoever has been found a receiver keeps one, though perhaps not the same.
  if (count < received_.size()) {
    into_.sort(work_.over, true);
    for (size_t w = 0; w < received_.size(); ++w) received_[w] = one_into_[w] == kNoLink ? 0 : 1;
    by_rest(receivers_, work_.in, received_);
    uint64_t last = 0;
    for (const uint32_t w : receivers_) {
      if (work_.in[w] == 0) break;
      if (one_into_[w] != kNoLink) continue;
      // One that has lost its transfer may take it from others than the one before could.
      if (work_.in[w] > std::exchange(last, work_.in[w])) ++search_;
      looked_at_.clear();
      if (receive_one(w, w)) look_again();
    }
    for (const uint32_t link : order) {
      const uint32_t v = links_.tail[link];
      const uint32_t w = links_.head[link];
      if (waiting_[link] > 0 && one_from_[v] == kNoLink && one_into_[w] == kNoLink) use_one(v, w, link);
    }
  }
  std::ranges::fill(used_, 0U);
  is_full_ = true;
  for (const uint32_t link : one_from_) {
    if (link != kNoLink) used_[link] = 1;
    is_full_ = is_full_ && link != kNoLink;
  }
  return used_;
}

void PortMatching::look_again() {
  for (const uint32_t v : looked_at_) seen_[v] = 0;
}

// As send_more(): a node that looks for a receiver has none, so that none of its links is used.
bool PortMatching::send_one(uint32_t v) {
  const std::span<const Ends::End> ends = from_.of(v);
  for (const auto [link, w] : ends) {
    if (one_into_[w] != kNoLink || waiting_[link] == 0) continue;
    use_one(v, w, link);
    return true;
  }
  for (const auto [link, w] : ends) {
    if (waiting_[link] == 0 || seen_[w] == search_) continue;
    look_at(w);
    const uint32_t u = links_.tail[one_into_[w]];
    if (!send_one(u)) continue;
    use_one(v, w, link);
    return true;
  }
  return false;
}

bool PortMatching::receive_one(uint32_t w, uint32_t first) {
  const std::span<const Ends::End> ends = into_.of(w);
  for (const auto [link, v] : ends) {
    if (one_from_[v] != kNoLink || waiting_[link] == 0) continue;
    use_one(v, w, link);
    return true;
  }
  for (const auto [link, v] : ends) {
    if (waiting_[link] == 0 || seen_[v] == search_) continue;
    look_at(v);
    const uint32_t u = links_.head[one_from_[v]];
    if (work_.in[u] < work_.in[first])
      one_into_[u] = kNoLink;
    else if (!receive_one(u, first))
      continue;
    use_one(v, w, link);
    return true;
  }
  return false;
}

void PortMatching::fill_up(std::span<const uint32_t> order) {
  for (const uint32_t link : order) {
    const uint32_t v = links_.tail[link];
    const uint32_t w = links_.head[link];
    while (uses_[link].has_room() && sent_[v] < send_ports_ && received_[w] < receive_ports_) use(link, v, w);
  }
}

void PortMatching::take_tight_links(std::span<const uint32_t> order) {
  const auto steps_for = [](uint64_t work, uint64_t a_step) { return (work + a_step - 1) / a_step; };
  uint64_t left = 0;
  for (size_t v = 0; v < sent_.size(); ++v)
    left = std::max({left, steps_for(work_.out[v], send_ports_), steps_for(work_.in[v], receive_ports_)});
  for (size_t link = 0; link < uses_.size(); ++link)
    left = std::max(left, steps_for(work_.over[link], links_.capacity[link]));
  tight_.clear();
  for (const uint32_t link : order)
    if (steps_for(work_.over[link], links_.capacity[link]) + left / kSlack + 1 >= left)
      tight_.push_back(link);
  std::stable_sort(tight_.begin(), tight_.end(), [this](uint32_t a, uint32_t b) {
    return work_.over[a] * links_.capacity[b] > work_.over[b] * links_.capacity[a];
  });
  for (const uint32_t link : tight_) {
    fill_up({&link, 1});
    uses_[link].fixed = uses_[link].used;
  }
}

void PortMatching::by_rest(std::vector<uint32_t>& nodes, std::span<const uint64_t> rest,
                           const std::vector<uint32_t>& taken) {
  insertion_sort(std::span(nodes), [&](uint32_t a, uint32_t b) {
    if ((rest[a] == 0) != (rest[b] == 0)) return rest[b] == 0;
    const uint64_t here = rest[a] - std::min<uint64_t>(rest[a], taken[a]);
    const uint64_t there = rest[b] - std::min<uint64_t>(rest[b], taken[b]);
    return here != there ? here > there : a < b;
  });
}

bool PortMatching::send_more(uint32_t v) {
  const std::span<const Ends::End> ends = from_.of(v);
  const auto takes_free = [&](const Ends::End& end) {
    if (received_[end.node] >= receive_limit_) return false;
    use(end.link, v, end.node);
    return true;
  };
  const auto is_open = [&](const Ends::End& end) {
    return uses_[end.link].has_room() && seen_[end.node] != search_;
  };
  if (frees_first_) {
    for (const Ends::End& end : ends)
      if (is_open(end) && takes_free(end)) return true;
  }
  for (const Ends::End& end : ends) {
    if (!is_open(end)) continue;
    if (!frees_first_ && takes_free(end)) return true;
    const uint32_t w = end.node;
    look_at(w);
    for (const auto [other, u] : into_.of(w)) {
      if (uses_[other].used == uses_[other].fixed || u == v) continue;
      leave(other, u, w);
      if (send_more(u)) {
        use(end.link, v, w);
        return true;
      }
      use(other, u, w);
    }
  }
  return false;
}

bool PortMatching::receive_more(uint32_t w, uint32_t first) {
  const std::span<const Ends::End> ends = into_.of(w);
  const auto takes_free = [&](const Ends::End& end) {
    if (sent_[end.node] >= send_limit_) return false;
    use(end.link, end.node, w);
    return true;
  };
  const auto is_open = [&](const Ends::End& end) {
    return uses_[end.link].has_room() && seen_[end.node] != search_;
  };
  if (frees_first_) {
    for (const Ends::End& end : ends)
      if (is_open(end) && takes_free(end)) return true;
  }
  for (const Ends::End& end : ends) {
    if (!is_open(end)) continue;
    if (!frees_first_ && takes_free(end)) return true;
    const uint32_t v = end.node;
    seen_[v] = search_;
    for (const auto [other, u] : from_.of(v)) {
      if (uses_[other].used == uses_[other].fixed || u == w) continue;
      leave(other, v, u);
      if (work_.in[u] < work_.in[first] || receive_more(u, first)) {
        use(end.link, v, w);
        return true;
      }
      use(other, v, u);
    }
  }
  return false;
}

}  // namespace quadrille
