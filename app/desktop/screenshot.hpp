// SPDX-License-Identifier: GPL-3.0-or-later
// Screenshots that hold the settings of their image: source, frame, all parameters, display. They
// can be opened again.
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

/// Stored as JSON in the PNG's text chunk "echolux".
struct ScreenshotRecord {
    QString sourceName;   ///< file name without folder
    QString sourceSha256; ///< fileSha256()
    QString sidecar;      ///< path of the sidecar that the user gave; empty: none
    int track = 0;        ///< the chosen track, counted from 1; 0: none was chosen
    std::int64_t frame = 0;
    std::int64_t bscan = 0; ///< the chosen B-scan within the frame
    /// File of `calibration`; empty: it was captured or found, or there is none.
    QString calibrationFile;
    std::optional<Calibration> calibration; ///< in force in place of the recording's own
    QString backend;                        ///< "CUDA: NVIDIA ...", "CPU, 2 threads"
    PipelineConfig pipeline;
    DisplayChoice display;
    QVariantMap views; ///< ViewArea::scene(); empty: unknown
};

/// Writes the image in the format of the ending of `path`; only PNG holds `record`. Throws Error
/// where the file cannot be written, and leaves no partial file.
void saveScreenshot(const QString& path, QImage image, const ScreenshotRecord& record);
/// Throws Error where the file is no PNG that Echolux saved, or is damaged.
ScreenshotRecord readScreenshot(const QString& path);

/// True where the file is a PNG with settings: a screenshot, not a recording.
bool isScreenshot(const QString& path);

} // namespace echolux
