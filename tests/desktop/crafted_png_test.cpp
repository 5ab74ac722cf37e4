// SPDX-License-Identifier: GPL-3.0-or-later
// PNG files made on purpose to crash, to hang or to fill the memory of who reads their settings.
#include "app/desktop/screenshot.hpp"
#include "gpu/core/error.hpp"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace echolux {
namespace {

std::string word(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
}

std::uint32_t crc32Of(const std::string& bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1U ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

std::string chunk(const std::string& type, const std::string& data) {
    return word(static_cast<std::uint32_t>(data.size())) + type + data + word(crc32Of(type + data));
}

std::string deflated(const std::string& data) {
    // Qt writes the length before the stream.
    return qCompress(QByteArray::fromStdString(data), 9).mid(4).toStdString();
}

std::string head(std::uint32_t width, std::uint32_t height, char bits = 8, char colour = 0) {
    return chunk("IHDR", word(width) + word(height) + bits + colour + std::string(3, '\0'));
}

std::string png(const std::string& chunks) {
    return "\x89PNG\r\n\x1a\n" + chunks + chunk("IEND", "");
}
/// A sound picture of 2 by 2 pixels behind `before`.
std::string picture(const std::string& before) {
    return png(head(2, 2) + before + chunk("IDAT", deflated(std::string(6, '\0'))));
}
std::string text(const std::string& words) {
    return picture(chunk("tEXt", std::string("echolux\0", 8) + words));
}
std::string settings(const std::string& pipeline) {
    return text(R"({"version":1,"pipeline":")" + pipeline + R"("})");
}

struct Crafted {
    std::string name;
    std::string says; ///< empty: any sentence, or none
    std::function<std::string()> bytes;
};

std::vector<Crafted> craftedPng() {
    const std::string none = "carries no Echolux settings";
    const std::string noPicture = "is not a picture";
    const std::string deep(100'000, '[');
    constexpr std::size_t kMany = std::size_t{1} << 20U;
    return {
        {"no_settings", none, [] { return picture(""); }},
        {"absurd_size", "", [] { return png(head(0x7FFFFFFF, 0x7FFFFFFF)); }},
        {"pixels_of_a_few_bytes", "its pixels would take",
         [] { return png(head(60'000, 60'000) + chunk("IDAT", deflated(std::string(kMany, 0)))); }},
        {"no_width", noPicture, [] { return png(head(0, 2)); }},
        {"three_bits", noPicture, [] { return png(head(2, 2, 3)); }},
        {"no_such_colour", noPicture, [] { return png(head(2, 2, 8, 9)); }},
        {"no_pixels", "", [] { return png(head(2, 2)); }},
        {"pixels_of_nonsense", "", [] { return png(head(2, 2) + chunk("IDAT", "abcdefgh")); }},
        {"no_head", noPicture, [] { return png(chunk("IDAT", "abcdefgh")); }},
        {"two_heads", "", [] { return png(head(2, 2) + head(4000, 4000)); }},
        {"chunk_beyond_the_end", "",
         [] { return "\x89PNG\r\n\x1a\n" + head(2, 2) + word(0x7FFFFFFF) + "tEXtabc"; }},
        {"wrong_checksum", "",
         [] {
             std::string bytes = settings("");
             bytes[60] ^= 1;
             return bytes;
         }},
        {"text_of_few_bytes", "",
         [] {
             return picture(chunk("zTXt", std::string("echolux\0\0", 9) +
                                              deflated(std::string(100 * kMany, '['))));
         }},
        {"texts_without_number", none,
         [] {
             std::string all;
             for (int i = 0; i < 20'000; ++i) all += chunk("tEXt", std::string("a\0b", 3));
             return picture(all);
         }},
        {"no_json", none, [] { return text("{\"version\""); }},
        {"json_deep", none, [=] { return text(deep); }},
        {"json_of_a_list", none, [] { return text("[1]"); }},
        {"json_of_other_types", "",
         [] { return text(R"({"version":1,"pipeline":[1],"frame":"x","display":7})"); }},
        {"newer_version", "newer Echolux", [] { return text(R"({"version":1e300})"); }},
        {"pipeline_of_lists_deep", "more than 64 deep", [=] { return settings("a = " + deep); }},
        {"pipeline_of_a_dotted_key", "more than 64 deep",
         [] {
             std::string key;
             for (int i = 0; i < 100'000; ++i) key += "a.";
             return settings(key + "a = 1");
         }},
        {"pipeline_of_nothing", "version", [] { return settings(""); }},
        {"pipeline_of_nonsense", "no pipeline file", [] { return settings("= = ="); }},
        {"pipeline_of_many_stages", "",
         [] {
             std::string stages = "version = 1\\n";
             for (int i = 0; i < 20'000; ++i) stages += "[[stage]]\\ntype = 'envelope'\\n";
             return settings(stages);
         }},
    };
}

TEST(CraftedPng, IsRefusedBySayingWhatIsWrongOrOpens) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("shot.png");
    const std::vector<Crafted> files = craftedPng();
    EXPECT_GE(files.size(), 20U);
    std::set<std::string> names;
    for (const Crafted& each : files) {
        SCOPED_TRACE(each.name);
        EXPECT_TRUE(names.insert(each.name).second) << "two have this name";
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray::fromStdString(each.bytes()));
        file.close();
        try {
            readScreenshot(path);
            EXPECT_EQ(each.says, "");
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("shot.png"),
                                                     testing::HasSubstr(each.says)));
        }
    }
}

} // namespace
} // namespace echolux
