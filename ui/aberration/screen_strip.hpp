// SPDX-License-Identifier: GPL-3.0-or-later
// Screens side by side as one picture: delays above, amplitudes below, all by the same scales.
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

/// Null where there is none. In light colours, for pages.
QImage paintStrip(const std::vector<StripPicture>& pictures);

/// Blue below, orange above zero, -1 to 1.
QColor signedColour(double part);

} // namespace echolux
