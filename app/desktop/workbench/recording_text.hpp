// SPDX-License-Identifier: GPL-3.0-or-later
// What the status line and the panels say of a recording and of the stages that image it.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace echolux {

/// "phantom_cine.h5   plane wave 3 x 64 el   5.0 MHz   recorded at 25 frames/s", or
/// "plane wave 5 x matrix 16 x 16", "focused 64 x 96 el curved"; of spectra
/// "retina.h5   200 A-scans x 512 samples   840 nm   recorded at 25 B-scans/s".
QString sourceText(const RecordingInfo& info);
/// One name per transmit: "-1.5 deg", "-1.5 deg, 3.0 deg", "2.0, 30.0 mm", "element at -4.0 mm".
QStringList transmitNames(const Acquisition& acquisition);
/// What stages are called on screen; those that have gone meanwhile by their ids.
QStringList stageLabels(const Snapshot& snapshot, const std::vector<std::string>& ids);
/// Of a stage, or of several that run as one: "first ... last".
QString stageLabel(const Snapshot& snapshot, const std::vector<std::string>& ids);

/// What the views are called on screen: as the pipeline says, or after the stages that they show.
QStringList viewNames(const Snapshot& snapshot);
/// A column of an image in words, "3.2 mm", "A-scan 12", "channel 65"; `place` on its axis, in its
/// unit. Empty where it has no columns.
QString columnText(const FrameSpec& image, double place);

} // namespace echolux
