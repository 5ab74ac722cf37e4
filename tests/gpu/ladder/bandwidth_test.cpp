// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses to memory, by what they leave.
#include "gpu/ladder/bandwidth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace echolux::ladder {
namespace {

TEST(LadderMemory, AccessesLeaveWhatTheySay) {
    std::vector<float> in(64);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    for (const int width : {1, 2, 4}) {
        std::vector<float> out(in.size(), 0.0F);
        const auto touch = [&](MemoryAccess access) {
            touchMemory({}, {access, width, in.data(), out.data()}, std::ssize(in));
        };
        touch(MemoryAccess::Write);
        EXPECT_EQ(out, std::vector<float>(in.size(), kWritten)) << width;
        for (const auto copies : {MemoryAccess::ReadAndWrite, MemoryAccess::TextureReadAndWrite}) {
            out.assign(in.size(), NAN);
            touch(copies);
            EXPECT_EQ(out, in) << width;
        }
        for (const auto reads : {MemoryAccess::Read, MemoryAccess::TextureRead}) {
            out.assign(in.size(), 0.0F);
            touch(reads);
            EXPECT_EQ(out, std::vector<float>(in.size(), 0.0F)) << width;
            in[61] = kMark;
            touch(reads);
            EXPECT_EQ(out.front(), 1.0F) << width;
            in[61] = 61.0F;
        }
    }
    const MemoryWork work{MemoryAccess::Write, 3, nullptr, in.data()};
    EXPECT_THROW(touchMemory({}, work, 63), std::logic_error);
    EXPECT_THROW(touchMemory({}, {MemoryAccess::Write, 4, nullptr, in.data()}, 63),
                 std::logic_error);
}

TEST(LadderMemory, BlocksAccessOneValueForEachThread) {
    std::vector<float> in(100, 3.0F);
    std::vector<float> out(in.size(), 0.0F);
    touchMemoryInBlocks({}, {MemoryAccess::ReadAndWrite, 2, in.data(), out.data()}, 3, 8);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i < 48 ? 3.0F : 0.0F) << i;
    const MemoryWork work{MemoryAccess::Write, 1, nullptr, out.data()};
    EXPECT_THROW(touchMemoryInBlocks({}, work, 1, 0), std::logic_error);
    EXPECT_THROW(touchMemoryInBlocks({}, work, 1, 1025), std::logic_error);
}

} // namespace
} // namespace echolux::ladder
