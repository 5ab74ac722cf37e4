// SPDX-License-Identifier: GPL-3.0-or-later
// What the status line and the panels say of a recording and of the stages that image it.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"

#include <QString>
#include <QStringList>

namespace echolux {

/// "phantom_cine.h5   plane wave 3 x 64 el   5.0 MHz   recorded at 25 frames/s", or of spectra
/// "retina.h5   200 A-scans x 512 samples   840 nm   recorded at 25 B-scans/s".
QString sourceText(const RecordingInfo& info);
/// One name per transmit: "-1.5 deg", "element 12", "source at -4.0 mm".
QStringList transmitNames(const Acquisition& acquisition);
/// Of what was timed under `ids`: a stage, or a group that runs as one, "first ... last".
QString stageLabel(const Snapshot& snapshot, const std::string& ids);

/// What the views are called on screen: as the pipeline says, or after the stages that they show.
QStringList viewNames(const Snapshot& snapshot);

} // namespace echolux
