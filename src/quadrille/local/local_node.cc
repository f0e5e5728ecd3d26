#include "quadrille/local/local_node.h"

namespace quadrille {

void LocalOutbox::send(NodeId to, const LocalMessage& message, Copy copy) {
  send_worm(std::span(&to, 1), std::span(&message, 1), copy);
}

void LocalOutbox::send_worm(std::span<const NodeId> route, std::span<const LocalMessage> messages,
                            Copy copy) {
  route_.insert(route_.end(), route.begin(), route.end());
  messages_.insert(messages_.end(), messages.begin(), messages.end());
  letters_.push_back({static_cast<uint32_t>(route_.size()), static_cast<uint32_t>(messages_.size()), copy});
}

void LocalOutbox::clear() {
  letters_.clear();
  route_.clear();
  messages_.clear();
}

std::span<const NodeId> LocalOutbox::route(size_t i) const {
  const uint32_t begin = i == 0 ? 0 : letters_[i - 1].route_end;
  return std::span(route_).subspan(begin, letters_[i].route_end - begin);
}

std::span<const LocalMessage> LocalOutbox::messages(size_t i) const {
  const uint32_t begin = i == 0 ? 0 : letters_[i - 1].messages_end;
  return std::span(messages_).subspan(begin, letters_[i].messages_end - begin);
}

}  // namespace quadrille
