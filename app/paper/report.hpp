// SPDX-License-Identifier: GPL-3.0-or-later
// A page of pictures, settings and figures: one recording, or several and their differences.
#pragma once

#include "app/paper/figure.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/recording_facts.hpp"

#include <QByteArray>

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

/// One recording through one pipeline.
struct ReportSide {
    std::filesystem::path recording;
    std::string heading; ///< "phantom_cine.echolux.h5, DAS"
    std::vector<RecordingFact> facts;
    std::string hash; ///< SHA-256 of the recording; empty: unknown
    SnapshotPtr snapshot;
    FigurePanel panel;
    std::vector<measure::Measured> measured;
};

struct Report {
    std::string title;
    std::string date;    ///< "2026-11-26 20:14 UTC"
    std::string program; ///< version and device, a line each
    std::vector<ReportSide> sides;
    FigureStyle style;
};

/// For Report::date.
std::string dateNow();

/// A page that needs no other file: pictures are SVG in the page, figures also a CSV to save.
/// Throws as sizeOfFigure().
std::string reportHtml(const Report& report);

/// The same on pages of A4. Throws as sizeOfFigure().
QByteArray reportPdf(const Report& report);

/// A row per figure: measurement, figure, unit, and a value per side.
std::string reportCsv(const Report& report);

} // namespace echolux
