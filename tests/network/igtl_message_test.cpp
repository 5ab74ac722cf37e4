// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that another implementation wrote (vectors.py), and damaged ones.
#include "app/network/igtl_message.hpp"

#include "gpu/core/error.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;

std::vector<std::byte> stored(const std::string& name) {
    std::ifstream file(ECHOLUX_SOURCE_DIR "/tests/network/messages/" + name + ".igtl",
                       std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

struct Parts {
    IgtlHeader header;
    std::span<const std::byte> body;
    std::span<const std::byte> content() const { return igtlContent(header, body); }
};

Parts partsOf(std::span<const std::byte> message) {
    const IgtlHeader header = readIgtlHeader(message.first<kIgtlHeaderBytes>());
    return {header, message.subspan(kIgtlHeaderBytes)};
}

TEST(IgtlMessage, CheckSumIsThatOfEcma182) {
    const std::string text = "123456789"; // the check value of the catalogue of CRCs
    EXPECT_EQ(igtlCrc(std::as_bytes(std::span(text))), 0x6C40DF5F0B497347U);
}

TEST(IgtlMessage, ReadsAGreyImageOfAnotherImplementation) {
    const auto message = stored("grey");
    const Parts parts = partsOf(message);
    EXPECT_EQ(parts.header.version, 1);
    EXPECT_EQ(parts.header.type, "IMAGE");
    EXPECT_EQ(parts.header.device, "Probe");
    EXPECT_EQ(parts.header.timeNs, 1'700'000'000'250'000'000);
    EXPECT_EQ(parts.header.bodyBytes, parts.body.size());
    const IgtlImage image = readIgtlImage(parts.content());
    EXPECT_EQ(image.scalar, IgtlScalar::Uint8);
    EXPECT_EQ(image.components, 1);
    EXPECT_THAT(image.size, ElementsAre(4, 3, 1));
    EXPECT_FLOAT_EQ(static_cast<float>(image.step[0][0]), 0.2F);
    EXPECT_FLOAT_EQ(static_cast<float>(image.step[1][1]), 0.1F);
    // The first pixel lies at (-3, 5, 0).
    EXPECT_NEAR(image.centre[0], -3.0 + 1.5 * 0.2, 1e-6);
    EXPECT_NEAR(image.centre[1], 5.0 + 1.0 * 0.1, 1e-6);
    ASSERT_EQ(image.pixels.size(), 12U);
    EXPECT_EQ(image.pixels[7], std::byte{140});
}

TEST(IgtlMessage, ReadsColoursTagsAndTransforms) {
    const auto colours = stored("colours");
    EXPECT_EQ(readIgtlImage(partsOf(colours).content()).components, 3);
    const auto tagged = stored("tagged");
    const Parts parts = partsOf(tagged);
    EXPECT_EQ(parts.header.version, 2);
    EXPECT_EQ(readIgtlImage(parts.content()).pixels.back(), std::byte{220});
    const auto moved = stored("transform");
    const IgtlTransform transform = readIgtlTransform(partsOf(moved).content());
    EXPECT_THAT(transform[3], ElementsAre(10.0, -20.0, 30.5));
    EXPECT_THAT(transform[0], ElementsAre(1.0, 0.0, 0.0));
}

TEST(IgtlMessage, WritesWhatAnotherImplementationWrites) {
    const auto expected = stored("volume");
    std::vector<float> values(24);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) - 10.5F;
    IgtlImage image;
    image.scalar = IgtlScalar::Float32;
    image.size = {4, 3, 2};
    image.step = {{{0.2, 0, 0}, {0, 0.1, 0}, {0, 0, 1}}};
    image.centre = {-3.0 + 1.5 * 0.2, 5.0 + 0.1, 0.5};
    image.pixels = std::as_bytes(std::span(values));
    const auto written = writeIgtlImage(image, "Echolux", 1'500'000'000);
    const IgtlImage read = readIgtlImage(partsOf(written).content());
    const IgtlImage theirs = readIgtlImage(partsOf(expected).content());
    EXPECT_EQ(read.size, theirs.size);
    EXPECT_EQ(read.step, theirs.step);
    EXPECT_EQ(read.centre, theirs.centre);
    EXPECT_EQ(read.scalar, theirs.scalar);
    EXPECT_TRUE(std::ranges::equal(read.pixels, theirs.pixels));
    EXPECT_EQ(partsOf(written).header.timeNs, partsOf(expected).header.timeNs);
    EXPECT_EQ(written.size(), expected.size());
}

/// Reads the message as far as possible.
void readAll(std::span<const std::byte> message) {
    if (message.size() < kIgtlHeaderBytes) return;
    const Parts parts = partsOf(message);
    const auto content = parts.content();
    if (parts.header.type == "IMAGE") readIgtlImage(content);
    if (parts.header.type == "TRANSFORM") readIgtlTransform(content);
    readIgtlArray(content);
}

TEST(IgtlMessage, CutOrDamagedMessagesAreRefused) {
    for (const char* name : {"grey", "tagged", "transform"}) {
        const auto message = stored(name);
        for (std::size_t length = kIgtlHeaderBytes; length < message.size(); ++length)
            EXPECT_THAT(refusal([&] { readAll(std::span(message).first(length)); }),
                        HasSubstr("check sum"));
        for (std::size_t at = kIgtlHeaderBytes; at < message.size(); ++at) {
            auto damaged = message;
            damaged[at] ^= std::byte{0x41};
            EXPECT_THAT(refusal([&] { readAll(damaged); }), HasSubstr("check sum")) << at;
        }
    }
}

/// With the check sum that fits, as a sender would write it that is wrong about its sizes.
TEST(IgtlMessage, SizesThatLieAreRefused) {
    for (const char* name : {"grey", "volume", "tagged"}) {
        const auto message = stored(name);
        const Parts parts = partsOf(message);
        for (std::size_t at = 0; at < parts.body.size(); ++at)
            for (const int change : {0x01, 0x80, 0xff}) {
                std::vector<std::byte> body(parts.body.begin(), parts.body.end());
                body[at] ^= static_cast<std::byte>(change);
                IgtlHeader header = parts.header;
                header.crc = igtlCrc(body);
                try {
                    const IgtlImage image = readIgtlImage(igtlContent(header, body));
                    const auto expected =
                        bytesOf(image.scalar) * static_cast<std::size_t>(image.components) *
                        static_cast<std::size_t>(image.size[0] * image.size[1] * image.size[2]);
                    EXPECT_EQ(image.pixels.size(), expected);
                    EXPECT_GE(image.pixels.data(), body.data());
                    EXPECT_LE(image.pixels.data() + image.pixels.size(), body.data() + body.size());
                } catch (const Error&) { // as it should be
                }
            }
    }
}

TEST(IgtlMessage, OtherBytesAreNoHeader) {
    std::vector<std::byte> web(kIgtlHeaderBytes, std::byte{'G'});
    EXPECT_THAT(refusal([&] { readIgtlHeader(std::span(web).first<kIgtlHeaderBytes>()); }),
                HasSubstr("no message of OpenIGTLink"));
}

} // namespace
} // namespace echolux
