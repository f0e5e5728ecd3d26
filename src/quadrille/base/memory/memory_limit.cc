#include "quadrille/base/memory/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kGiB = kMiB * 1024.0;

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::optional<uint64_t> number_at(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

// A figure of /proc/self/status in bytes, by "VmPeak:"; it is given in kB. Nothing where there is no /proc.
uint64_t status_of_process(std::string_view name) {
  std::istringstream in(content_of("/proc/self/status"));
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const size_t digits = std::min(line.find_first_of("0123456789"), line.size());
    return number_at(std::string_view(line).substr(digits)).value_or(0) * 1024;
  }
  return 0;
}

std::string with_unit(double bytes) {
  if (bytes < kGiB) return fmt::format("{:.0f} MiB", bytes / kMiB);
  return bytes < 10 * kGiB ? fmt::format("{:.1f} GiB", bytes / kGiB)
                           : fmt::format("{:.0f} GiB", bytes / kGiB);
}

// What a limit of the shell leaves.
void lower_to(MemoryLimit& limit, decltype(RLIMIT_AS) resource, std::string_view taken,
              std::string_view after) {
  rlimit set{};
  if (getrlimit(resource, &set) != 0 || set.rlim_cur == RLIM_INFINITY) return;
  const uint64_t used = std::min<uint64_t>(status_of_process(taken), set.rlim_cur);
  if (set.rlim_cur - used < limit.bytes) limit = {set.rlim_cur - used, "this process may take", after};
}

std::optional<uint64_t> least_on_the_way(const std::string& mounted, std::string_view group,
                                         std::string_view file) {
  std::optional<uint64_t> least;
  while (true) {
    // "max", and nothing where the group is not to be seen from here.
    const auto here = number_at(content_of(fmt::format("{}{}/{}", mounted, group, file)));
    if (here) least = std::min(least.value_or(UINT64_MAX), *here);
    if (group.empty()) return least;
    group = group.substr(0, group.rfind('/'));
  }
}

}  // namespace

std::string MemoryLimit::text() const {
  return fmt::format("{} {}{}", before, with_unit(static_cast<double>(bytes)), after);
}

std::optional<uint64_t> control_group_limit(std::string_view membership, const std::string& mounted) {
  std::optional<uint64_t> least;
  while (!membership.empty()) {
    const std::string_view line = membership.substr(0, membership.find('\n'));
    membership.remove_prefix(std::min(line.size() + 1, membership.size()));
    // "0::/user.slice" of version 2, "9:memory:/user.slice" of version 1.
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string_view group = line.substr(second + 1);
    if (group == "/") group = "";
    std::optional<uint64_t> found;
    if (controllers.empty()) found = least_on_the_way(mounted, group, "memory.max");
    if (fmt::format(",{},", controllers).find(",memory,") != std::string::npos)
      found = least_on_the_way(mounted + "/memory", group, "memory.limit_in_bytes");
    if (found) least = std::min(least.value_or(UINT64_MAX), *found);
  }
  return least;
}

MemoryLimit memory_limit() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  MemoryLimit limit{.bytes = pages > 0 && page > 0
                                 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page)
                                 : uint64_t{1} << 40U,
                    .before = "this machine has"};
  // A process hardly ever changes its group, and its limit is asked for often.
  static const std::optional<uint64_t> group =
      control_group_limit(content_of("/proc/self/cgroup"), "/sys/fs/cgroup");
  if (group && *group < limit.bytes) limit = {*group, "this process and its control group may use"};
  lower_to(limit, RLIMIT_AS, "VmSize:", " more (ulimit -v)");
  lower_to(limit, RLIMIT_DATA, "VmData:", " more (ulimit -d)");
  return limit;
}

std::string memory_text(Int128 bytes) { return with_unit(static_cast<double>(bytes)); }

void require_memory(Int128 needed, std::string_view what) {
  const MemoryLimit limit = memory_limit();
  if (needed <= Int128{limit.bytes}) return;
  throw InputError(fmt::format("{} needs about {}; {}", what, memory_text(needed), limit.text()));
}

MemoryRefused::MemoryRefused(size_t bytes)
    : message_(std::make_shared<const std::string>(
          fmt::format("there is not enough memory for this: it needs about {} at once; {}",
                      memory_text(Int128{bytes}), memory_limit().text()))) {}

std::string out_of_memory_text(const std::bad_alloc& refused) {
  if (const auto* known = dynamic_cast<const MemoryRefused*>(&refused)) return known->what();
  const MemoryLimit limit = memory_limit();
  const uint64_t peak =
      status_of_process(limit.after.empty() ? std::string_view("VmHWM:") : std::string_view("VmPeak:"));
  return fmt::format(
      "there is not enough memory for this: more is needed than the {} that were taken at most; {}",
      memory_text(peak), limit.text());
}

}  // namespace quadrille
