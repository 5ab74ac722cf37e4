// SPDX-License-Identifier: GPL-3.0-or-later
// Which B-scans of the recording stand in a volume that is being collected, and which are missing.
#pragma once

#include <cstdint>
#include <vector>

namespace echolux {

/// Numbers in the recording, first <= n < last.
struct BscanSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return last > first ? last - first : 0; }
    bool operator==(const BscanSpan&) const = default;
};

BscanSpan common(const BscanSpan& a, const BscanSpan& b);

/// B-scan number n of the recording has row n modulo bscans(); frame f holds the numbers
/// f * bscansPerFrame and so on. Used by one thread.
class VolumeRows {
public:
    /// Rows of the same sizes stay as they are, others begin empty. 0 `bscans`: no volume.
    void resize(std::int64_t bscans, std::int64_t bscansPerFrame);
    /// Another pipeline is in force: what stands there is not what it would make.
    void outdate();
    void clear(); ///< nothing stands there any more
    void put(const BscanSpan& numbers);

    BscanSpan ofFrame(std::int64_t frame) const;
    /// The volume that frame `shown` begins in. Of a last one that the recording does not complete,
    /// the B-scans that it lacks are those of the volume before, as when played.
    BscanSpan volumeOf(std::int64_t shown, std::int64_t frameCount) const;
    std::int64_t held(const BscanSpan& numbers) const; ///< how many of them
    std::int64_t filled() const { return m_filled; }   ///< rows with any B-scan, also outdated
    /// Frames that hold what is missing of `numbers`, in order.
    std::vector<std::int64_t> missingFrames(const BscanSpan& numbers) const;
    /// All frames from the first of `numbers` to `last`.
    std::vector<std::int64_t> framesUpTo(std::int64_t last, const BscanSpan& numbers) const;

private:
    bool holds(std::int64_t number) const;

    std::vector<std::int64_t> m_numbers; ///< per row, or why there is none
    std::int64_t m_filled = 0;
    std::int64_t m_perFrame = 1;
};

} // namespace echolux
