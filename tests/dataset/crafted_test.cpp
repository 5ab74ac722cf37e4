// SPDX-License-Identifier: GPL-3.0-or-later
// The corpus of crafted files: each is refused with a sentence that names what was exceeded, or
// opens, within 500 MB. A library may end the reader process, and no other process ends.
#include "tests/dataset/crafted_dicom.hpp"
#include "tests/dataset/crafted_hdf5.hpp"
#include "tests/dataset/crafted_mat5.hpp"
#include "tests/dataset/crafted_text.hpp"
#include "tests/dataset/crafted_tiff.hpp"
#include "tests/dataset/crafted_zip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace echolux::test {
namespace {

using testing::HasSubstr;

struct Container {
    const char* name;
    std::vector<Crafted> (*files)();
    const char* fileName = "file"; ///< of the crafted file
    const char* opened = "file";   ///< what is opened
};

class CraftedFiles : public testing::TestWithParam<Container> {};

TEST_P(CraftedFiles, AreRefusedBySayingWhatIsWrongOrOpen) {
    const Hdf5MayLeak damaged;
    const TemporaryFolder folder;
    const std::vector<Crafted> files = GetParam().files();
    EXPECT_GE(files.size(), 20U);
    std::set<std::string> names;
    for (const Crafted& file : files) {
        SCOPED_TRACE(file.name);
        EXPECT_TRUE(names.insert(file.name).second) << "two have this name";
        writeFile(folder / GetParam().opened, std::string(32, '\1'));
        file.write(folder / GetParam().fileName);
        const Ending ending = openApart(folder / GetParam().opened);
        EXPECT_TRUE(ending.whole) << "the process did not come to its end";
        EXPECT_TRUE(kSanitized || ending.kilobytes < 500'000) << ending.kilobytes;
        EXPECT_FALSE(ourReaderEnded(ending.said)) << ending.said;
        if (file.says.empty() && ending.said.empty()) continue;
        EXPECT_THAT(ending.said, HasSubstr(file.says));
        EXPECT_THAT(ending.said, HasSubstr("file")) << "names the file";
        EXPECT_THAT(ending.said, testing::Not(HasSubstr("not a sentence")));
    }
}

const Container kContainers[] = {
    {"Mat5", craftedMat5},   {"Hdf5", craftedHdf5},
#ifdef ECHOLUX_HAS_DCMTK
    {"Dicom", craftedDicom},
#endif
    {"Tiff", craftedTiff},   {"Zip", craftedZip},
    {"Nrrd", craftedNrrd},   {"Toml", craftedToml, "file.toml"},
};

INSTANTIATE_TEST_SUITE_P(Containers, CraftedFiles, testing::ValuesIn(kContainers),
                         [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace echolux::test
