// SPDX-License-Identifier: GPL-3.0-or-later
// What the status line and the parameter panel say of a recording.
#pragma once

#include "app/dataset/recording.hpp"

#include <QString>
#include <QStringList>

namespace echolux {

/// "phantom_cine.h5   plane wave 3 x 64 el   5.0 MHz   recorded at 25 frames/s".
QString sourceText(const RecordingInfo& info);
/// One name per transmit: "-1.5 deg", "element 12", "source at -4.0 mm".
QStringList transmitNames(const Acquisition& acquisition);

} // namespace echolux
