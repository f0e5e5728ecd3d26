#include "quadrille/compile/lending/loan_words.h"

#include <algorithm>
#include <array>

#include "quadrille/base/text.h"

namespace quadrille {
namespace {

struct Word {
  std::string_view begins{};
  std::string_view meaning{};
};

// In the order of loan.h; what begins like another stands before it. An underscore at the end: a figure or a name follows.
constexpr std::array kWords = {
    Word{"packets", "a plan for messages of any number of packets, each over one link"},
    Word{"packet", "a plan for single packets, each over one link in a step"},
    Word{"wormhole", "a plan for paths that share no link, though here they might"},
    Word{"ports_", "a plan for nodes that have fewer ports"},
    Word{"reversed",
         "a plan for the reverse (scatter for gather, broadcast for reduce, ..) over the links the other way "
         "round, read from its end to its beginning"},
    Word{"from_", "what is needed of a plan for the collective that is named here, which does more"},
    Word{
        "personalised",
        "a scatter along the ways of a broadcast, or an alltoall along those of an allgather: messages carry "
        "what is for all behind them"},
    Word{"together", "a plan for blocks in one piece, with all pieces of a block in one message"},
    Word{"in_turn",
         "a plan for blocks in one piece, for one piece after the other; a figure is how many go at a time"},
    Word{
        "merged",
        "a plan for single packets with several of its steps made one, in messages of many packets; a figure "
        "is the most that go into one"},
    Word{
        "through_ports",
        "a plan for single packets and nodes with all ports, in messages of many packets that go through the "
        "ports there are, one after another; a figure is the most that go into one"},
    Word{
        "mirrored",
        "a plan for half of every block, and in the same steps its mirror image, by a symmetry of the network, "
        "for the other half"},
    Word{"compacted", "a plan with every transfer in the earliest step that has room for it"},
    Word{"half_duplex", "a plan for links that carry both ways at once, its steps parted"},
    Word{"one_way", "a plan for links that carry one way at a time"},
    Word{"as_", "a plan for the network that is named here, which this one is under other numbers"},
};
constexpr std::string_view kPlus = "two plans, one after the other";

std::string_view meaning_of(std::string_view word) {
  for (const Word& each : kWords) {
    const bool may_have_figure =
        each.begins == "merged" || each.begins == "through_ports" || each.begins == "in_turn";
    const bool with_figure =
        may_have_figure && word.starts_with(each.begins) && word.substr(each.begins.size()).starts_with('_');
    const bool more = each.begins.ends_with('_') || with_figure;
    if (more ? word.starts_with(each.begins) : word == each.begins) return each.meaning;
  }
  return {};
}

}  // namespace

std::vector<NamePart> parts_of_name(std::string_view name) {
  std::vector<NamePart> out;
  std::string word;
  int depth = 0;
  bool in_member = false;  // NAME:MEMBER, of which the algorithm knows the rest
  const auto end_word = [&](bool is_loan) {
    if (!word.empty()) out.push_back({word, is_loan ? meaning_of(word) : std::string_view()});
    word.clear();
  };
  if (name.find(" + ") != std::string_view::npos) out.push_back({"+", kPlus});
  for (const char c : name) {
    if (c == '(' && !in_member) {
      end_word(true);
      ++depth;
    } else if (c == ')' && depth > 0) {
      in_member = false;
      end_word(false);
      --depth;
    } else if (c == ' ' || c == '+') {
      in_member = false;
      end_word(false);
    } else if (c == ':') {
      in_member = true;
    } else if (!in_member) {
      word += c;
    }
  }
  end_word(false);
  if (depth != 0) out.clear();
  return out;
}

}  // namespace quadrille
