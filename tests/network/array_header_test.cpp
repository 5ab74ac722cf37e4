// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of arrays, and addresses.
#include "app/network/array_header.hpp"

#include "app/network/address_options.hpp"
#include "tests/support/refusal.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;

ArrayHeader from(const std::string& json) { return headerFrom(std::as_bytes(std::span(json))); }

TEST(ArrayHeader, IsWhatPythonWrites) {
    // json.dumps({"dtype": a.dtype.str, "shape": a.shape}) of a NumPy array
    const ArrayHeader header = from(R"({"dtype": "<i2", "shape": [128, 1024]})");
    EXPECT_EQ(header.dtype, "<i2");
    EXPECT_THAT(header.shape, ElementsAre(128, 1024));
    EXPECT_EQ(header.bytes(), 128U * 1024U * 2U);
    EXPECT_EQ(header.number, -1);
}

TEST(ArrayHeader, NumbersMayBeWrittenAsMatlabWritesThem) {
    const ArrayHeader header =
        from(R"({"dtype": "<i2", "shape": [128.0, 1024], "time_ns": 1.764e+18, "number": 7.0})");
    EXPECT_THAT(header.shape, ElementsAre(128, 1024));
    EXPECT_EQ(header.timeNs, 1764000000000000000);
    EXPECT_EQ(header.number, 7);
    for (const char* number : {"4.4e71", "-4.4e71", "0.5"})
        for (const char* key : {"time_ns", "number"})
            EXPECT_THAT(
                refusal([&] {
                    from(fmt::format(R"({{"dtype": "<i2", "shape": [2], "{}": {}}})", key, number));
                }),
                HasSubstr("where a whole number must be"));
}

TEST(ArrayHeader, SurvivesTheWay) {
    FrameSpec frame;
    frame.axes = {{AxisName::Depth, 3, 1e-4, 2e-3, "m"}, {AxisName::Lateral, 2, 3e-4, -1e-3, "m"}};
    ArrayHeader header = headerOf(frame);
    header.number = 7;
    const ArrayHeader read = from(toJson(header));
    EXPECT_EQ(read.axes, frame.axes);
    EXPECT_EQ(read.number, 7);
    EXPECT_EQ(read.bytes(), frame.bytes());
}

TEST(ArrayHeader, WhatCannotBeIsRefused) {
    for (const char* json : {"", "{", "[]", "7", R"({"dtype": "<i2"})",
                             R"({"dtype": 3, "shape": [1]})", R"({"dtype": "<i2", "shape": 3})"})
        EXPECT_THAT(refusal([&] { from(json); }), HasSubstr("no JSON")) << json;
    for (const char* json :
         {R"({"dtype": "<i2", "shape": []})", R"({"dtype": "<i2", "shape": [0]})",
          R"({"dtype": "<i2", "shape": [-3, 2]})", R"({"dtype": "object", "shape": [2]})",
          R"({"dtype": "<U9", "shape": [2]})",
          R"({"dtype": "<f8", "shape": [4294967296, 4294967296, 4294967296]})"})
        EXPECT_THAT(refusal([&] { from(json); }), HasSubstr("cannot be")) << json;
    EXPECT_THAT(
        refusal([&] {
            from(R"({"dtype": "<f4", "shape": [2], "axes": [{"name": "depth", "size": 3}]})");
        }),
        HasSubstr("axes of a message do not fit"));
    EXPECT_THAT(refusal([&] {
                    from(R"({"dtype": "<f4", "shape": [2], "axes": [{"name": "x", "size": 2}]})");
                }),
                HasSubstr("axis \"x\""));
    EXPECT_THAT(refusal([] {
                    from(R"({"dtype": "<f4", "shape": [2],
                             "axes": [{"name": "\u001b[2J\u009bx\u00e9", "size": 2}]})");
                }),
                HasSubstr(R"(axis "\u001b[2J\u009bx\u00e9")"))
        << "nothing steers a terminal";
}

TEST(HostAndPort, PartsMayBeMissing) {
    const auto of = [](const char* text) { return HostAndPort::of(text, text, 18944).text(); };
    EXPECT_EQ(of(""), "127.0.0.1:18944");
    EXPECT_EQ(of("5556"), "127.0.0.1:5556");
    EXPECT_EQ(of("scanner"), "scanner:18944");
    EXPECT_EQ(of("scanner:80"), "scanner:80");
    EXPECT_EQ(of("0.0.0.0:80"), "0.0.0.0:80");
    EXPECT_EQ(of("[::1]:80"), "[::1]:80");
    EXPECT_EQ(of("[::1]"), "[::1]:18944");
    for (const char* wrong : {"scanner:0", "scanner:65536", "scanner:http", ":8x"})
        EXPECT_THAT(refusal([&] { of(wrong); }), HasSubstr("is no port")) << wrong;
}

} // namespace
} // namespace echolux
