// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic on numbers of B-scans.
#include "app/session/volume/volume_rows.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr std::int64_t kOutdated = -1;
constexpr std::int64_t kEmpty = -2;

} // namespace

BscanSpan common(const BscanSpan& a, const BscanSpan& b) {
    return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

void VolumeRows::resize(std::int64_t bscans, const BscanLayout& layout) {
    const auto rows = static_cast<std::size_t>(bscans);
    if (rows == m_numbers.size() && layout == m_layout) return;
    m_numbers.resize(rows);
    m_layout = layout;
    clear();
}

void VolumeRows::outdate() {
    for (std::int64_t& number : m_numbers) {
        if (number != kEmpty) number = kOutdated;
    }
}

void VolumeRows::clear() {
    std::ranges::fill(m_numbers, kEmpty);
    m_filled = 0;
}

void VolumeRows::put(const BscanSpan& numbers) {
    for (std::int64_t n = numbers.first; n < numbers.last; ++n) {
        std::int64_t& row = m_numbers[static_cast<std::size_t>(n) % m_numbers.size()];
        if (row == kEmpty) ++m_filled;
        row = n;
    }
}

BscanSpan VolumeRows::volumeOf(std::int64_t shown, std::int64_t frameCount) const {
    if (m_numbers.empty()) return {};
    const auto rows = static_cast<std::int64_t>(m_numbers.size());
    const std::int64_t all = m_layout.ofFrame(frameCount).first;
    const std::int64_t begins = m_layout.ofFrame(shown).first / rows * rows;
    const std::int64_t first = std::clamp<std::int64_t>(all - rows, 0, begins);
    return {first, std::min(first + rows, all)};
}

bool VolumeRows::holds(std::int64_t number) const {
    return m_numbers[static_cast<std::size_t>(number) % m_numbers.size()] == number;
}

std::int64_t VolumeRows::held(const BscanSpan& numbers) const {
    std::int64_t count = 0;
    for (std::int64_t n = numbers.first; n < numbers.last; ++n) count += holds(n) ? 1 : 0;
    return count;
}

std::vector<std::int64_t> VolumeRows::missingFrames(const BscanSpan& numbers) const {
    std::vector<std::int64_t> frames;
    for (std::int64_t n = numbers.first; n < numbers.last; ++n) {
        const std::int64_t frame = m_layout.lastImageOf(n);
        const bool known = !frames.empty() && frames.back() == frame;
        if (!known && !holds(n)) frames.push_back(frame);
    }
    return frames;
}

std::vector<std::int64_t> VolumeRows::framesUpTo(std::int64_t last,
                                                 const BscanSpan& numbers) const {
    std::vector<std::int64_t> frames;
    const std::int64_t place = numbers.first / m_layout.perFrame;
    for (std::int64_t frame = place * m_layout.framesPerPlace; frame <= last;
         frame += m_layout.ensemble)
        frames.push_back(frame);
    return frames;
}

} // namespace echolux
