// SPDX-License-Identifier: GPL-3.0-or-later
// echolux join: files that are to the byte those of one process, and what does not belong together.
#include "tests/commands/join_run.hpp"
#include "tests/commands/simulated.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace echolux {
namespace {

using test::coarse;
using test::kCine;
using test::kOct;
using test::kVessel;
using test::Words;
using testing::AllOf;
using testing::HasSubstr;

class JoinCommand : public test::JoinTest {
protected:
    JoinCommand() : JoinTest("cpu") {}
};

TEST_F(JoinCommand, EveryCutGivesTheBytesOfOneProcess) {
    Words ones;
    for (int n = 1; n <= 7; ++n) ones.push_back(std::to_string(n));
    for (const Words& ranges :
         {ones, Words{"1:7"}, Words{"1:1", "2:6", "7:7"}, Words{"1:4", "5:7"}}) {
        SCOPED_TRACE(ranges.size());
        Words made = parts(ranges);
        std::ranges::reverse(made); // the order of the names does not count
        expectSameFile(".npz", made, "1:7");
        expectSameFile(".npy", made, "1:7");
        EXPECT_TRUE(bytes("whole.json") == bytes("joined.json"));
    }
}

TEST_F(JoinCommand, EveryKindOfFileIsToTheByte) {
    const Words made = parts({"3:3", "4:7"});
    for (const char* ending :
         {".mat", ".hdf5", ".uff", ".nrrd", ".nii", ".nii.gz", ".tif", ".gif", ".csv"})
        expectSameFile(ending, made, "3:7");
}

TEST_F(JoinCommand, AllFramesAreTheDefault) {
    expectSameFile(".npz", parts({"1:20", "21:32"}), "");
    EXPECT_THAT(refusedJoin({file("1:20.part")}),
                AllOf(HasSubstr("No part holds frames 21 to 32"), HasSubstr("--frames 21:32")));
}

TEST_F(JoinCommand, FramesThatSeeOthersAreThoseOfOneProcess) {
    // Persistence and the running maximum: ranges that are exported alone have other values.
    const Words slow = coarse({"--set", "persistence.amount=0.7"});
    expectSameFile(".npy", parts({"1:3", "4:6"}, slow), "1:6", slow);
    const std::vector<float> joined = test::npyValues(file("joined.npy"));
    ASSERT_EQ(exports("later.npy", "4:6", slow).status, 0);
    const std::vector<float> later = test::npyValues(file("later.npy"));
    ASSERT_EQ(joined.size(), 2 * later.size());
    EXPECT_FALSE(std::equal(later.begin(), later.end(),
                            joined.begin() + static_cast<std::ptrdiff_t>(later.size())));
}

TEST_F(JoinCommand, FramesThatStandAloneAreOneBehindTheOther) {
    const Words beamformed = coarse({"--output-of", "envelope"});
    ASSERT_EQ(test::runEcholux(
                  joining(parts({"1:1", "2:3"}, beamformed), "joined.npy", {"--frames", "1:3"}))
                  .status,
              0);
    std::vector<float> all;
    for (const char* frame : {"1", "2", "3"}) {
        ASSERT_EQ(exports("one.npy", frame, beamformed).status, 0);
        const std::vector<float> one = test::npyValues(file("one.npy"));
        all.insert(all.end(), one.begin(), one.end());
    }
    EXPECT_EQ(test::npyValues(file("joined.npy")), all);
}

TEST_F(JoinCommand, RawFramesAreJoined) {
    const Words raw{"--output-of", "recording"};
    expectSameFile(".npy", parts({"1:2", "3:32"}, raw), "", raw);
    const auto native =
        test::runEcholux(joining({file("1:2.part"), file("3:32.part")}, "joined.echolux.h5"));
    ASSERT_EQ(native.status, 0) << native.err;
    const auto joined = openRecording(file("joined.echolux.h5"));
    const auto recorded = openRecording(kCine);
    ASSERT_EQ(joined->info().frameCount, recorded->info().frameCount);
    for (const std::int64_t frame : {0, 1, 2, 31})
        EXPECT_EQ(test::frameOf(*joined, frame), test::frameOf(*recorded, frame)) << frame;
}

TEST_F(JoinCommand, WindowsOfFramesAreJoined) {
    const Words sliding{"--pipeline", "colour_flow_sliding", "--output-of", "velocity"};
    expectSameFile(".npy", parts({"1:5", "6:7", "8:20"}, sliding, kVessel), "1:20", sliding,
                   kVessel);
    const Words packets{"--pipeline", "colour_flow", "--output-of", "velocity"};
    expectSameFile(".npz", parts({"1:16", "17:48"}, packets, kVessel), "", packets, kVessel);
    expectSameFile(".npy", parts({"1:2", "3:12"}, {}, kOct), "1:12", {}, kOct);
    const auto within = exports("x.part", "1:20", packets, kVessel);
    EXPECT_EQ(within.status, 2);
    EXPECT_THAT(within.err, AllOf(HasSubstr("16 frames together"), HasSubstr("--frames 1:32")));
}

TEST_F(JoinCommand, RangesAreWholeWindows) {
    const auto ranges = [&](const Words& more, const std::string& recording) {
        Words words{"export", recording, "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        return test::runEcholux(words).out;
    };
    EXPECT_EQ(ranges({"--split", "15"}, kCine), "1:15\n16:30\n31:32\n");
    EXPECT_EQ(ranges({"--split", "2", "--frames", "4:6"}, kCine), "4:5\n6:6\n");
    EXPECT_EQ(ranges({"--split", "17", "--pipeline", "colour_flow"}, kVessel), "1:32\n33:48\n");
}

TEST_F(JoinCommand, GapsAndOverlapsAreRefused) {
    const Words made = parts({"1:2", "2:4", "4:4", "6:8"});
    const Words eight{"--frames", "1:8"};
    EXPECT_THAT(refusedJoin({made[0], made[1], made[3]}, eight),
                HasSubstr("'1:2.part' and '2:4.part' both hold frame 2;"));
    EXPECT_THAT(refusedJoin({made[0], made[2], made[3]}, eight),
                HasSubstr("No part holds frame 3;"));
    EXPECT_THAT(refusedJoin({made[0], made[0]}, {"--frames", "1:2"}),
                HasSubstr("both hold frames 1 to 2"));
    EXPECT_THAT(refusedJoin({made[1]}, {"--frames", "1:4"}), HasSubstr("No part holds frame 1;"));
    EXPECT_THAT(refusedJoin({made[3]}, {"--frames", "6:7"}),
                HasSubstr("holds frames 6 to 8, but frames 6 to 7 are to be joined"));
}

TEST_F(JoinCommand, PartsOfOtherThingsAreRefused) {
    const Words made = parts({"1:2"});
    const Words four{"--frames", "1:4"};
    const auto other = [&](const Words& more, const std::string& recording) {
        EXPECT_EQ(exports("other.part", "3:4", more, recording).status, 0);
        return refusedJoin({made[0], file("other.part")}, four);
    };
    EXPECT_THAT(other({}, kOct), HasSubstr("'other.part' is a part of another recording "
                                           "(retina_cine.echolux.h5), so it cannot be joined with "
                                           "'1:2.part'"));
    EXPECT_THAT(other(coarse({"--set", "log_compression.range_db=55"}), kCine),
                HasSubstr("other values (range_db = 55.0, there default)"));
    EXPECT_THAT(other(coarse({"--output-of", "median"}), kCine),
                HasSubstr("holds another output ('median', there '')"));
    const auto edited = [&](const std::string& key, const std::string& text) {
        std::string part = bytes("1:2.part");
        const std::size_t at = part.find("\"" + key + "\":\"") + key.size() + 4;
        part.replace(at, text.size(), text);
        write("other.part", part);
        return refusedJoin({made[0], file("other.part")}, four);
    };
    EXPECT_THAT(edited("computed_on", "NVIDI"), HasSubstr("was computed on NVIDI"));
    EXPECT_THAT(edited("program", "Other"), HasSubstr("was written by another program"));
    EXPECT_THAT(edited("facts_sha256", "xx"), HasSubstr("other facts"));
}

TEST_F(JoinCommand, DamagedPartsAreRefused) {
    const Words made = parts({"1:2"});
    const Words two{"--frames", "1:2"};
    const std::string whole = bytes("1:2.part");
    const auto with = [&](const std::string& text) {
        write("bad.part", text);
        return refusedJoin({file("bad.part")}, two);
    };
    EXPECT_THAT(with(whole.substr(0, whole.size() - 1)), HasSubstr("bytes instead of"));
    EXPECT_THAT(with(whole.substr(0, 100)), HasSubstr("no part of a recording"));
    EXPECT_THAT(with(""), HasSubstr("bad.part"));
    EXPECT_THAT(with("no part"), HasSubstr("no part of a recording"));
    for (const std::size_t place : {whole.size() - 40, whole.size() - 1, whole.size() / 2}) {
        std::string flipped = whole;
        flipped[place] = static_cast<char>(flipped[place] ^ 1);
        EXPECT_THAT(with(flipped), HasSubstr("do not match their checksum")) << place;
    }
    std::string later = whole;
    later.replace(later.find("\"last_frame\":2"), 14, "\"last_frame\":9");
    EXPECT_THAT(with(later), HasSubstr("bytes instead of"));
    EXPECT_THAT(refusedJoin({file("nowhere.part")}, two), HasSubstr("nowhere.part"));
}

TEST_F(JoinCommand, TheRecordingMustBeThatOfTheParts) {
    const std::string copy = file("copy.h5");
    std::filesystem::copy_file(kCine, copy);
    const Words made = parts({"1:2"}, coarse(), copy);
    const Words two{"--frames", "1:2"};
    std::filesystem::rename(copy, file("moved.h5"));
    EXPECT_THAT(refusedJoin(made, two), HasSubstr("copy.h5"));
    const auto moved = test::runEcholux(
        joining(made, "a.npy", {"--frames", "1:2", "--recording", file("moved.h5")}));
    EXPECT_EQ(moved.status, 0) << moved.err;
    EXPECT_THAT(refusedJoin(made, {"--frames", "1:2", "--recording", kOct}),
                HasSubstr("compared with what is here now"));
    std::string changed = bytes("moved.h5");
    changed[changed.size() - 9] = static_cast<char>(changed[changed.size() - 9] ^ 1);
    write("copy.h5", changed);
    EXPECT_THAT(refusedJoin(made, two), HasSubstr("'1:2.part' is a part of another recording"));
    EXPECT_THAT(
        test::refusal(joining(made, "moved.h5",
                              {"--frames", "1:2", "--recording", file("moved.h5"), "--force"})),
        HasSubstr("it is the recording itself"));
}

TEST_F(JoinCommand, OneFrameFilesAndOtherEndingsAreRefused) {
    const Words made = parts({"1:2"});
    EXPECT_THAT(test::refusal(joining(made, "x.png", {"--frames", "1:2"})),
                HasSubstr("holds one frame"));
    EXPECT_THAT(test::refusal(joining(made, "x.part", {"--frames", "1:2"})),
                HasSubstr("names no kind of file"));
    EXPECT_THAT(test::refusal(joining(made, "x.echolux.h5", {"--frames", "1:2"})),
                HasSubstr("channel data or raw spectra"));
}

} // namespace
} // namespace echolux
