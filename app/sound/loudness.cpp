// SPDX-License-Identifier: GPL-3.0-or-later
// One gain per piece, from its loudest sample and that of the past.
#include "app/sound/loudness.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kFadeS = 2.0; ///< in which the loudest sample of the past falls to 1 / e

} // namespace

Loudness::Loudness(double rateHz) : m_rateHz(rateHz) {}

void Loudness::level(std::span<StereoSample> sound) {
    m_loudest *=
        static_cast<float>(std::exp(-static_cast<double>(sound.size()) / m_rateHz / kFadeS));
    for (const StereoSample& each : sound)
        m_loudest = std::max({m_loudest, std::abs(each.left), std::abs(each.right)});
    if (!(m_loudest > 0.0F)) return;
    const float gain = kPeak / m_loudest;
    if (!std::isfinite(gain)) return;
    for (StereoSample& each : sound) each = {gain * each.left, gain * each.right};
}

} // namespace echolux
