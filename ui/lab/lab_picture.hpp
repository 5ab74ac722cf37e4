// SPDX-License-Identifier: GPL-3.0-or-later
// A picture over depth and width that docks of the lab show.
#pragma once

#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace echolux {

/// A map over depth and width.
struct LabPicture {
    enum class Kind {
        Decibels, ///< relative to the highest value, or to that of each row
        Waves,    ///< pressure, from -1 to 1
    };
    struct Lobe {
        double depthMm = 0.0;
        double from = 0.0;
        double to = 0.0;
    };
    Kind kind = Kind::Decibels;
    double rangeDb = 40.0; ///< decibels: so far below 0 dB it is black
    QString text;          ///< for the title line
    QString unit;          ///< of the width: "mm", or the degree sign
    int columns = 0;       ///< at least 2; 0: nothing is shown
    int rows = 0;          ///< at least 2
    double from = 0.0;     ///< of the width: of the first column
    double to = 0.0;
    double depthFromMm = 0.0; ///< of the first row
    double depthToMm = 0.0;
    std::vector<float> values{};    ///< [row][column]
    std::vector<Lobe> lobes{};      ///< ends of the main lobe, 6 dB below its maximum
    std::vector<QPointF> senders{}; ///< elements that send: width and depth
    std::optional<QPointF> focus{};
    std::optional<QPointF> pixel{};
};

} // namespace echolux
