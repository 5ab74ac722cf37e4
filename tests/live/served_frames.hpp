// SPDX-License-Identifier: GPL-3.0-or-later
// A writer of shared memory in the process of a test.
#pragma once

#include "app/live/shared_source.hpp"
#include "app/live/shared_writer.hpp"
#include "tests/live/fake_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echolux::test {

/// A name of this process and test alone.
inline std::string uniqueName() {
    static int s_count = 0;
    return fmt::format("test-{}-{}", ::getpid(), s_count++);
}

/// Frames whose samples are all their number, through SharedWriter.
struct ServedFrames {
    std::string name = uniqueName();
    FakeSource source;
    std::unique_ptr<SharedWriter> writer;
    echolux_live_writer again{}; ///< see countAnew()

    explicit ServedFrames(std::uint64_t slotCount = 4, bool blocks = false) {
        start(slotCount, blocks);
    }
    void start(std::uint64_t slotCount, bool blocks) {
        writer = nullptr; // it removes the name
        writer = std::make_unique<SharedWriter>(SharedWriter::Setup{name, slotCount, blocks},
                                                source.info());
    }
    bool write(std::int64_t number) {
        if (again.header != nullptr) {
            void* out = echolux_live_begin(&again);
            if (out == nullptr) return false;
            auto* samples = static_cast<std::int16_t*>(out);
            std::fill(samples, samples + again.header->frame_bytes / 2,
                      static_cast<std::int16_t>(number));
            echolux_live_publish(&again, number, 5);
            return true;
        }
        const std::span<std::byte> out = writer->begin();
        if (out.empty()) return false;
        auto* samples = reinterpret_cast<std::int16_t*>(out.data());
        std::fill(samples, samples + out.size() / 2, static_cast<std::int16_t>(number));
        writer->publish({number, 5});
        return true;
    }
    std::unique_ptr<SharedSource> reader() const {
        return std::make_unique<SharedSource>(name, "shared:" + name, 5.0);
    }
    /// Lets the test change the memory behind the writer's back.
    std::span<std::byte> memory() {
        const int file = ::shm_open(("/echolux-" + name).c_str(), O_RDWR, 0);
        struct stat facts {};
        ::fstat(file, &facts);
        const auto bytes = static_cast<std::size_t>(facts.st_size);
        void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        return {static_cast<std::byte*>(start), bytes};
    }
    echolux_live_header& header() {
        return *reinterpret_cast<echolux_live_header*>(memory().data());
    }
    /// Lays the memory out anew in place, as resources/help/live.md says: `change` does it.
    void layOutAnew(const std::function<void(echolux_live_header&)>& change, bool countsAnew) {
        echolux_live_header& to = header();
        __atomic_add_fetch(&to.generation, 1U, __ATOMIC_SEQ_CST);
        change(to);
        if (countsAnew) countAnew();
        __atomic_add_fetch(&to.generation, 1U, __ATOMIC_SEQ_CST);
    }
    /// From now on frames are written as by a writer that starts again in the same memory.
    void countAnew() {
        again.header = &header();
        again.next = 0;
        __atomic_store_n(&again.header->published, std::uint64_t{0}, __ATOMIC_SEQ_CST);
    }
};

} // namespace echolux::test
