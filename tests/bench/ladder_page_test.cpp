// SPDX-License-Identifier: GPL-3.0-or-later
// `echolux help ladder`: each step on the page is an entry of `echolux bench documents` with the
// same published figure, and each measured figure is one of app/commands/figures.md.
#include "tests/bench/documents_run.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

std::string textOf(const std::string& path) {
    std::ifstream file(std::string(ECHOLUX_SOURCE_DIR) + "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct LadderStep {
    std::string entry, published, measured;
};

/// The rows of the page's tables.
std::vector<LadderStep> stepsOfPage() {
    std::vector<LadderStep> steps;
    std::istringstream lines(textOf("resources/help/ladder.md"));
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| ") || line.starts_with("| step ")) continue;
        std::vector<std::string> cells;
        for (std::size_t at = 2; at < line.size();) {
            const std::size_t end = line.find(" |", at);
            cells.push_back(line.substr(at, end - at));
            at = end + 3;
        }
        if (cells.size() == 4) steps.push_back({cells[0], cells[2], cells[3]});
        EXPECT_EQ(cells.size(), 4U) << line;
    }
    return steps;
}

/// An entry that is `step`, with its published figure in its unit or, of rates, in 1e9.
bool isEntry(const nlohmann::json& entry, const LadderStep& step) {
    if (entry["entry"] != step.entry) return false;
    if (entry["published"].is_null()) return step.published == "-";
    if (step.published == "-") return false;
    const double wanted = std::stod(step.published);
    const double published = entry["published"];
    return std::abs(published - wanted) < 1e-9 * wanted ||
           std::abs(published - 1e9 * wanted) < wanted;
}

TEST(LadderPage, EveryStepIsAnEntryBesideItsFigure) {
    const DocumentsRun course("s0", "cpu");
    const DocumentsRun lines("s1", "cpu");
    ASSERT_EQ(course.result.status, 0) << course.result.err;
    ASSERT_EQ(lines.result.status, 0) << lines.result.err;
    const std::vector<LadderStep> steps = stepsOfPage();
    EXPECT_GE(steps.size(), 25U);
    for (const LadderStep& step : steps) {
        bool found = false;
        for (const DocumentsRun* run : {&course, &lines})
            for (const auto& entry : run->report["results"]) found = found || isEntry(entry, step);
        EXPECT_TRUE(found) << step.entry << ", published " << step.published;
    }
    const auto& first = course.report["results"].front();
    EXPECT_FALSE(isEntry(first, {"no step", "1", "1"}));
}

TEST(LadderPage, MeasuredFiguresAreThoseOfTheRecord) {
    const std::string all = textOf("app/commands/figures.md");
    const std::size_t from = all.find("## The documents' own tables");
    ASSERT_NE(from, std::string::npos);
    // The numbers of the section, apart.
    std::istringstream words(all.substr(from, all.find("\n## ", from + 1) - from));
    const std::vector<std::string> figures{std::istream_iterator<std::string>(words), {}};
    for (const LadderStep& step : stepsOfPage()) {
        if (step.measured == "-") continue;
        EXPECT_THAT(figures, testing::Contains(testing::AnyOf(step.measured, step.measured + ";")))
            << step.entry;
    }
    EXPECT_THAT(figures, testing::Not(testing::Contains("1.234567")));
}

} // namespace
} // namespace echolux::test
