// SPDX-License-Identifier: GPL-3.0-or-later
// The budget of an opening: each limit by itself, and what grows with the file.
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

class OpeningBudget : public testing::Test {
protected:
    OpeningBudget() { writeFile(m_path, std::string(4096, 'x')); }

    template <class Draw> std::string refusal(Draw draw, const OpeningLimits& limits = {}) {
        const Opening opening(m_path, limits);
        try {
            draw();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "some.h5";
};

TEST_F(OpeningBudget, CountsLevelsAndLetsGoOfThem) {
    const auto nested = [](int levels) {
        return [levels] {
            std::vector<std::unique_ptr<Opening::Level>> open;
            for (int i = 0; i < levels; ++i) open.push_back(std::make_unique<Opening::Level>());
        };
    };
    EXPECT_EQ(refusal(nested(64)), "");
    EXPECT_THAT(refusal(nested(65)), AllOf(HasSubstr("some.h5"), HasSubstr("more than 64 deep")));
    EXPECT_EQ(refusal([&] {
                  nested(60)();
                  nested(60)();
              }),
              "");
}

TEST_F(OpeningBudget, AnObjectMayLieBesideButNotWithinItself) {
    EXPECT_EQ(refusal([] {
                  const Opening::Level outer(1);
                  { const Opening::Level inner(2); }
                  const Opening::Level again(2);
              }),
              "");
    EXPECT_THAT(refusal([] {
                    const Opening::Level outer(1);
                    const Opening::Level between(2);
                    const Opening::Level again(1);
                }),
                HasSubstr("within itself"));
}

TEST_F(OpeningBudget, CountsObjectsOfAllReadersTogether) {
    EXPECT_EQ(refusal([] { Opening::visit(100'000); }), "");
    EXPECT_THAT(refusal([&] {
                    Opening::visit(60'000);
                    const Opening inner(m_path); // draws on the outer one
                    Opening::visit(40'001);
                }),
                AllOf(HasSubstr("100000 groups"), HasSubstr("4096 bytes")));
}

TEST_F(OpeningBudget, LargerFilesMayHoldAndKeepMore) {
    const std::filesystem::path large = m_folder / "large.bin";
    writeFile(large, "");
    std::filesystem::resize_file(large, 200 * kMiB);
    const auto draw = [&] {
        const InputFile other(large); // belongs to the recording
        const InputFile again(large); // and counts once
        Opening::visit(200 * 1024);
        Opening::keep("one frame", 200 * 32 * kMiB);
    };
    EXPECT_EQ(refusal(draw), "");
    EXPECT_THAT(refusal([&] {
                    draw();
                    Opening::visit(5);
                }),
                HasSubstr("objects"));
    EXPECT_THAT(refusal([&] {
                    draw();
                    Opening::keep("one frame", 201 * 32 * kMiB);
                }),
                HasSubstr("one frame would take"));
}

TEST_F(OpeningBudget, WeighsWhatIsKeptAgainstWhatIsOnDisk) {
    EXPECT_EQ(refusal([] {
                  for (int i = 0; i < 5; ++i) Opening::keep("one frame", 160 * kMiB);
              }),
              "");
    EXPECT_THAT(refusal([] { Opening::keep("its variables", 161 * kMiB); }),
                AllOf(HasSubstr("its variables"), HasSubstr("169 MB"), HasSubstr("32 times"),
                      HasSubstr("4096 bytes")));
}

TEST_F(OpeningBudget, SaysWhatItKeptWhereThatIsMuch) {
    refusal([] {
        Opening::keep("one frame", 160 * kMiB);
        EXPECT_FALSE(Opening::largestKept());
    });
    OpeningLimits roomy;
    roomy.ratio = 1'000'000;
    EXPECT_EQ(refusal(
                  [] {
                      Opening::keep("its variables", 300'000'000);
                      EXPECT_EQ(Opening::largestKept(), "its variables: 300 MB");
                  },
                  roomy),
              "");
}

TEST_F(OpeningBudget, EndsWhenItsTimeIsOver) {
    OpeningLimits none;
    none.seconds = -1.0;
    EXPECT_THAT(refusal([] { Opening::checkTime(); }, none), HasSubstr("took more than"));
    EXPECT_THAT(refusal([] { Opening::visit(100); }, none), HasSubstr("took more than"));
    EXPECT_EQ(refusal([] { Opening::checkTime(); }), "");
}

TEST_F(OpeningBudget, CountsNothingOutsideOfAnOpening) {
    { const Opening opening(m_path); }
    Opening::visit(1'000'000);
    Opening::keep("one frame", 1'000'000 * kMiB);
    const Opening::Level level(1);
    const Opening::Level same(1);
}

TEST_F(OpeningBudget, AnHonestRecordingOfEightGigabytesOpens) {
    const std::filesystem::path path = m_folder / "long.npy";
    const std::string head = npyBytes(npyDictionary("<i2", "(100000, 1, 64, 640)"), "");
    writeFile(path, head);
    std::filesystem::resize_file(path, head.size() + std::uint64_t{2} * 100'000 * 64 * 640);
    writeFile(path.string() + ".toml",
              "[data]\naxes = [\"frame\", \"transmit\", \"channel\", \"sample\"]\n"
              "[probe]\npitch = 0.3e-3\n[signal]\nsampling_frequency = 20e6\n"
              "[transmit]\nangles_deg = [0]\n");
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frameCount, 100'000);
    std::vector<std::byte> frame(recording->info().frame.bytes());
    recording->readFrame(99'999, frame);
    for (const auto& [name, text] : recording->info().notes) EXPECT_NE(name, "Kept in memory");
}

} // namespace
} // namespace echolux::test
