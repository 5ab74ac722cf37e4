// SPDX-License-Identifier: GPL-3.0-or-later
// The page "Histogram" at work: the distribution of the selected region.
#pragma once

#include "app/measure/measurement.hpp"

#include <QObject>

#include <optional>
#include <vector>

namespace echolux {

class MeasurementsPanel;

class RegionHistogram : public QObject {
    Q_OBJECT
public:
    explicit RegionHistogram(MeasurementsPanel& panel);
    /// `image`: what was measured; null: nothing.
    void setMeasurements(std::optional<measure::MeasuredImage> image,
                         const std::vector<measure::Measurement>& measurements);

private:
    void show();
    /// The selected region, else the first one; null: none.
    const measure::Measurement* region() const;

    MeasurementsPanel& m_panel;
    std::optional<measure::MeasuredImage> m_image;
    std::vector<measure::Measurement> m_measurements;
};

} // namespace echolux
