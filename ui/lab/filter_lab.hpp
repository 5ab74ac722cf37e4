// SPDX-License-Identifier: GPL-3.0-or-later
// Data that the filter lab shows.
#pragma once

#include <QPen>
#include <QString>
#include <QVector>

#include <optional>
#include <vector>

namespace echolux {

/// One interpolator. Members of a family share a colour and differ in line style.
struct LabCurve {
    enum class Family { Simple, Lagrange, Sinc, LeastSquares, Upsampled };
    QString id;
    QString name;
    Family family = Family::Simple;
    int member = 0;             ///< within its family
    bool inUse = false;         ///< by the beamformer in force; drawn thick
    bool shownAtFirst = true;   ///< until the user switches it
    QVector<double> levelsDb{}; ///< over LabLevels::frequencies; empty while unknown

    bool sameKey(const LabCurve& other) const { return id == other.id && inUse == other.inUse; }
};

struct LabLevels {
    QVector<double> frequencies; ///< cycles per sample
    std::vector<LabCurve> curves;
};

/// A frequency band in cycles per sample.
struct LabBand {
    double centre = 0.0;
    double width = 0.0; ///< at -6 dB

    bool operator==(const LabBand&) const = default;
};

/// Sampling of the data that are interpolated.
struct LabSampling {
    double megahertz = 0.0; ///< 0: unknown
    bool asRecorded = true; ///< neither mixed down nor resampled
};

struct LabBands {
    std::optional<LabBand> recording;
    /// Set where it differs from the recording's: mixed down or resampled.
    std::optional<LabBand> beamformed;
    LabSampling sampling;
};

/// Response of reading at a fraction of a sample.
struct LabFraction {
    double fraction = 0.0;
    QVector<double> frequencies, magnitudeDb, delay;
};

struct LabResponse {
    QString name;
    double fraction = 0.0;
    QVector<double> frequencies, magnitudeDb, delay;
    LabSampling sampling{};
    std::vector<LabFraction> family{}; ///< the same interpolator at other fractions
    // At this fraction: offsets in samples, and weights.
    QVector<double> tapOffsets{}, tapWeights{};
    std::optional<LabBand> band{}; ///< of the data that are read
};

QPen penOf(const LabCurve& curve);

} // namespace echolux
