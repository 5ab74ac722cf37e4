// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that come by themselves, from a scanner or a simulator. The latest ones are kept in
// memory.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace echolux {

class LiveFrames;

/// Memory of a kept frame. It stays unchanged until the loan is destroyed, on any thread. Loans are
/// destroyed before the recording.
class FrameLoan {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    FrameLoan() = default; ///< no frame
    FrameLoan(LiveFrames& owner, std::size_t slot, const std::byte* samples, TimePoint arrived)
        : m_owner(&owner), m_slot(slot), m_samples(samples), m_arrived(arrived) {}
    FrameLoan(FrameLoan&& other) noexcept { swap(other); }
    FrameLoan& operator=(FrameLoan&& other) noexcept {
        FrameLoan(std::move(other)).swap(*this);
        return *this;
    }
    inline ~FrameLoan();

    explicit operator bool() const { return m_samples != nullptr; }
    const std::byte* samples() const { return m_samples; }
    TimePoint arrived() const { return m_arrived; } ///< when it was complete in host memory

private:
    void swap(FrameLoan& other) noexcept {
        std::swap(m_owner, other.m_owner);
        std::swap(m_slot, other.m_slot);
        std::swap(m_samples, other.m_samples);
        std::swap(m_arrived, other.m_arrived);
    }

    LiveFrames* m_owner = nullptr;
    std::size_t m_slot = 0;
    const std::byte* m_samples = nullptr;
    TimePoint m_arrived;
};

/// Numbers of the frames that are kept: `first` to `last`. Where a reader holds an old frame, some
/// between may be missing. Empty where `last` < `first`.
struct KeptFrames {
    std::int64_t first = 0;
    std::int64_t last = -1;

    std::int64_t count() const { return last - first + 1; }
};

enum class LiveState {
    Running, ///< frames come
    Silent,  ///< no frame has come for some time; the source may go on
    Changed, ///< frames of another layout come: the source must be opened again
    Ended    ///< no frame will come
};

/// Counted from the opening on. Every frame that the source made is in exactly one of `kept`,
/// `whileHeld`, `withoutRoom`, `malformed` and `lostAtSource`.
struct LiveCounters {
    LiveState state = LiveState::Running;
    std::string reason = {};        ///< why it is Changed or Ended, or the last malformed frame
    std::uint64_t kept = 0;         ///< frames that were put into memory
    std::uint64_t lostAtSource = 0; ///< gaps in the source's own numbers
    std::uint64_t whileHeld = 0;    ///< frames that came while memory was held, see hold()
    std::uint64_t withoutRoom = 0;  ///< frames that came while readers held all memory
    std::uint64_t malformed = 0;    ///< frames that were refused
    double ageS = 0.0;              ///< of the newest frame
    std::size_t memoryBytes = 0;    ///< of the kept frames
    std::int64_t mostKept = 0;      ///< frames that fit into this memory

    bool operator==(const LiveCounters&) const = default;
};

/// All calls are thread-safe.
class LiveFrames {
public:
    virtual ~LiveFrames() = default;

    virtual KeptFrames kept() const = 0;
    /// The frame; empty where it is not kept.
    virtual FrameLoan lend(std::int64_t number) = 0;
    /// Calls `came` on the source's thread after each frame, and where the state changes. Empty:
    /// nobody is called. When this returns, no former function is being called.
    virtual void listen(std::function<void()> came) = 0;
    /// While held, the kept frames stay: the user looks at them. Frames that come are counted and
    /// dropped, unless somebody records.
    virtual void hold(bool held) = 0;
    virtual LiveCounters counters() const = 0;

protected:
    friend class FrameLoan;
    virtual void giveBack(std::size_t slot) = 0;
};

inline FrameLoan::~FrameLoan() {
    if (m_owner != nullptr) m_owner->giveBack(m_slot);
}

} // namespace echolux
