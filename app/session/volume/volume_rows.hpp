// SPDX-License-Identifier: GPL-3.0-or-later
// Which B-scans of the recording are in a volume that is being collected, and which are missing.
#pragma once

#include <cstdint>
#include <vector>

namespace echolux {

/// Numbers n of B-scans in the recording, first <= n < last.
struct BscanSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return last > first ? last - first : 0; }
    bool operator==(const BscanSpan&) const = default;
};

BscanSpan common(const BscanSpan& a, const BscanSpan& b);

/// B-scan number n of the recording has row n modulo the number of rows. Frame f holds
/// bscansPerFrame B-scans from number f * bscansPerFrame on. Used by one thread.
class VolumeRows {
public:
    /// Makes `bscans` rows. Keeps the rows where both sizes stay the same, else all rows are empty.
    /// 0 `bscans`: no volume.
    void resize(std::int64_t bscans, std::int64_t bscansPerFrame);
    /// Marks all B-scans as made by a former pipeline: they count as missing.
    void outdate();
    void clear(); ///< all rows are empty
    void put(const BscanSpan& numbers);

    BscanSpan ofFrame(std::int64_t frame) const;
    /// The B-scans of the volume that frame `shown` begins in. Where the recording ends before the
    /// last volume is complete, the span begins earlier, so that the missing rows hold B-scans of
    /// the volume before, as they do after playback.
    BscanSpan volumeOf(std::int64_t shown, std::int64_t frameCount) const;
    std::int64_t held(const BscanSpan& numbers) const; ///< how many of them are there
    std::int64_t filled() const {
        return m_filled;
    } ///< rows with a B-scan, outdated ones
      ///< included
    /// Frames that hold missing B-scans of `numbers`, in order.
    std::vector<std::int64_t> missingFrames(const BscanSpan& numbers) const;
    /// All frames from the first of `numbers` to `last`.
    std::vector<std::int64_t> framesUpTo(std::int64_t last, const BscanSpan& numbers) const;

private:
    bool holds(std::int64_t number) const;

    std::vector<std::int64_t> m_numbers; ///< per row the B-scan's number, or a negative code for
                                         ///< empty and outdated
    std::int64_t m_filled = 0;
    std::int64_t m_perFrame = 1;
};

} // namespace echolux
