// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/measurements/region_histogram.hpp"

#include "app/measure/distribution.hpp"
#include "app/tools/measurements/distribution_plot.hpp"
#include "app/tools/measurements/panel.hpp"
#include "gpu/core/error.hpp"

#include <QTabBar>

#include <algorithm>
#include <utility>

namespace echolux {

RegionHistogram::RegionHistogram(MeasurementsPanel& panel) : m_panel(panel) {
    connect(&panel, &MeasurementsPanel::selectionChanged, this, &RegionHistogram::show);
    connect(&panel.pages(), &QTabBar::currentChanged, this, &RegionHistogram::show);
    connect(&panel.histogram(), &DistributionPlot::countedChosen, this, &RegionHistogram::show);
}

void RegionHistogram::setMeasurements(std::optional<measure::MeasuredImage> image,
                                      const std::vector<measure::Measurement>& measurements) {
    m_image = std::move(image);
    m_measurements = measurements;
    show();
}

const measure::Measurement* RegionHistogram::region() const {
    const QStringList selected = m_panel.selected();
    const measure::Measurement* first = nullptr;
    for (const measure::Measurement& each : m_measurements) {
        if (!isRegion(each.kind)) continue;
        if (selected.contains(QString::fromStdString(each.name))) return &each;
        if (first == nullptr) first = &each;
    }
    return first;
}

void RegionHistogram::show() {
    DistributionPlot& plot = m_panel.histogram();
    if (!plot.isVisible()) return;
    const measure::Measurement* shown = region();
    if (shown == nullptr || !m_image) return plot.clear();
    try {
        plot.setDistribution(QString::fromStdString(shown->name),
                             measure::distributionIn(*m_image, *shown, plot.counted()));
    } catch (const Error& error) {
        plot.clear(QString::fromUtf8(error.what()));
    }
}

} // namespace echolux
