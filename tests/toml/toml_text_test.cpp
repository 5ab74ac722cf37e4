// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that nest, plainly or hidden behind strings.
#include "app/toml/toml_text.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <string>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::refusal;

std::string repeated(const std::string& part, int times = 100'000) {
    std::string all;
    for (int i = 0; i < times; ++i) all += part;
    return all;
}

std::string refusalOf(const std::string& text) {
    return refusal([&] { tomlOf(text, "test.toml", "pipeline file"); });
}

TEST(TomlText, NestingIsRefusedBeforeTheParserRecurses) {
    for (const std::string& deep :
         {repeated("a.") + "a = 1", "a = " + repeated("["), "a = " + repeated("{a="),
          "[" + repeated("a.") + "a]", "[[stage]]\nset = " + repeated("[1,\n")})
        EXPECT_THAT(refusalOf("version = 2\n" + deep + "\n"),
                    AllOf(HasSubstr("test.toml is no pipeline file: in line"),
                          HasSubstr("more than 64 deep")));
    EXPECT_THAT(refusalOf("version = 2\n" + repeated("a.") + "a = 1"), HasSubstr("in line 2"));
}

/// One and two quotes may end the content of a string, and the next three end the string.
TEST(TomlText, QuotesAtAStringsEndHideNothing) {
    for (const char quote : {'"', '\''}) {
        const std::string three(3, quote);
        for (const std::string& more :
             {std::string(), std::string(1, quote), std::string(2, quote)}) {
            const std::string text = "s = " + three + "a" + more + three;
            EXPECT_EQ(tomlOf(text, "test.toml", "sidecar")["s"].value_or(std::string()),
                      "a" + more);
            EXPECT_THAT(refusalOf("x = {s = " + three + "a" + more + three + ", " + repeated("a.") +
                                  "a = 1}"),
                        HasSubstr("more than 64 deep"));
        }
    }
}

TEST(TomlText, DotsAndBracketsOfStringsAndCommentsDoNotCount) {
    const toml::table table =
        tomlOf("a = \"" + repeated(".[{", 100) + "\" # " + repeated("[.", 100) + "\nb = '''\n" +
                   repeated("[[\n", 100) + "'''\nc = \"\\\"" + repeated("[", 100) + "\"\n",
               "test.toml", "sidecar");
    EXPECT_EQ(table.size(), 3U);
}

TEST(TomlText, WhatIsNoTomlIsNamedWithItsPlace) {
    EXPECT_THAT(refusalOf("a = 1\nb = \n"),
                HasSubstr("test.toml is no pipeline file: line 2, column"));
    EXPECT_THAT(refusalOf("a = \"\xff\xfe\"\n"), HasSubstr("test.toml is no pipeline file"));
}

} // namespace
} // namespace echolux::test
