// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the project say one version and one address, and name files that are there.
#include "tests/arch/source_tree.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace echolux::arch {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::ElementsAre;

const fs::path kRoot = ECHOLUX_SOURCE_DIR;

/// What the first group of `pattern` matches, one after the other.
std::vector<std::string> allOf(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
        found.push_back((*at)[1]);
    return found;
}

/// Links of a page, and paths in its text that begin with a folder of the top level, which lead
/// nowhere from `folder`. `made` is what the page tells its reader to make.
std::vector<std::string> deadEnds(const std::string& page, const fs::path& folder,
                                  const std::string& made = "\n") {
    std::vector<std::string> dead;
    for (const char* pattern :
         {R"(\]\((?!https?:)([^)#]+))",
          R"((?:^|[^/\w])((?:app|gpu|render|ui|tests|resources)/[\w./-]*\w))"})
        for (const std::string& path : allOf(page, pattern))
            if (path.find(made) == std::string::npos && !fs::exists(folder / path))
                dead.push_back(path);
    return dead;
}

std::string page(const char* name) { return contentsOf(kRoot / name); }

TEST(ProjectPages, SayOneVersion) {
    const auto version = allOf(page("CMakeLists.txt"), R"(project\(echolux VERSION (\S+))");
    ASSERT_EQ(version.size(), 1U);
    EXPECT_THAT(allOf(page("pyproject.toml"), "\nversion = \"(.*)\""), ElementsAre(version[0]));
    EXPECT_THAT(allOf(page("CITATION.cff"), "\nversion: (.*)"), ElementsAre(version[0]));
    EXPECT_EQ(allOf(page("CHANGELOG.md"), R"(\n## \[(\d.*?)\])").at(0), version[0]);
    EXPECT_EQ(allOf(page("resources/package/org.echolux.Echolux.metainfo.xml"),
                    "<release version=\"(.*?)\"")
                  .at(0),
              version[0]);
}

TEST(ProjectPages, SayOneAddress) {
    const auto address = allOf(page("SECURITY.md"), "<(.*@.*)>");
    ASSERT_EQ(address.size(), 1U);
    EXPECT_THAT(allOf(page("app/cmake/echolux_package.cmake"), "<(.*@.*)>"), Each(address[0]));
}

TEST(ProjectPages, NameFilesThatAreThere) {
    for (const char* name : {"README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"})
        EXPECT_THAT(deadEnds(page(name), kRoot), ElementsAre()) << name;
    EXPECT_THAT(deadEnds(page("CONTRIBUTING.md"), kRoot, "power_law"), ElementsAre());
}

TEST(ProjectPages, ADeadEndIsFound) {
    EXPECT_THAT(deadEnds("[a](none.md), [b](https://a.b/c), `gpu/stages/none.cu`", kRoot),
                ElementsAre("none.md", "gpu/stages/none.cu"));
}

} // namespace
} // namespace echolux::arch
