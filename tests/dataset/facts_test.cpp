// SPDX-License-Identifier: GPL-3.0-or-later
// The table of facts: every row has its names, every description row is read and written.
#include "app/dataset/facts/facts.hpp"
#include "app/dataset/recording/doubts.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "app/dataset/sidecar/sidecar_section.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;

std::string sidecarPage() {
    std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/resources/help/sidecar.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Facts, HaveNamesOfTheirOwn) {
    std::set<std::string> names;
    for (const Fact* fact : allFacts()) {
        EXPECT_FALSE(fact->name.empty()) << fact->key;
        EXPECT_FALSE(questionOf(*fact).empty()) << fact->key;
        EXPECT_LE(fact->plausible.least, fact->plausible.most) << fact->key;
        if (fact->place.get == nullptr) continue;
        EXPECT_TRUE(names.insert(nameWithUnit(*fact)).second) << fact->key;
    }
    EXPECT_TRUE(names.contains("demodulation_frequency_hz"));
}

TEST(Facts, ThatFramesHaveAreReadWhereTheyWereSet) {
    for (const Fact* fact : allFacts()) {
        if (fact->place.set == nullptr) continue;
        FrameSpec spec;
        fact->place.set(spec, 0.25);
        EXPECT_EQ(fact->place.get(spec), 0.25) << fact->key;
        const FrameSpec copy = spec;
        fact->place.set(spec, 0.5);
        EXPECT_EQ(fact->place.get(copy), 0.25) << "a copy is not changed: " << fact->key;
        EXPECT_EQ(shownValue(*fact, 0.0), "unknown");
    }
}

TEST(Facts, WithAUnitAreDoubtedBeyondTheirRange) {
    for (const Fact* fact : allFacts()) {
        const bool follows = fact == &fact::kFrameInterval; // the frame rate is doubted
        if (fact->place.get == nullptr || fact->unit->si.empty() || follows) continue;
        ASSERT_GT(fact->plausible.most, 0.0) << fact->key;
        const auto doubt = doubtAbout(*fact, 1.01 * fact->plausible.most);
        ASSERT_TRUE(doubt) << fact->key;
        EXPECT_THAT(*doubt, testing::StartsWith("The " + std::string(fact->name)));
        EXPECT_FALSE(doubtAbout(*fact, fact->plausible.most)) << fact->key;
    }
}

/// A value of each kind, as users write it.
std::string sampleText(const RowFact& row) {
    switch (row.kind) {
    case RowKind::Choice:
    case RowKind::Flag: return row.choices.back().id;
    case RowKind::Whole: return "3";
    case RowKind::Numbers: return "1.5, 2.5";
    case RowKind::Type: return row.choices.front().id;
    case RowKind::Axes: return "";
    case RowKind::Sizes: return "";
    default:
        return row.fact->unit->shown.empty() ? "2.5" : fmt::format("2.5 {}", row.fact->unit->shown);
    }
}

template <class Import> class DescriptionRowsTest : public testing::Test {};
using Imports = testing::Types<ChannelImport, RawImport, ImageImport>;
TYPED_TEST_SUITE(DescriptionRowsTest, Imports);

TYPED_TEST(DescriptionRowsTest, AreOptionsWithATextThatTheyTakeBack) {
    std::set<std::string_view> options;
    for (const DescriptionRow<TypeParam>& row : echolux::rowsOf<TypeParam>()) {
        EXPECT_TRUE(options.insert(row.fact->option).second) << row.fact->key;
        EXPECT_FALSE(row.fact->option.empty()) << row.fact->key;
        EXPECT_FALSE(questionOf(row).empty()) << row.fact->key;
        EXPECT_FALSE(row.heading.empty()) << row.fact->key;
        TypeParam import;
        const std::string text = sampleText(row);
        if (text.empty()) continue;
        EXPECT_EQ(takeText(row, import, text), "") << row.fact->key;
        TypeParam again;
        EXPECT_EQ(takeText(row, again, textOf(row, import)), "") << row.fact->key;
        EXPECT_EQ(textOf(row, again), textOf(row, import)) << row.fact->key;
        EXPECT_EQ(row.set(again, {}), "");
        if (row.kind == RowKind::Type) continue;
        EXPECT_EQ(row.get(again), row.get(TypeParam{}));
    }
}

TYPED_TEST(DescriptionRowsTest, StandInTheSidecarAndOnItsPage) {
    const std::string page = sidecarPage();
    for (const DescriptionRow<TypeParam>& row : echolux::rowsOf<TypeParam>()) {
        if (row.table == nullptr) continue;
        EXPECT_THAT(page, HasSubstr(std::string(row.fact->key))) << "resources/help/sidecar.md";
        if (sampleText(row).empty()) continue;
        TypeParam import;
        takeText(row, import, sampleText(row));
        const auto [path, value] = entryOf(row, row.get(import));
        const std::string key = path.substr(path.find('.') + 1);
        toml::table root = toml::parse(sidecarText({{path, value}}));
        Sidecar sidecar;
        Section section(sidecar, row.table, root);
        if (row.kind == RowKind::Flag)
            section.flag(key);
        else if (std::holds_alternative<std::string>(row.get(import)))
            section.text(key);
        else
            section.angles(std::string(row.fact->key));
        TypeParam again;
        bool plain = true;
        EXPECT_EQ(row.set(again, valueIn(sidecar, row, plain)), "") << path;
        EXPECT_TRUE(plain) << path;
        if (row.kind == RowKind::Type) continue;
        EXPECT_EQ(textOf(row, again), textOf(row, import)) << path;
    }
}

} // namespace
} // namespace echolux::test
