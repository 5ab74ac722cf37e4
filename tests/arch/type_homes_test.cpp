// SPDX-License-Identifier: GPL-3.0-or-later
// A type has one home: two of one name in one namespace are one type to the linker, and each part
// of the program would use the other's layout.
#include "tests/arch/rules.hpp"

#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace echolux::arch {
namespace {

/// The types that a file defines outside functions and unnamed namespaces, with their namespaces.
std::set<std::string> typesDefinedIn(std::string_view text) {
    static const std::regex kSpace(R"(^namespace ?([\w:]*) ?\{$)");
    static const std::regex kType(
        R"(^(?:template <.*> ?)?(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: ?: .*)? \{.*)");
    std::set<std::string> types;
    std::vector<std::string> spaces;
    for (const std::string_view each : linesOf(text)) {
        const std::string line(each);
        std::smatch match;
        if (std::regex_match(line, match, kSpace)) {
            spaces.push_back(match[1]);
        } else if (line.starts_with("} // namespace") && !spaces.empty()) {
            spaces.pop_back();
        } else if (std::regex_match(line, match, kType)) {
            std::string name;
            for (const std::string& space : spaces) {
                if (space.empty()) name = "unnamed";
                if (name != "unnamed") name += space + "::";
            }
            if (name != "unnamed") types.insert(name + match[1].str());
        }
    }
    return types;
}

/// Of the program; tests are programs of their own.
Violations typesHaveOneHome(const SourceTree& tree) {
    std::map<std::string, std::string> homes;
    Violations found;
    for (const SourceFile& file : tree) {
        if (!isCpp(file.path) || file.path.starts_with("tests/") ||
            file.path.starts_with("resources/"))
            continue;
        for (const std::string& type : typesDefinedIn(file.text)) {
            const auto [home, isNew] = homes.emplace(type, file.path);
            if (!isNew)
                found.push_back(type + " is defined in " + home->second + " and in " + file.path +
                                "; rename one, or put it into an unnamed namespace.");
        }
    }
    return found;
}

TEST(House, TypesHaveOneHome) {
    EXPECT_THAT(typesHaveOneHome(readTree(ECHOLUX_SOURCE_DIR)), testing::IsEmpty());
}

TEST(Rules, ATypeWithTwoHomes) {
    const auto check = [](const std::string& other) {
        return typesHaveOneHome({{"gpu/core/a.hpp", "namespace echolux {\n\nstruct Grid {\n};\n\n"
                                                    "} // namespace echolux\n"},
                                 {"app/dataset/b.cpp", other}});
    };
    using testing::IsEmpty;
    EXPECT_THAT(check("namespace echolux {\nenum class Grid { A };\n}"), testing::SizeIs(1));
    EXPECT_THAT(check("namespace echolux {\nclass Grid : public X {\n};\n}"), testing::SizeIs(1));
    EXPECT_THAT(check("namespace echolux {\nstruct Grid;\n}"), IsEmpty());
    EXPECT_THAT(check("namespace echolux::das {\nstruct Grid {\n};\n}"), IsEmpty());
    EXPECT_THAT(check("namespace echolux {\nstruct Grid::Row {\n};\n}"), IsEmpty());
    EXPECT_THAT(check("namespace echolux {\nnamespace {\nstruct Grid {\n};\n"
                      "} // namespace\nstruct Line {\n};\n} // namespace echolux\n"),
                IsEmpty());
}

} // namespace
} // namespace echolux::arch
