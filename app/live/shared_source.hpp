// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that another program writes to shared memory; the layout is in client/echolux_live.h and
// resources/help/live.md.
#pragma once

#include "app/live/live_source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
    enum class Taken { Frame, Malformed, Overwritten, Nothing };

    /// Null where there is no such memory, or it is still being laid out. Throws Error where its
    /// first page contradicts itself.
    static std::unique_ptr<SharedFrames> attach(const std::string& name);
    ~SharedFrames();
    SharedFrames(const SharedFrames&) = delete;
    SharedFrames& operator=(const SharedFrames&) = delete;

    const Layout& layout() const { return m_layout; }
    std::uint64_t published() const;
    bool hasEnded() const;
    bool isReplaced(const std::string& name) const; ///< a newer memory has this name
    std::uint64_t writerPid() const;
    /// Waits at most `milliseconds` for more than `known` frames. False where none came.
    bool waitBeyond(std::uint64_t known, int milliseconds) const;
    /// Copies frame `number`, counted from 0.
    Taken take(std::uint64_t number, std::span<std::byte> out, FrameStamp& stamp) const;
    /// Tells a writer that blocks: frames before `number` are not needed, and the reader lives.
    void tell(std::uint64_t number) const;

private:
    SharedFrames(int file, void* memory, std::size_t bytes);
    bool isWhole() const; ///< the file still has its size

    int m_file;
    void* m_memory;
    std::size_t m_bytes;
    Layout m_layout;
};

class SharedSource final : public LiveSource {
public:
    /// Waits up to `patienceS` for the first frame, and opens its description. Throws Error where
    /// nobody writes, or the description fits no frame of this size. `name`: without "echolux-".
    SharedSource(const std::string& name, const std::string& address, double patienceS = 5.0);

    const RecordingInfo& info() const override { return m_info; }
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::string reason() const override { return m_reason; }

private:
    Outcome whileSilent();
    Outcome copy(std::span<std::byte> out, FrameStamp& stamp);

    std::string m_name;
    std::unique_ptr<SharedFrames> m_frames;
    RecordingInfo m_info;
    std::uint64_t m_next = 0; ///< number of the next frame in the memory
    std::string m_reason;
};

} // namespace echolux
