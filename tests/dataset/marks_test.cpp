// SPDX-License-Identifier: GPL-3.0-or-later
// The marks beside a recording, as RFC 4180 writes such tables.
#include "app/dataset/recording/marks.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/dataset/sample_files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace echolux {
namespace {

using test::TemporaryFolder;
using test::writeFile;

TEST(RecordingMarks, AreReadInTheOrderOfTheirFrames) {
    const TemporaryFolder folder;
    const std::filesystem::path recording = folder / "take.h5";
    writeFile(eventsOf(recording), "frame,seconds,kind,name,value\r\n"
                                   "7,0.5,mark,\"a \"\"b\"\", c\nd\",\n"
                                   "7,0.6,parameter,gain,3\n"
                                   "2,0.1,mark,,\n"
                                   "0,0.0,mark,early,\n"
                                   "9,0.7,mark,behind the end,\n"
                                   "-1,0.7,mark,x,\n"
                                   "x,0.7,mark,x,\n"
                                   "3,y,mark,x,\n"
                                   "3,1,mark\n"
                                   "8,1e0,mark,last,");
    EXPECT_EQ(readMarks(recording, 8),
              (std::vector<RecordingMark>{
                  {0, 0.0, "early"}, {1, 0.1, ""}, {6, 0.5, "a \"b\", c\nd"}, {7, 1.0, "last"}}));
}

TEST(RecordingMarks, AreNoneWhereThereIsNoTable) {
    const TemporaryFolder folder;
    EXPECT_TRUE(readMarks(folder / "take.h5", 8).empty());
    std::filesystem::create_directory(eventsOf(folder / "take.h5"));
    EXPECT_TRUE(readMarks(folder / "take.h5", 8).empty());
    writeFile(eventsOf(folder / "other.h5"), std::string(5 << 20, '"'));
    EXPECT_TRUE(readMarks(folder / "other.h5", 8).empty());
}

TEST(RecordingMarks, ComeWithTheirRecording) {
    const TemporaryFolder folder;
    const std::filesystem::path recording = folder / "take.echolux.h5";
    std::filesystem::copy_file(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5", recording);
    writeFile(eventsOf(recording), "frame,seconds,kind,name,value\n3,0.1,mark,here,\n");
    const auto opened = openRecording(recording);
    EXPECT_EQ(opened->info().marks, (std::vector<RecordingMark>{{2, 0.1, "here"}}));
}

} // namespace
} // namespace echolux
