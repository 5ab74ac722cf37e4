// SPDX-License-Identifier: GPL-3.0-or-later
// A transmit's channels for looking at: magnitudes of what was recorded, and of long records the
// greatest of neighbours.
#include "app/session/column/column.hpp"

#include <gmock/gmock.h>

#include <cstring>

namespace echolux {
namespace {

using ::testing::ElementsAre;

FrameSpec recorded(std::int64_t samples) {
    auto acquisition = std::make_shared<Acquisition>();
    acquisition->probe.elements = {{-1e-3}, {0.0}, {1e-3}};
    acquisition->transmits.resize(2);
    acquisition->transmits[1].firstSampleS = 3e-6;
    FrameSpec raw;
    raw.dtype = DType::I16;
    raw.axes = {{AxisName::Transmit, 2, 1.0, 0.0, ""},
                {AxisName::Channel, 3, 1.0, 0.0, ""},
                {AxisName::Sample, samples, 1e-7, 0.0, "s"}};
    raw.codeOffset = 10.0;
    raw.acquisition = acquisition;
    return raw;
}

ChannelMatrix matrixOf(const FrameSpec& raw, const std::vector<std::int16_t>& codes,
                       std::int64_t transmit) {
    return RawLineReader(raw).readChannels(reinterpret_cast<const std::byte*>(codes.data()),
                                           transmit);
}

TEST(ChannelMatrix, HoldsMagnitudesOfOneTransmit) {
    const FrameSpec raw = recorded(2);
    const std::vector<std::int16_t> codes{10, 10, 10, 10, 10, 10, 11, 8, 10, 110, -90, 10};
    const ChannelMatrix matrix = matrixOf(raw, codes, 1);
    EXPECT_EQ(matrix.channels, 3);
    EXPECT_EQ(matrix.rows, 2);
    EXPECT_THAT(matrix.level, ElementsAre(1, 2, 0, 100, 100, 0));
    EXPECT_DOUBLE_EQ(matrix.stepS, 1e-7);
    EXPECT_DOUBLE_EQ(matrix.startS, 3e-6 - 0.5e-7); // where its first sample's row begins
}

TEST(ChannelMatrix, OfLongRecordsTheGreatestOfNeighbours) {
    const std::int64_t samples = 2 * ChannelMatrix::kMostRows + 1;
    const FrameSpec raw = recorded(samples);
    std::vector<std::int16_t> codes(static_cast<std::size_t>(6 * samples), 10);
    codes[static_cast<std::size_t>(samples) + 4] = 17;    // channel 2, sample 5
    codes[static_cast<std::size_t>(3 * samples) - 1] = 4; // channel 3, last sample
    const ChannelMatrix matrix = matrixOf(raw, codes, 0);
    EXPECT_LE(matrix.rows, ChannelMatrix::kMostRows);
    EXPECT_DOUBLE_EQ(matrix.stepS, 3e-7);
    EXPECT_EQ(matrix.level[static_cast<std::size_t>(matrix.rows) + 1], 7.0F);
    EXPECT_EQ(matrix.level.back(), 6.0F);
}

TEST(ChannelMatrix, IsEmptyWithoutSuchATransmit) {
    const FrameSpec raw = recorded(2);
    const std::vector<std::int16_t> codes(12, 10);
    EXPECT_TRUE(matrixOf(raw, codes, 2).level.empty());
    EXPECT_TRUE(matrixOf(raw, codes, -1).level.empty());
}

} // namespace
} // namespace echolux
