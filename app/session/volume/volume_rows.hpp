// SPDX-License-Identifier: GPL-3.0-or-later
// Which B-scans of the recording are in a volume that is being collected, and which are missing.
#pragma once

#include <cstdint>
#include <vector>

namespace echolux {

/// Numbers n of B-scans, first <= n < last, where all frames of a place count as one B-scan.
struct BscanSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return last > first ? last - first : 0; }
    bool operator==(const BscanSpan&) const = default;
};

BscanSpan common(const BscanSpan& a, const BscanSpan& b);

/// How the frames of a recording hold the B-scans of a volume.
struct BscanLayout {
    std::int64_t perFrame = 1;       ///< B-scans in each frame
    std::int64_t framesPerPlace = 1; ///< frames that follow each other at the same place or places
    std::int64_t ensemble = 1;       ///< frames that make one image; divides framesPerPlace

    /// Its `first`, for the number of frames in a recording, is the number of complete B-scans.
    BscanSpan ofFrame(std::int64_t frame) const {
        const std::int64_t place = frame / framesPerPlace;
        return {place * perFrame, (place + 1) * perFrame};
    }
    /// First frame of the last image that is made of B-scan `number`.
    std::int64_t lastImageOf(std::int64_t number) const {
        return (number / perFrame + 1) * framesPerPlace - ensemble;
    }
    bool operator==(const BscanLayout&) const = default;
};

/// B-scan number n of the recording has row n modulo the number of rows. Used by one thread.
class VolumeRows {
public:
    /// Makes `bscans` rows. Keeps the rows where both arguments stay the same, else all rows are
    /// empty. 0 `bscans`: no volume.
    void resize(std::int64_t bscans, const BscanLayout& layout);
    /// Marks all B-scans as made by a former pipeline: they count as missing.
    void outdate();
    void clear(); ///< all rows are empty
    void put(const BscanSpan& numbers);

    const BscanLayout& layout() const { return m_layout; }
    /// The B-scans of the volume that frame `shown` begins in. Where the recording ends before the
    /// last volume is complete, the span begins earlier, so that the missing rows hold B-scans of
    /// the volume before, as they do after playback. A place whose last frames were not recorded is
    /// in no span.
    BscanSpan volumeOf(std::int64_t shown, std::int64_t frameCount) const;
    std::int64_t held(const BscanSpan& numbers) const; ///< how many of them are there
    std::int64_t filled() const {
        return m_filled;
    } ///< rows with a B-scan, outdated ones
      ///< included
    /// First frames of the images that hold missing B-scans of `numbers`, in order; of each place
    /// the last image.
    std::vector<std::int64_t> missingFrames(const BscanSpan& numbers) const;
    /// First frames of all images from the first of `numbers` to that of frame `last`.
    std::vector<std::int64_t> framesUpTo(std::int64_t last, const BscanSpan& numbers) const;

private:
    bool holds(std::int64_t number) const;

    std::vector<std::int64_t> m_numbers; ///< per row the B-scan's number, or a negative code for
                                         ///< empty and outdated
    std::int64_t m_filled = 0;
    BscanLayout m_layout;
};

} // namespace echolux
