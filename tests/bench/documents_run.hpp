// SPDX-License-Identifier: GPL-3.0-or-later
// One run of `echolux bench documents` with reduced problems, and what it reported.
#pragma once

#include "tests/support/bench_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace echolux::test {

struct DocumentsRun {
    TemporaryFolder folder;
    std::string document;
    CommandResult result;
    nlohmann::json report;

    DocumentsRun(const std::string& id, const std::string& backend) : document(id) {
        const auto path = folder / "documents.json";
        result = runBenches({"documents", id, "--backend", backend, "--reduced", "--repeat", "1",
                             "--json", path.string()});
        if (result.status == 0) report = nlohmann::json::parse(std::ifstream(path));
    }

    /// Every entry is whole, and what was computed is near its reference.
    void expectSound() const {
        EXPECT_EQ(report["bench"], "documents");
        EXPECT_EQ(report["reduced"], true);
        for (const auto& each : report["results"]) {
            SCOPED_TRACE(each.dump());
            EXPECT_EQ(each["document"], document);
            EXPECT_NE(result.out.find(each["table"].get<std::string>()), std::string::npos);
            EXPECT_NE(result.out.find(each["entry"].get<std::string>()), std::string::npos);
            EXPECT_FALSE(each["unit"].get<std::string>().empty());
            ASSERT_TRUE(each.contains("ratio") && each.contains("published"));
            if (each["measured"].is_null()) {
                EXPECT_FALSE(each["note"].get<std::string>().empty()) << "why";
                continue;
            }
            EXPECT_GT(each["measured"], each["unit"] == "deviation" ? -1.0 : 0.0);
            if (!each["deviation"].is_null()) {
                EXPECT_LT(each["deviation"], 2e-2);
            }
        }
    }
    /// The figures of the table that begins so, in order, those without one left out.
    std::vector<double> published(const std::string& table) const {
        std::vector<double> figures;
        for (const auto& each : report["results"]) {
            if (each["table"].get<std::string>().starts_with(table) && !each["published"].is_null())
                figures.push_back(each["published"]);
        }
        return figures;
    }
    /// The entries of the table that begins so, in order.
    std::vector<std::string> entries(const std::string& table) const {
        std::vector<std::string> names;
        for (const auto& each : report["results"])
            if (each["table"].get<std::string>().starts_with(table)) names.push_back(each["entry"]);
        return names;
    }
    std::vector<std::string> notRun() const {
        std::vector<std::string> entries;
        for (const auto& each : report["results"])
            if (each["measured"].is_null()) entries.push_back(each["entry"]);
        return entries;
    }
    /// True where the note of an entry asks for a recording.
    bool wantsRecording(const std::string& entry) const {
        return std::ranges::any_of(report["results"], [&](const auto& each) {
            return each["entry"] == entry && each["note"].template get<std::string>().find(
                                                 "--recording") != std::string::npos;
        });
    }
};

} // namespace echolux::test
