// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that follow one another, and the memory through which one leaves something to the next.
#pragma once

#include "gpu/memory/buffer.hpp"

#include <array>
#include <cstddef>

namespace echolux {

enum class Series : std::size_t { Shown, Aside };
inline constexpr std::array kAllSeries{Series::Shown, Series::Aside};

/// The place of a frame in its series.
struct SeriesPlace {
    Series series = Series::Shown;
    std::size_t frames = 0; ///< since the reset, with this one
    bool hasPast() const { return frames > 1; }
    std::size_t parity() const { return frames % 2; }
};

/// Two buffers per series, written by odd and by even frames. So the last frame of a series can run
/// again.
class SeriesBuffers {
public:
    SeriesBuffers() = default;
    SeriesBuffers(MemoryKind memory, std::size_t bytes) {
        for (std::array<Buffer, 2>& both : m_buffers)
            for (Buffer& buffer : both) buffer = Buffer(memory, bytes);
    }
    /// What the previous frame wrote. The first frame reads `none`.
    const Buffer& past(const SeriesPlace& at, const Buffer& none) const {
        return at.hasPast() ? of(at.series, 1 - at.parity()) : none;
    }
    /// Where the frame writes.
    const Buffer& next(const SeriesPlace& at) const { return of(at.series, at.parity()); }

private:
    const Buffer& of(Series series, std::size_t parity) const {
        return m_buffers[static_cast<std::size_t>(series)][parity];
    }
    std::array<std::array<Buffer, 2>, kAllSeries.size()> m_buffers;
};

} // namespace echolux
