#include "quadrille/schedule/msccl/msccl_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <tuple>

#include "quadrille/base/input_error.h"

namespace quadrille::msccl {
namespace {

constexpr uint32_t kMostGpus = 1U << 16U;
constexpr uint32_t kMostChunks = 1U << 24U;
constexpr uint32_t kNone = UINT32_MAX;

struct CollectiveName {
  std::string_view name;
  CollectiveKind kind;
};
constexpr CollectiveName kCollectives[] = {
    {"allreduce", CollectiveKind::kAllreduce},
    {"allgather", CollectiveKind::kAllgather},
    {"alltoall", CollectiveKind::kAlltoall},
    {"reduce_scatter", CollectiveKind::kReduceScatter},
    {"reducescatter", CollectiveKind::kReduceScatter},
    {"broadcast", CollectiveKind::kBroadcast},
    {"reduce", CollectiveKind::kReduce},
    {"gather", CollectiveKind::kGather},
    {"scatter", CollectiveKind::kScatter},
};

struct StepType {
  std::string_view name;
  bool receives, sends, reduces, stores;
};
constexpr StepType kTypes[] = {
    {"s", false, true, false, false},   {"r", true, false, false, true},  {"rcs", true, true, false, true},
    {"rrs", true, true, true, false},   {"rrc", true, false, true, true}, {"rrcs", true, true, true, true},
    {"cpy", false, false, false, true}, {"re", false, false, true, true}, {"nop", false, false, false, false},
};

class FileReader {
 public:
  FileReader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  File read() {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    if (!result) fail_at(static_cast<size_t>(std::max<ptrdiff_t>(result.offset, 0)), result.description());
    const pugi::xml_node algo = document_.document_element();
    if (std::string_view(algo.name()) != "algo") fail(algo, "a file of MSCCL begins with <algo");
    File out;
    out.name = algo.attribute("name").value();
    const std::string_view collective = algo.attribute("coll").value();
    const auto* const named = std::ranges::find(kCollectives, collective, &CollectiveName::name);
    if (named == std::end(kCollectives)) {
      fail(algo,
           fmt::format(
               "coll=\"{}\": a plan can be for allreduce, allgather, alltoall, reduce_scatter, broadcast, "
               "reduce, gather or scatter",
               collective));
    }
    out.kind = named->kind;
    const uint32_t gpus = number(algo, "ngpus", kMostGpus);
    const uint32_t chunks = number(algo, "nchunksperloop", kMostChunks);
    // Who says both gets the harder one.
    out.in_place = number_or(algo, "inplace", 1, 0) == 1 && number_or(algo, "outofplace", 1, 0) == 0;
    if (std::string_view(algo.attribute("proto").value()) == "Simple") out.messages_of_a_connection = 2;
    read_gpus(algo, gpus, out);
    out.pieces = chunks;
    const bool by_rank = out.kind == CollectiveKind::kAllgather || out.kind == CollectiveKind::kAlltoall ||
                         out.kind == CollectiveKind::kReduceScatter;
    if (by_rank) {
      if (chunks % gpus != 0)
        fail(algo, fmt::format("nchunksperloop is {}, which is no multiple of the {} GPUs", chunks, gpus));
      out.pieces = chunks / gpus;
    }
    if (out.pieces == 0) fail(algo, "nchunksperloop is 0");
    check_sizes(algo, out);
    return out;
  }

 private:
  [[noreturn]] void fail_at(size_t offset, std::string_view why) const {
    throw input_error_at(source_, text_, std::min(offset, text_.size()), 1, why);
  }
  [[noreturn]] void fail(const pugi::xml_node& node, std::string_view why) const {
    fail_at(offset_of(node), why);
  }
  static size_t offset_of(const pugi::xml_node& node) {
    return static_cast<size_t>(std::max<ptrdiff_t>(node.offset_debug(), 0));
  }

