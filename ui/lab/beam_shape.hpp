// SPDX-License-Identifier: GPL-3.0-or-later
// Data that the dock "Beam shape" shows.
#pragma once

#include <QString>
#include <QVector>

#include <array>
#include <optional>

namespace echolux {

enum class BeamMode { Across, TransmitMap, ReceiveMap, TwoWayMap, FourFoci, Waves };

/// In the order transmit, receive, both.
struct BeamShapeCurves {
    struct Curve {
        QVector<double> levelsDb;
        std::optional<double> width;      ///< at -6 dB, in the unit of `across`
        std::optional<double> sideLobeDb; ///< highest side lobe
    };
    QString text;           ///< pixel and transmits, for the title line
    QString unit;           ///< of `across`: "mm", or the degree sign
    QVector<double> across; ///< increasing; empty: nothing is shown
    double pixelAt = 0.0;   ///< position of the pixel on `across`
    std::array<Curve, 3> curves{};
};

/// What the stage itself computes of the same, around the pixel. The transmit's curve is empty: a
/// beamformer computes no transmission by itself.
struct MeasuredCurves {
    QVector<double> across; ///< empty: not measured
    std::array<BeamShapeCurves::Curve, 3> curves{};
};

/// One of four foci in numbers; widths in `unit`.
struct FocusFigures {
    QString unit;
    std::optional<double> widthAtFocus;
    std::optional<double> widthAtPixel;
    std::optional<double> nearMm, farMm; ///< ends of the zone within 6 dB of the maximum
};

} // namespace echolux
