#include "exchange_senders.h"

#include <algorithm>
#include <bit>
#include <sstream>

#include "quadrille/base/input_error.h"

namespace quadrille::search_tool {
namespace {

int modulo(int x, int n) { return ((x % n) + n) % n; }
Mask bit(int k) { return Mask{1} << k; }

struct Use {
  Bundle sum{};
  void add(const Bundle& b) {
    sum.up |= b.up;
    sum.down |= b.down;
    sum.senders |= b.senders;
    sum.receivers |= b.receivers;
  }
};

Use use_of(const Phase& phase, const std::vector<Bundle>& bundles) {
  Use out;
  for (const int b : phase) out.add(bundles[b]);
  return out;
}

}  // namespace

Senders::Senders(const Shape& shape) : shape_(shape) {
  const int n = shape.length;
  if (n < 2 || n > 64) throw InputError("2 to 64 nodes");
  if (shape_.turn == 0 || shape_.line) shape_.turn = n;
  if (n % shape_.turn != 0) throw InputError("the turn must divide the length");
  index_.assign(size_t(n) * n * 2, -1);
  for (int from = 0; from < n; ++from) {
    for (int places = 1; places < n; ++places) {
      for (const bool up : {true, false}) {
        const int to = up ? from + places : from - places;
        if (shape_.line && (to < 0 || to >= n)) continue;
        index_[(from * n + places) * 2 + (up ? 0 : 1)] = int(worms_.size());
        worms_.push_back({from, places, up, modulo(to, n)});
      }
    }
  }
  for (int places = 0; places < n; places += shape_.turn) {
    for (const bool over : {false, true}) {
      if (over && !shape_.mirrored) continue;
      std::vector<int> nodes(n);
      for (int v = 0; v < n; ++v)
        nodes[v] = over ? modulo((shape_.line ? n - 1 : 1 + places) - v, n) : (v + places) % n;
      std::vector<int> images;
      for (const Worm& w : worms_) images.push_back(find(nodes[w.from], w.places, w.up != over));
      node_images_.push_back(std::move(nodes));
      worm_images_.push_back(std::move(images));
    }
  }
  bundle_of_.assign(worms_.size(), -1);
  for (int w = 0; w < int(worms_.size()); ++w) {
    if (bundle_of_[w] < 0) add_bundle(w);
  }
  backward_.resize(bundles_.size());
  for (size_t w = 0; w < worms_.size(); ++w)
    backward_[bundle_of_[w]] = bundle_of_[find(worms_[w].to, worms_[w].places, !worms_[w].up)];
  Mask seen = 0;
  for (int v = 0; v < n; ++v) {
    if ((seen & bit(v)) != 0) continue;
    sources_.push_back(v);
    for (const std::vector<int>& image : node_images_) {
      if (image[v] == v && &image != &node_images_.front())
        throw InputError("a node is its own mirror image: not for this length and turn");
      seen |= bit(image[v]);
    }
  }
}

void Senders::add_bundle(int worm) {
  const int n = shape_.length;
  Bundle out;
  for (const std::vector<int>& images : worm_images_) {
    const int image = images[worm];
    if (bundle_of_[image] >= 0) continue;
    bundle_of_[image] = int(bundles_.size());
    out.worms.push_back(image);
    const Worm& w = worms_[image];
    Mask links = 0;
    for (int k = 0; k < w.places; ++k) links |= bit(modulo(w.up ? w.from + k : w.from - 1 - k, n));
    Mask& way = w.up ? out.up : out.down;
    if ((way & links) != 0 || (out.senders & bit(w.from)) != 0 || (out.receivers & bit(w.to)) != 0)
      out.possible = false;
    way |= links;
    out.senders |= bit(w.from);
    out.receivers |= bit(w.to);
  }
  if (!shape_.line && 2 * worms_[worm].places > n) out.possible = false;
  if (out.possible) possible_.push_back(int(bundles_.size()));
  bundles_.push_back(std::move(out));
}

int Senders::find(int from, int places, bool up) const {
  const int n = shape_.length;
  if (from < 0 || from >= n || places < 1 || places >= n) return -1;
  return index_[(from * n + places) * 2 + (up ? 0 : 1)];
}

Phase Senders::backward(const Phase& phase) const {
  Phase out;
  for (const int b : phase) out.push_back(backward_[b]);
  std::sort(out.begin(), out.end());
  return out;
}

Phase Senders::turned(const Phase& phase, int places) const {
  Phase out;
  for (const int b : phase) {
    const Worm& w = worms_[bundles_[b].worms.front()];
    out.push_back(bundle_of_[find((w.from + places) % length(), w.places, w.up)]);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool Senders::fits(const Phase& phase) const {
  Use use;
  for (const int b : phase) {
    if (!bundles_[b].possible || meet(use.sum, bundles_[b])) return false;
    use.add(bundles_[b]);
  }
  return true;
}

void Senders::fill(Phase& phase, std::mt19937_64& random) const {
  const Use use = use_of(phase, bundles_);
  std::vector<int> left;
  for (const int b : possible_) {
    if (!meet(use.sum, bundles_[b])) left.push_back(b);
  }
  while (!left.empty()) {
    const int chosen = left[random() % left.size()];
    phase.push_back(chosen);
    std::erase_if(left, [&](int b) { return meet(bundles_[b], bundles_[chosen]); });
  }
  std::sort(phase.begin(), phase.end());
}

Phases Senders::all_full_phases() const {
  Phases out;
  Phase phase;
  // Each possible bundle in turn: taken, or left out for the sake of a later one.
  const auto extend = [&](auto&& self, size_t next) -> void {
    const Use use = use_of(phase, bundles_);
    if (next == possible_.size()) {
      const bool full =
          std::all_of(possible_.begin(), possible_.end(), [&](int b) { return meet(use.sum, bundles_[b]); });
      if (full) out.push_back(phase);
      return;
    }
    const Bundle& bundle = bundles_[possible_[next]];
    bool leave = meet(use.sum, bundle);
    if (!leave) {
      phase.push_back(possible_[next]);
      self(self, next + 1);
      phase.pop_back();
      leave = std::any_of(possible_.begin() + long(next) + 1, possible_.end(),
                          [&](int b) { return meet(bundle, bundles_[b]) && !meet(use.sum, bundles_[b]); });
    }
    if (leave) self(self, next + 1);
  };
  extend(extend, 0);
  return out;
}

int Senders::unreached(const Phases& phases) const {
  std::vector<Mask> heard(length());
  for (int v = 0; v < length(); ++v) heard[v] = bit(v);
  for (const Phase& phase : phases) {
    const std::vector<Mask> before = heard;
    for (const int b : phase) {
      for (const int w : bundles_[b].worms) heard[worms_[w].to] |= before[worms_[w].from];
    }
  }
  int out = 0;
  for (const Mask m : heard) out += length() - std::popcount(m);
  return out;
}

std::string Senders::write(const Phases& phases) const {
  std::ostringstream out;
  for (const Phase& phase : phases) {
    for (const int b : phase) {
      const Worm& w = worms_[bundles_[b].worms.front()];
      out << w.from << (w.up ? '+' : '-') << w.places << ' ';
    }
    out << "; ";
  }
  return out.str();
}

Phases Senders::read(std::string_view text) const {
  std::istringstream in{std::string(text)};
  Phases out;
  Phase phase;
  for (std::string word; in >> word;) {
    if (word == ";") {
      std::sort(phase.begin(), phase.end());
      phase.erase(std::unique(phase.begin(), phase.end()), phase.end());
      if (!fits(phase)) throw InputError("the worms of a phase meet");
      out.push_back(phase);
      phase.clear();
      continue;
    }
    std::istringstream parts(word);
    int from = 0;
    int places = 0;
    char sign = 0;
    const bool whole = (parts >> from >> sign >> places) && parts.eof() && (sign == '+' || sign == '-');
    const int worm = whole ? find(from, places, sign == '+') : -1;
    if (worm < 0) throw InputError("'" + word + "' is no worm");
    phase.push_back(bundle_of_[worm]);
  }
  return out;
}

}  // namespace quadrille::search_tool
