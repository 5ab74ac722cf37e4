// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that another program takes away.
#include "app/live/mapped_memory.hpp"

#include "gpu/core/error.hpp"
#include "tests/live/served_frames.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echolux {
namespace {

using test::ServedFrames;
using test::uniqueName;
using Outcome = LiveSource::Outcome;

TEST(SharedSource, AMemoryThatShrinksIsSurvived) {
    ServedFrames served;
    ASSERT_TRUE(served.write(0));
    const auto source = served.reader();
    const int file = ::shm_open(("/echolux-" + served.name).c_str(), O_RDWR, 0);
    ASSERT_EQ(::ftruncate(file, 4096), 0);
    ::close(file);
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    EXPECT_EQ(source->next(frame, stamp, {}), Outcome::Nothing);
}

/// Without MappedMemory the system ends the program at the first touch.
TEST(MappedMemory, WhatIsGoneBecomesZeros) {
    const std::string name = "/echolux-" + uniqueName();
    const int file = ::shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
    constexpr std::size_t kPage = 4096;
    ASSERT_EQ(::ftruncate(file, 4 * kPage), 0);
    const MappedMemory memory(file, 4 * kPage);
    auto* bytes = static_cast<volatile unsigned char*>(memory.start());
    for (std::size_t i = 0; i < 4; ++i) bytes[i * kPage] = 7;
    EXPECT_FALSE(memory.isTorn());
    ASSERT_EQ(::ftruncate(file, kPage), 0);
    EXPECT_FALSE(memory.isTorn()) << "nobody has touched it";
    EXPECT_EQ(bytes[2 * kPage], 0);
    EXPECT_TRUE(memory.isTorn());
    EXPECT_EQ(bytes[0], 7) << "what is left is as before";
    EXPECT_EQ(bytes[kPage], 0);
    bytes[3 * kPage] = 1; // and may be written
    ::close(file);
    ::shm_unlink(name.c_str());
}

TEST(MappedMemoryDeathTest, OtherFaultsEndTheProgramAsBefore) {
    EXPECT_DEATH(
        {
            const MappedMemory known(::memfd_create("known", 0), 4096); // the handler is in force
            const int file = ::memfd_create("other", 0);
            void* memory = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0); // it has no bytes
            EXPECT_EQ(*static_cast<volatile char*>(memory), 0);
        },
        "");
}

TEST(SharedSource, AMemoryThatShrinksWhileItIsReadIsSurvived) {
    ServedFrames served;
    ASSERT_TRUE(served.write(5));
    const auto source = served.reader();
    const int file = ::shm_open(("/echolux-" + served.name).c_str(), O_RDWR, 0);
    struct stat facts {};
    ASSERT_EQ(::fstat(file, &facts), 0);
    std::jthread tearer([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            ::ftruncate(file, 4096);
            ::ftruncate(file, facts.st_size);
        }
        ::close(file);
    });
    std::vector<std::byte> frame(source->info().frame.bytes());
    FrameStamp stamp;
    for (int i = 0; i < 500; ++i) {
        try {
            if (source->next(frame, stamp, {}) != Outcome::Frame) continue;
            EXPECT_EQ(test::firstSample(frame.data()), 5) << "never what is gone";
            EXPECT_EQ(stamp.number, 5);
        } catch (const Error&) { // it was attached to while it was short
        }
    }
}

} // namespace
} // namespace echolux
