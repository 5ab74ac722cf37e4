// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that another program writes to shared memory; the layout is in client/echolux_live.h and
// resources/help/live.md.
#pragma once

#include "app/live/live_source.hpp"
#include "app/live/mapped_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace echolux {

/// The mapped memory of a writer. Everything in it is checked before it is used, because the writer
/// may be wrong about it or change it.
class SharedFrames {
public:
    /// Sizes and places, copied from the first page and checked.
    struct Layout {
        std::uint64_t slotsAt = 0;
        std::uint64_t slotCount = 0;
        std::uint64_t slotBytes = 0;
        std::uint64_t frameBytes = 0;
        std::vector<std::byte> description;
        bool operator==(const Layout&) const = default;
    };
    enum class Taken { Frame, Malformed, Overwritten, LaidOutAnew, Nothing };

    /// Null where there is no such memory, or it is still being laid out. Throws Error where its
    /// first page contradicts itself.
    static std::unique_ptr<SharedFrames> attach(const std::string& name);
    ~SharedFrames();
    SharedFrames(const SharedFrames&) = delete;
    SharedFrames& operator=(const SharedFrames&) = delete;

    const Layout& layout() const { return m_layout; }
    std::uint64_t published() const;
    bool hasEnded() const;
    /// A newer memory has this name, or a part of this one is gone.
    bool isReplaced(const std::string& name) const;
    /// Its writer lays it out anew in place, or has done so: attach again.
    bool isLaidOutAnew() const;
    std::uint64_t writerPid() const;
    /// Waits at most `milliseconds` until other than `known` frames were published, or the memory
    /// is laid out anew. False where neither came.
    bool awaitChange(std::uint64_t known, int milliseconds) const;
    /// Copies frame `number`, counted from 0.
    Taken take(std::uint64_t number, std::span<std::byte> out, FrameStamp& stamp) const;
    /// Tells a writer that blocks: frames before `number` are not needed, and the reader lives.
    void tell(std::uint64_t number) const;

private:
    SharedFrames(int file, std::size_t bytes) : m_file(file), m_memory(file, bytes) {}
    std::uint64_t generation() const;
    bool isWhole() const; ///< the file still has its size, and had it when it was read

    int m_file;
    MappedMemory m_memory;
    std::uint64_t m_generation = 0; ///< of m_layout
    Layout m_layout;
};

class SharedSource final : public LiveSource {
public:
    static constexpr double kPatienceS = 5.0;
    /// Waits up to `patienceS` for the first frame, or, where `stop` can be requested, until it is.
    /// Opens the description. Throws Error where nobody writes, or the description fits no frame of
    /// this size. `name`: without "echolux-".
    SharedSource(const std::string& name, const std::string& address, double patienceS = kPatienceS,
                 const std::stop_token& stop = {});

    const RecordingInfo& info() const override { return m_info; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::string reason() const override { return m_reason; }

private:
    Outcome attachAgain();
    Outcome copy(std::span<std::byte> out, FrameStamp& stamp);

    std::string m_name;
    std::unique_ptr<SharedFrames> m_frames;
    RecordingInfo m_info;
    std::uint64_t m_next = 0; ///< number of the next frame in the memory
    /// Frames that were published since the latest one that was handed on, and are gone.
    std::uint64_t m_gone = 0;
    std::string m_reason;
};

} // namespace echolux
