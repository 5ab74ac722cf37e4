// SPDX-License-Identifier: GPL-3.0-or-later
// Screens side by side in one picture: delays above, amplitudes below, all on the same scales.
#pragma once

#include "ui/aberration/aberration_values.hpp"

#include <QImage>

#include <vector>

namespace echolux {

struct StripPicture {
    QString title;
    ElementValues delayNs;
    ElementValues amplitudeDb;
};

/// In light colours, for print. Null where `pictures` is empty.
QImage paintStrip(const std::vector<StripPicture>& pictures);

/// Colour of a value from -1 to 1: blue below zero, orange above.
QColor signedColour(double part);

} // namespace echolux
