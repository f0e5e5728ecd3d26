// Port matching: which links are used in a step, where ports are short.
//
// Of all sets of transfers for which nodes have ports one that leaves out no sender with much to do, and then no receiver, if that can
// be helped: one sender after another, those with most left to do first, gets a transfer, for which others are sent elsewhere
// (augmenting paths); then one receiver after another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

class PortMatching {
 public:
  struct Links {
    std::vector<uint32_t> tail{};
    std::vector<uint32_t> head{};
    std::vector<uint32_t> capacity{};
  };
  /// Whether a node tries its links one after the other, and where an end is taken sends others elsewhere at once, or looks for a free
  /// end at all of them first, which is faster where nodes are many. The former makes some plans a step
  /// shorter (alltoall with two ports on slim_fly(5)), the latter others (clos(4)).
  enum class Search : uint8_t { kLinkByLink, kFreeFirst };
  PortMatching(uint32_t nodes, Links links, uint64_t send_ports, uint64_t receive_ports, Search search);

  /// Transfers that are still to be made, this step's included.
  struct Work {
    std::span<const uint64_t> over;  ///< per link
    std::span<const uint64_t> out;   ///< per node
    std::span<const uint64_t> in;
  };
  /// Whether a step begins with nothing, or with what the last one used and something waits for again; which is far less work where
  /// plans are long, as from step to step little changes. After some of these one should begin anew, since whoever has no transfer
  /// then may be somebody with much to do.
  enum class Start : uint8_t { kAnew, kFromLast };
  /// Transfers over each link in this step. `order`: the links for which something waits; of those of a node that have as much left to
  /// carry the first ones count as first. `tight_first`: links that have to go in nearly every step that is left come before all
  /// others. Valid until the next call.
  std::span<const uint32_t> match(std::span<const uint32_t> order, std::span<const uint32_t> waiting,
                                  const Work& work, bool tight_first, Start start = Start::kAnew);

 private:
  // Links of a step by a node, those with most left to carry first, with their other ends; where their numbers are in order, of all
  // links, as of one step what was sorted in the one before is nearly in order.
  struct Ends {
    struct End {
      uint32_t link;
      uint32_t node;  // at the other end
    };
    std::vector<uint32_t> begin{};
    std::vector<End> ends{};

    // Of those in `order`, which come first of as many.
    void fill(std::span<const uint32_t> order, std::span<const uint32_t> node_of,
              std::span<const uint32_t> other_of, size_t nodes);
    // By what is left to carry; of as much in the order of their numbers, or as they lie.
    void sort(std::span<const uint64_t> rest, bool by_number);
    [[nodiscard]] std::span<const End> of(uint32_t v) const {
      return std::span(ends).subspan(begin[v], begin[v + 1] - begin[v]);
    }
  };
  // What a search asks of a link, side by side.
  struct Use {
    uint32_t used = 0;
    uint32_t fixed = 0;  // of these, those that nobody may take away
    uint32_t most = 0;   // that the link has room for in this step, of what waits

    [[nodiscard]] bool has_room() const { return used < most; }
  };

  // With one port at each end, which is what long plans have: a node's transfer is one link, and nobody has to look for it.
  std::span<const uint32_t> match_one_each(std::span<const uint32_t> order, Start start);
  void list_links(std::span<const uint32_t> order, bool is_sorted);
  void list_all_links();
  // Whether something waits again for all that the last step used. If all nodes sent as much as they can, there is nothing to look for.
  [[nodiscard]] bool keeps_all() const;
  // Of the last step, what something waits for.
  void keep_last();
  void keep_last_one_each();
  bool send_one(uint32_t v);
  bool receive_one(uint32_t w, uint32_t first);
  void use_one(uint32_t v, uint32_t w, uint32_t link) { one_from_[v] = one_into_[w] = link; }

  void look_at(uint32_t v) {
    seen_[v] = search_;
    looked_at_.push_back(v);
  }
  void look_again();

  void take_tight_links(std::span<const uint32_t> order);
  // As much over each link, one after the other, as it and the ports at its ends have room for.
  void fill_up(std::span<const uint32_t> order);
  // Nodes with something left, most of it first. Little changes from step to step, so the last order is nearly this one.
  static void by_rest(std::vector<uint32_t>& nodes, std::span<const uint64_t> rest,
                      const std::vector<uint32_t>& taken);
  void use(uint32_t link, uint32_t v, uint32_t w) {
    ++uses_[link].used;
    ++sent_[v];
    ++received_[w];
  }
  void leave(uint32_t link, uint32_t v, uint32_t w) {
    --uses_[link].used;
    --sent_[v];
    --received_[w];
  }
  // One transfer more from a node, with others of its receivers' senders sent elsewhere.
  bool send_more(uint32_t v);
  // One more into a node; a receiver that has less to do than `first` may lose one for it.
  bool receive_more(uint32_t w, uint32_t first);

  Links links_;
  uint64_t send_ports_;
  uint64_t receive_ports_;
  bool frees_first_;
  uint64_t most_links_ = 1;  // that any node has, wide ones as often as they are wide

  // Of a step.
  Work work_{};
  std::span<const uint32_t> waiting_;
  std::vector<uint32_t> used_;  // as the last call left it
  std::vector<Use> uses_;
  std::vector<uint32_t> sent_;
  std::vector<uint32_t> received_;
  bool is_full_ = false;  // whether all nodes sent as much as they can
  uint64_t send_limit_ = 1;
  uint64_t receive_limit_ = 1;
  Ends from_;
  Ends into_;
  bool holds_all_ = false;  // whether these have all links
  // Of one port each the link of each node that is used.
  std::vector<uint32_t> one_from_{};
  std::vector<uint32_t> one_into_{};
  std::vector<uint32_t> senders_;
  std::vector<uint32_t> receivers_;
  std::vector<uint32_t> tight_;
  // In which pass a node was looked at. What a search in vain has looked at leads nowhere for the whole pass: no way that is found
  // later passes it. Whatever one that ends well has looked at may be looked at again.
  std::vector<uint64_t> seen_;
  std::vector<uint32_t> looked_at_;
  uint64_t search_ = 0;
};

}  // namespace quadrille
