#include "quadrille/viewer/packed_text.h"

#include <zlib.h>

#include <cstdint>
#include <limits>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {

std::string gzip(std::string_view content) {
  constexpr int kLevel = 6;  // 9 is hardly smaller and takes twice as long
  constexpr int kGzip = 15 + 16;
  constexpr int kMemory = 8;
  if (content.size() > std::numeric_limits<uInt>::max())
    throw InputError("a page of more than 4 GiB of data: show some steps alone, such as --steps 0:200");
  z_stream stream{};
  const int begun = deflateInit2(&stream, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY);
  QUADRILLE_CHECK(begun == Z_OK, std::to_string(begun));
  std::string out(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  // zlib reads only, but says so since 1.2.5.2 alone.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  const uLong written = stream.total_out;
  deflateEnd(&stream);
  QUADRILLE_CHECK(status == Z_STREAM_END, std::to_string(status));
  out.resize(written);
  return out;
}

std::string base64(std::string_view content) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((content.size() + 2) / 3 * 4);
  for (size_t i = 0; i < content.size(); i += 3) {
    const size_t have = std::min<size_t>(3, content.size() - i);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (k < have ? static_cast<uint8_t>(content[i + k]) : uint32_t{0});
    for (size_t k = 0; k < 4; ++k) out += k <= have ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

}  // namespace quadrille
