// SPDX-License-Identifier: GPL-3.0-or-later
// What the filter lab shows.
#pragma once

#include <QPen>
#include <QString>
#include <QVector>

#include <optional>
#include <vector>

namespace echolux {

/// One interpolator. Those of a family share a colour; its members differ in their lines.
struct LabCurve {
    enum class Family { Simple, Lagrange, Sinc, LeastSquares, Upsampled };
    QString id;
    QString name;
    Family family = Family::Simple;
    int member = 0;             ///< within its family
    bool inUse = false;         ///< by the beamformer that runs: drawn thick
    bool shownAtFirst = true;   ///< until somebody switches it
    QVector<double> levelsDb{}; ///< over LabLevels::frequencies; empty while not known

    bool sameKey(const LabCurve& other) const { return id == other.id && inUse == other.inUse; }
};

struct LabLevels {
    QVector<double> frequencies; ///< cycles per sample
    std::vector<LabCurve> curves;
};

/// In cycles per sample.
struct LabBand {
    double centre = 0.0;
    double width = 0.0; ///< -6 dB

    bool operator==(const LabBand&) const = default;
};

/// Of the samples between which is read.
struct LabSampling {
    double megahertz = 0.0; ///< 0: nobody knows it
    bool asRecorded = true; ///< neither mixed down nor sampled anew
};

struct LabBands {
    std::optional<LabBand> recording;
    std::optional<LabBand> beamformed; ///< where it lies elsewhere: mixed down, or more samples
    LabSampling sampling;
};

struct LabResponse {
    QString name;
    double fraction = 0.0;
    QVector<double> frequencies, magnitudeDb, delay;
    LabSampling sampling{};
};

QPen penOf(const LabCurve& curve);

} // namespace echolux
