// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of live sources.
#include "app/live/open_live.hpp"

#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

TEST(LiveAddress, IsToldFromAFile) {
    for (const char* address :
         {"simulator", "simulator:oct", "simulator?waves=1", "shared:x", "replay:/data/a.mat"})
        EXPECT_TRUE(isLiveAddress(address)) << address;
    for (const char* file : {"", "a.mat", "/shared:x/a.mat", "simulators.mat", "sharedmemory"})
        EXPECT_FALSE(isLiveAddress(file)) << file;
}

TEST(LiveAddress, SaysWhatIsSimulated) {
    const auto source =
        liveSource("simulator:echoes?elements=20&waves=5&depth=15&fc=3&rate=7.5", Backend::Cpu);
    const FrameSpec& frame = source->info().frame;
    EXPECT_EQ(frame.sizeOf(AxisName::Channel), 20);
    EXPECT_EQ(frame.sizeOf(AxisName::Transmit), 5);
    EXPECT_DOUBLE_EQ(frame.centreFrequencyHz, 3e6);
    EXPECT_DOUBLE_EQ(source->info().frameRateHz, 7.5);
    const auto oct =
        liveSource("simulator:oct?lines=12&sample=points&device=swept_source", Backend::Cpu);
    EXPECT_EQ(oct->info().frame.sizeOf(AxisName::Lateral), 12);
}

TEST(LiveAddress, SetsTheSlidersOfScreens) {
    const auto valueIn = [](const char* address, const char* key) {
        const std::vector<LiveParameter> all = liveSource(address, Backend::Cpu)->parameters();
        return std::ranges::find(all, key, &LiveParameter::key)->value;
    };
    EXPECT_DOUBLE_EQ(valueIn("simulator:echoes", "screen"), 0.0);
    EXPECT_DOUBLE_EQ(valueIn("simulator:echoes", "screens"), 1.0);
    EXPECT_DOUBLE_EQ(valueIn("simulator:echoes?screens=8", "screens"), 8.0);
    EXPECT_DOUBLE_EQ(valueIn("simulator:echoes?screens=8", "screen"), 50.0)
        << "as with simulate --screen";
    EXPECT_DOUBLE_EQ(valueIn("simulator:echoes?screens=8&screen=0", "screen"), 0.0);
    const char* all = "simulator:echoes?wall=abdominal&screen=30&screen_gain=2&screen_depth=12&"
                      "screen_length=4&screens_on=receive";
    EXPECT_DOUBLE_EQ(valueIn(all, "wall"), 1.0);
    EXPECT_DOUBLE_EQ(valueIn(all, "screen"), 30.0);
    EXPECT_DOUBLE_EQ(valueIn(all, "screen_gain"), 2.0);
    EXPECT_DOUBLE_EQ(valueIn(all, "screen_depth"), 12.0);
    EXPECT_DOUBLE_EQ(valueIn(all, "screen_length"), 4.0);
}

TEST(LiveAddress, RefusalsNameTheWord) {
    const auto answer = [](const char* address) {
        return refusal([&] { liveSource(address, Backend::Cpu); });
    };
    EXPECT_THAT(answer("simulator:brain"), HasSubstr("simulator:echoes or simulator:oct"));
    EXPECT_THAT(answer("simulator:echoes?elemnts=4"), HasSubstr("elemnts is not known"));
    EXPECT_THAT(answer("simulator:echoes?elements=many"), HasSubstr("elements is no number"));
    EXPECT_THAT(answer("simulator:echoes?elements"), HasSubstr("elements has no value"));
    EXPECT_THAT(answer("simulator:echoes?elements=0"), HasSubstr("elements"));
    EXPECT_THAT(answer("simulator:echoes?rate=-1"), HasSubstr("rate"));
    EXPECT_THAT(answer("simulator:echoes?screens=9"), HasSubstr("screens is 9"));
    EXPECT_THAT(answer("simulator:echoes?wall=brick"), HasSubstr("There is no wall 'brick'"));
    EXPECT_THAT(answer("simulator:echoes?screens_on=sent"),
                HasSubstr("screens_on is none of both, receive"));
    EXPECT_THAT(answer("shared:"), HasSubstr("names no shared memory"));
    EXPECT_THAT(answer("shared:a/b"), HasSubstr("without a slash"));
    EXPECT_THAT(answer("replay:/there/is/no/file"), HasSubstr("/there/is/no/file"));
}

TEST(ReplaySource, PlaysAFileAgainAndAgain) {
    const std::string file = ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5";
    const auto recording = openRecording(file);
    const std::int64_t count = recording->info().frameCount;
    const auto source = liveSource("replay:" + file, Backend::Cpu);
    source->setParameter("rate", 0.0);
    std::vector<std::byte> expected(recording->info().frame.bytes());
    std::vector<std::byte> frame(expected.size());
    for (std::int64_t n = 0; n < count + 2; ++n) {
        FrameStamp stamp;
        ASSERT_EQ(source->next(frame, stamp, {}), LiveSource::Outcome::Frame);
        EXPECT_EQ(stamp.number, n);
        recording->readFrame(n % count, expected);
        EXPECT_EQ(frame, expected) << n;
    }
}

} // namespace
} // namespace echolux
