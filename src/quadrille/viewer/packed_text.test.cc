#include "quadrille/viewer/packed_text.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace quadrille {
namespace {

TEST(PackedText, base64_is_that_of_RFC_4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

std::string unpacked(std::string gzipped, size_t size) {
  std::string out(size + 1, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(gzipped.data());
  stream.avail_in = static_cast<uInt>(gzipped.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(PackedText, gzip_is_undone_by_others_and_has_no_time_in_it) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * i);
  for (const std::string& content : {std::string(), std::string("a\0b", 3), text}) {
    const std::string packed = gzip(content);
    EXPECT_EQ(unpacked(packed, content.size()), content);
    EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0'));
    EXPECT_EQ(packed, gzip(content));
  }
  EXPECT_LT(gzip(text).size(), text.size() / 2);
}

}  // namespace
}  // namespace quadrille
