// SPDX-License-Identifier: GPL-3.0-or-later
// Factors from the units of both.
#include "app/paper/measured_places.hpp"

namespace echolux {
namespace {

double factorOf(const FrameSpec& image, const ScreenAxis& screen) {
    const Axis* axis = image.find(screen.axis);
    return axis == nullptr ? 1.0 : measure::measuredPerAxis(*axis) / screen.viewPerAxis;
}

} // namespace

MeasuredPlaces::MeasuredPlaces(const FrameSpec& image) {
    const Picture picture = pictureOf(image);
    m_across = factorOf(image, picture.across);
    m_down = factorOf(image, picture.down);
}

} // namespace echolux
