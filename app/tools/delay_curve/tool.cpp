// SPDX-License-Identifier: GPL-3.0-or-later
// Plots delay curves from the running beamformer and the raw frame.
#include "app/tools/delay_curve/tool.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/lab/delay_curve.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/channel_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace echolux {
namespace {

constexpr double kMicrosecondsPerS = 1e6;

QString delayText(const lab::PlanePoint& pixel, const lab::DelayCurve& curve) {
    const QString place = pixelText(pixel.x, pixel.z);
    const QString transmit = QString("transmit %1").arg(curve.transmit + 1);
    if (!curve.images) return QString("%1 does not image %2").arg(transmit, place);
    return QString("%1, %2 of %3 channels, %4")
        .arg(transmit)
        .arg(curve.counted)
        .arg(curve.samples.size())
        .arg(place);
}

/// Weights relative to the greatest.
std::vector<DelayMarks::Mark> marksOf(const lab::DelayCurve& curve) {
    float highest = 0.0F;
    for (const lab::PickedSample& sample : curve.samples)
        highest = std::max(highest, sample.weight);
    std::vector<DelayMarks::Mark> marks;
    for (const lab::PickedSample& sample : curve.samples) {
        marks.push_back({static_cast<int>(sample.channel), sample.timeS * kMicrosecondsPerS,
                         highest > 0.0F ? sample.weight / highest : 0.0F});
    }
    return marks;
}

/// The label of a contour stands where it crosses a line at three quarters of the width.
std::vector<ViewSketch::Contour> toSketch(const std::vector<lab::DelayContour>& contours,
                                          DelayMapLeg leg) {
    constexpr double kLabelAt = 0.75;
    const auto at = [](const lab::PlanePoint& point) { return Vec2{point.x, point.z}; };
    double left = std::numeric_limits<double>::max();
    double right = -left;
    for (const lab::DelayContour& contour : contours) {
        for (const auto& [from, to] : contour.pieces) {
            left = std::min({left, from.x, to.x});
            right = std::max({right, from.x, to.x});
        }
    }
    const double column = left + kLabelAt * (right - left);
    const auto aside = [&](const auto& piece) { return std::abs(piece.first.x - column); };
    std::vector<ViewSketch::Contour> drawn;
    for (const lab::DelayContour& contour : contours) {
        ViewSketch::Contour& made = drawn.emplace_back();
        made.ink =
            leg == DelayMapLeg::Receive ? ViewSketch::Ink::Receive : ViewSketch::Ink::Transmit;
        for (const auto& [from, to] : contour.pieces) made.pieces.emplace_back(at(from), at(to));
        made.label = significantText(contour.timeS * kMicrosecondsPerS, 4) + " \u00b5s";
        made.labelAt = at(std::ranges::min_element(contour.pieces, {}, aside)->first);
    }
    return drawn;
}

QString mapText(const lab::DelayMapOf& of) {
    const QString transmit = QString("transmit %1").arg(of.transmit + 1);
    const QString element = QString("element %1").arg(of.element + 1);
    switch (of.leg) {
    case lab::DelayLeg::Transmit: return "way out, " + transmit;
    case lab::DelayLeg::Receive: return "way back, " + element;
    case lab::DelayLeg::Both: break;
    }
    return transmit + ", " + element;
}

} // namespace

namespace tools {

ToolType delay_curve();
ToolType delay_curve() {
    return toolType<ChannelPlot, DelayCurveTool>("delay_curve", "Delay curve",
                                                 ToolType::Place::Closed, "Beams");
}

} // namespace tools

DelayCurveTool::DelayCurveTool(ChannelPlot& plot, Workbench& bench) : m_plot(plot), m_bench(bench) {
    connect(&bench, &Workbench::pipelineChanged, this, &DelayCurveTool::syncFromPipeline);
    connect(&bench, &Workbench::selectionChanged, this, &DelayCurveTool::requestChannels);
    connect(&bench, &Workbench::looked, this, &DelayCurveTool::showLevels);
    connect(&plot, &ChannelPlot::sightChanged, this, &DelayCurveTool::requestChannels);
    connect(&plot, &ChannelPlot::transmitChosen, this, &DelayCurveTool::requestChannels);
    connect(&plot, &ChannelPlot::familyWanted, this, &DelayCurveTool::requestChannels);
    connect(&plot, &ChannelPlot::legsWanted, this, &DelayCurveTool::requestChannels);
    connect(&plot, &ChannelPlot::mapWanted, this, &DelayCurveTool::showMap);
}

