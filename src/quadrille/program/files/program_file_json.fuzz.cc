// Any text either is an InputError or a program that is written in both forms and read again as the same program.
#include <algorithm>
#include <optional>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/program/files/program_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace quadrille;
  const std::string text = "{" + std::string(reinterpret_cast<const char*>(data), size);
  // Slots without end only cost the fuzzer memory.
  size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 4) return -1;
  }
  std::optional<ProgramFile> file;
  try {
    file = read_program(text, "fuzz.json");
  } catch (const InputError&) {
    return 0;
  }
  const std::string bytes = write_program(*file);
  QUADRILLE_CHECK(read_program(bytes, "again.qprog") == *file, "");
  const auto is_ascii = [](const std::string& name) {
    return std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  };
  if (is_ascii(file->topology) && is_ascii(file->algorithm))
    QUADRILLE_CHECK(write_program(read_program(write_program_json(*file), "again.json")) == bytes, "");
  return 0;
}