  // kNone stands for -1, where that is allowed.
  uint32_t value(const pugi::xml_node& node, const char* name, uint32_t most, bool may_be_none) const {
    const std::string_view given = node.attribute(name).value();
    if (may_be_none && given == "-1") return kNone;
    uint32_t out = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), out);
    if (error != std::errc() || end != given.data() + given.size() || out > most) {
      fail(node, fmt::format("{}=\"{}\": a number from {} to {} is needed", name, given, may_be_none ? -1 : 0,
                             most));
    }
    return out;
  }
  uint32_t number(const pugi::xml_node& node, const char* name, uint32_t most) const {
    return value(node, name, most, false);
  }
  uint32_t number_or(const pugi::xml_node& node, const char* name, uint32_t most, uint32_t otherwise) const {
    return node.attribute(name) ? number(node, name, most) : otherwise;
  }
  uint32_t number_or_none(const pugi::xml_node& node, const char* name, uint32_t most) const {
    return node.attribute(name) ? value(node, name, most, true) : kNone;
  }

  void read_gpus(const pugi::xml_node& algo, uint32_t gpus, File& out) {
    if (gpus == 0) fail(algo, "ngpus is 0");
    std::vector<bool> seen;
    for (const pugi::xml_node& element : algo.children("gpu")) {
      const uint32_t id = number(element, "id", gpus - 1);
      out.gpus.resize(std::max<size_t>(out.gpus.size(), size_t{id} + 1));
      seen.resize(out.gpus.size());
      if (seen[id]) fail(element, fmt::format("there is a gpu {} already", id));
      seen[id] = true;
      read_gpu(element, id, gpus, out.gpus[id]);
    }
    if (out.gpus.size() != gpus || std::ranges::find(seen, false) != seen.end())
      fail(algo, fmt::format("ngpus is {}, and not all of them are here", gpus));
  }

  void read_gpu(const pugi::xml_node& element, uint32_t id, uint32_t gpus, Gpu& out) {
    out.sizes[0] = number(element, "i_chunks", kMostChunks);
    out.sizes[1] = number(element, "o_chunks", kMostChunks);
    out.sizes[2] = number(element, "s_chunks", kMostChunks);
    std::map<std::tuple<bool, uint32_t, uint32_t>, bool> taken;
    for (const pugi::xml_node& one : element.children("tb")) {
      if (number(one, "id", kMostChunks) != out.blocks.size())
        fail(one, fmt::format("thread blocks are numbered from 0; this is number {}", out.blocks.size()));
      ThreadBlock block;
      block.send_to = number_or_none(one, "send", gpus - 1);
      block.receive_from = number_or_none(one, "recv", gpus - 1);
      block.channel = number_or(one, "chan", kMostChunks, 0);
      for (const bool sends : {true, false}) {
        const uint32_t peer = sends ? block.send_to : block.receive_from;
        if (peer == kNone) continue;
        if (peer == id) fail(one, fmt::format("gpu {} talks to itself", id));
        if (!taken.emplace(std::tuple(sends, peer, block.channel), true).second) {
          fail(one, fmt::format("another thread block of gpu {} {} gpu {} on channel {} already", id,
                                sends ? "sends to" : "receives from", peer, block.channel));
        }
      }
      for (const pugi::xml_node& step : one.children("step"))
        block.steps.push_back(read_step(step, block, out));
      out.blocks.push_back(std::move(block));
    }
    check_dependencies(element, out);
  }