void DelayCurveTool::syncFromPipeline() {
    const lab::BeamGeometry* beams = m_bench.beams();
    m_plot.setTransmits(beams != nullptr ? transmitNames(beams->acquisition()) : QStringList());
    if (beams == nullptr) m_plot.clear();
    if (beams != nullptr)
        m_plot.setElements(static_cast<int>(beams->acquisition().probe.elements.size()));
    requestChannels();
}

std::int64_t DelayCurveTool::transmit() const {
    const lab::BeamGeometry* beams = m_bench.beams();
    if (beams == nullptr) return -1;
    if (m_plot.transmit() >= 0) return m_plot.transmit();
    const auto pixel = m_bench.selectedPixel();
    const std::int64_t nearest = pixel ? beams->nearestTransmit(*pixel) : -1;
    if (nearest >= 0) return nearest;
    const std::vector<std::int64_t> active = beams->active();
    return active.empty() ? 0 : active[active.size() / 2];
}

/// Computed again only for another pipeline, transmit or element.
void DelayCurveTool::showMap() {
    const DelayMapLeg leg = m_plot.mapLeg();
    const bool wanted = m_bench.isOpen() && m_plot.isVisible() && leg != DelayMapLeg::None;
    const lab::BeamGeometry* beams = wanted ? m_bench.beams() : nullptr;
    if (beams == nullptr || transmit() < 0) {
        m_mapPipeline = nullptr;
        return m_bench.showContours({});
    }
    const lab::DelayMapOf of{leg == DelayMapLeg::Transmit  ? lab::DelayLeg::Transmit
                             : leg == DelayMapLeg::Receive ? lab::DelayLeg::Receive
                                                           : lab::DelayLeg::Both,
                             transmit(), static_cast<std::size_t>(m_plot.mapElement())};
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (m_mapPipeline == snapshot && m_map == of) return;
    m_mapPipeline = snapshot;
    m_map = of;
    m_bench.showContours(toSketch(lab::delayContours(*beams, of), leg), mapText(of));
}

void DelayCurveTool::requestChannels() {
    showMap();
    if (!m_bench.isOpen()) return;
    const std::int64_t wanted = transmit();
    const bool seen = m_plot.isVisible() && wanted >= 0;
    m_bench.look<ChannelsLook>().want(seen ? std::optional(wanted) : std::nullopt);
    if (seen) showMarks();
}

void DelayCurveTool::showMarks() {
    const auto pixel = m_bench.selectedPixel();
    if (!pixel) {
        m_plot.setFamily({});
        m_plot.setLegs({});
        return m_plot.setMarks({.text = "point at a pixel of the image, or click it"});
    }
    const lab::DelayCurve curve = lab::delayCurve(*m_bench.beams(), *pixel, transmit());
    m_plot.setMarks(
        {.text = delayText(*pixel, curve), .images = curve.images, .marks = marksOf(curve)});
    showFamily(*pixel);
    showLegs(curve);
}

void DelayCurveTool::showLegs(const lab::DelayCurve& curve) {
    DelayLegs legs;
    if (m_plot.wantsLegs()) {
        legs.outUs = curve.outS * kMicrosecondsPerS;
        for (const lab::PickedSample& sample : curve.samples) {
            legs.back.push_back({static_cast<int>(sample.channel), sample.backS * kMicrosecondsPerS,
                                 sample.weight});
        }
    }
    m_plot.setLegs(legs);
}

void DelayCurveTool::showFamily(const lab::PlanePoint& pixel) {
    constexpr int kCurves = 12;
    DelayCurves family;
    if (m_plot.wantsFamily()) {
        const lab::DelayFamily found =
            lab::delayFamily(*m_bench.beams(), pixel, transmit(), kCurves);
        for (const lab::DelayCurve& curve : found.curves) family.curves.push_back(marksOf(curve));
        family.skipped = found.skipped;
    }
    m_plot.setFamily(family);
}

void DelayCurveTool::showLevels() {
    if (!m_bench.isOpen() || !m_plot.isVisible()) return;
    const auto matrix = m_bench.look<ChannelsLook>().latest();
    if (matrix == nullptr || matrix->transmit != transmit()) return;
    m_plot.setLevels({static_cast<int>(matrix->channels), static_cast<int>(matrix->rows),
                      matrix->startS * kMicrosecondsPerS, matrix->stepS * kMicrosecondsPerS,
                      matrix->level});
}

} // namespace echolux
