// SPDX-License-Identifier: GPL-3.0-or-later
// Half matrix captures made whole: what a receives of b is what b receives of a.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace echolux {

/// Copies, in each frame [transmit][channel][sample], the lines of pairs of elements that were
/// recorded in one direction to the place of the other, so that beamformers see the full matrix:
/// a weight of 2 would count the stored receiver twice where only the missing one lies within the
/// aperture.
class ReciprocalFill {
public:
    using ReadFrame = std::function<void(std::span<std::byte>)>;

    ReciprocalFill() = default;
    /// Finds the pairs: of single-element transmits, those of receive weight 2 whose reverse has
    /// 0; where no weights are said, those whose reverse is the same number throughout the first
    /// frame, if that holds for every pair. `info` is told: their weights become 1 (none where all
    /// are), and a note or a warning says so. `readFirst` reads the first frame as it is stored
    /// and may throw Error, which leaves it as it is.
    ReciprocalFill(RecordingInfo& info, const ReadFrame& readFirst);

    /// `frame` is one frame as it is stored.
    void apply(std::span<std::byte> frame) const;
    bool fills() const { return !m_copies.empty(); } ///< apply() does anything

private:
    struct Copy {
        std::size_t from; ///< line, counted over [transmit][channel]
        std::size_t to;
    };
    std::size_t m_lineBytes = 0;
    std::vector<Copy> m_copies;
};

} // namespace echolux