  Step read_step(const pugi::xml_node& element, const ThreadBlock& block, const Gpu& gpu) const {
    if (number(element, "s", kMostChunks) != block.steps.size())
      fail(element, fmt::format("steps are numbered from 0; this is number {}", block.steps.size()));
    const std::string_view name = element.attribute("type").value();
    const auto* const type = std::ranges::find(kTypes, name, &StepType::name);
    if (type == std::end(kTypes))
      fail(element, fmt::format("type=\"{}\": s, r, rcs, rrs, rrc, rrcs, cpy, re or nop is needed", name));
    Step out{
        .receives = type->receives, .sends = type->sends, .reduces = type->reduces, .stores = type->stores};
    out.where = offset_of(element);
    out.after_block = number_or_none(element, "depid", kMostChunks);
    out.after_step = number_or_none(element, "deps", kMostChunks);
    if ((out.after_block == kNone) != (out.after_step == kNone))
      fail(element, "depid and deps name a step together, or are both -1");
    if (name == "nop") return out;
    if (out.sends && block.send_to == kNone) fail(element, "this thread block sends to nobody (send=\"-1\")");
    if (out.receives && block.receive_from == kNone)
      fail(element, "this thread block receives from nobody (recv=\"-1\")");
    out.count = number(element, "cnt", kMostChunks);
    if (out.count == 0) fail(element, "cnt is 0");
    // Of a message only one end lies here.
    const bool reads = (out.sends && !out.receives) || out.reduces || (!out.receives && out.stores);
    if (reads) out.source = read_chunk(element, "srcbuf", "srcoff", out.count, gpu);
    if (out.stores) out.target = read_chunk(element, "dstbuf", "dstoff", out.count, gpu);
    return out;
  }

  Chunk read_chunk(const pugi::xml_node& element, const char* buffer, const char* offset, uint32_t count,
                   const Gpu& gpu) const {
    const std::string_view letter = element.attribute(buffer).value();
    const size_t place = std::string_view("ios").find(letter);
    if (letter.size() != 1 || place == std::string_view::npos)
      fail(element, fmt::format("{}=\"{}\": i, o or s is needed", buffer, letter));
    const uint32_t at = number(element, offset, kMostChunks);
    if (uint64_t{at} + count > gpu.sizes[place]) {
      fail(element, fmt::format("{} chunks from {}[{}] on, where {}_chunks is {}", count, letter, at, letter,
                                gpu.sizes[place]));
    }
    return {static_cast<Place>(place), at};
  }

  void check_dependencies(const pugi::xml_node& element, const Gpu& gpu) const {
    for (const ThreadBlock& block : gpu.blocks) {
      for (const Step& step : block.steps) {
        if (step.after_block == kNone) continue;
        if (step.after_block < gpu.blocks.size() &&
            step.after_step < gpu.blocks[step.after_block].steps.size())
          continue;
        (void)element;
        fail_at(step.where,
                fmt::format("there is no step {} of thread block {}", step.after_step, step.after_block));
      }
    }
  }

  // Buffers are as long as the collective says, or are not there; in place, one of them may be both.
  void check_sizes(const pugi::xml_node& algo, const File& file) const {
    for (size_t g = 0; g < file.gpus.size(); ++g) {
      for (const Place place : {Place::kInput, Place::kOutput}) {
        const uint32_t wanted = file.chunks_in(place);
        const uint32_t found = file.gpus[g].sizes[static_cast<size_t>(place)];
        if (found == 0 || found == wanted) continue;
        fail(algo, fmt::format("gpu {} has {}_chunks=\"{}\"; 0 or {} is needed", g,
                               place == Place::kInput ? 'i' : 'o', found, wanted));
      }
    }
  }

  std::string_view text_;
  std::string_view source_;
  pugi::xml_document document_{};
};

}  // namespace

uint32_t File::whole() const {
  const bool by_rank = kind != CollectiveKind::kAllreduce && kind != CollectiveKind::kBroadcast &&
                       kind != CollectiveKind::kReduce;
  return pieces * (by_rank ? static_cast<uint32_t>(gpus.size()) : 1);
}

bool File::is_part(Place place) const {
  return place == Place::kInput ? kind == CollectiveKind::kAllgather || kind == CollectiveKind::kGather
                                : kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kScatter;
}

File read_file_of(std::string_view text, std::string_view source) { return FileReader(text, source).read(); }

std::string place_text(size_t gpu, size_t block, size_t step) {
  return fmt::format("gpu {}, thread block {}, step {}", gpu, block, step);
}

}  // namespace quadrille::msccl
