// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about a recording and its stages, for the status line and the panels.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/snapshot.hpp"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace echolux {

/// "phantom_cine.h5   plane wave 3 x 64 el   5.0 MHz   recorded at 25 frames/s", or "plane wave 5 x
/// matrix 16 x 16", "focused 64 x 96 el curved". For spectra: "retina.h5   200 A-scans x 512
/// samples   840 nm   recorded at 25 B-scans/s".
QString sourceText(const RecordingInfo& info);
/// One name per transmit: "-1.5 deg", "-1.5 deg, 3.0 deg", "2.0, 30.0 mm", "element at -4.0 mm".
QStringList transmitNames(const Acquisition& acquisition);
/// Labels of stages on screen. A stage that is not in `snapshot` is named by its id.
QStringList stageLabels(const Snapshot& snapshot, const std::vector<std::string>& ids);
/// Label of a stage, or "first ... last" for stages that run as one step.
QString stageLabel(const Snapshot& snapshot, const std::vector<std::string>& ids);

/// Names of the views on screen: from the pipeline, or the labels of the stages that they show.
QStringList viewNames(const Snapshot& snapshot);
/// Name of an image column: "3.2 mm", "A-scan 12", "channel 65". `place` is the position on the
/// column axis, in its unit. Empty where the image has no column axis.
QString columnText(const FrameSpec& image, double place);
/// "-1.5, 22.0 mm": lateral and depth, both in m.
QString pixelText(double lateralM, double depthM);

} // namespace echolux
