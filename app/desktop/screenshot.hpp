// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots that carry what they show: source, frame, every parameter, display; and can be opened
// again.
#pragma once

#include "app/dataset/calibration/calibration.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "ui/parameters/display_group.hpp"

#include <QImage>
#include <QString>
#include <QVariantMap>

#include <cstdint>
#include <optional>

namespace echolux {

/// Stored in the PNG's text chunk "echolux" as JSON.
struct ScreenshotRecord {
    QString sourceName;   ///< file name without folder
    QString sourceSha256; ///< hex, of the whole file
    QString sidecar;      ///< path of the sidecar that was given by hand; empty: none
    int track = 0;        ///< that was chosen, counted from 1; 0: none was
    std::int64_t frame = 0;
    std::int64_t bscan = 0;  ///< chosen of those in the frame
    QString calibrationFile; ///< whose values are `calibration`; empty: captured, found, none
    std::optional<Calibration> calibration; ///< in force instead of the recording's own
    QString backend;                        ///< "CUDA: NVIDIA ...", "CPU, 2 threads"
    PipelineConfig pipeline;
    DisplayChoice display;
    QVariantMap views; ///< ViewArea::scene(); empty: not known
};

/// In the format that the ending of `path` names; only PNG carries `record`. Throws Error where the
/// file cannot be written; nothing half-written is left.
void saveScreenshot(const QString& path, QImage image, const ScreenshotRecord& record);
/// Throws Error where the file is no PNG that Echolux saved, or is damaged.
ScreenshotRecord readScreenshot(const QString& path);

/// True where the file begins like a PNG and carries settings: it is a screenshot, not a recording.
bool isScreenshot(const QString& path);

} // namespace echolux
