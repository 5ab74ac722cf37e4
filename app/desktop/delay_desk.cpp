// SPDX-License-Identifier: GPL-3.0-or-later
// From the running beamformer and the raw frame to the plot.
#include "app/desktop/delay_desk.hpp"

#include "app/desktop/beam_desk.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/lab/delay_curve.hpp"
#include "app/session/session.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/channel_plot.hpp"
#include "ui/window/main_window.hpp"

#include <algorithm>
#include <optional>

namespace echolux {
namespace {

constexpr double kMicrosecondsPerS = 1e6;
constexpr double kMillimetresPerM = 1e3;

QString delayText(const lab::PlanePoint& pixel, const lab::DelayCurve& curve) {
    const QString place = QString("%1, %2 mm")
                              .arg(numberText(pixel.x * kMillimetresPerM, 1),
                                   numberText(pixel.z * kMillimetresPerM, 1));
    const QString transmit = QString("transmit %1").arg(curve.transmit + 1);
    if (!curve.images) return QString("%1 does not image %2").arg(transmit, place);
    return QString("%1, %2 of %3 channels, %4")
        .arg(transmit)
        .arg(curve.counted)
        .arg(curve.samples.size())
        .arg(place);
}

} // namespace

DelayDesk::DelayDesk(MainWindow& window, Session& session, const BeamDesk& beams)
    : m_plot(window.delays()), m_session(session), m_beams(beams) {
    connect(&m_plot, &ChannelPlot::sightChanged, this, &DelayDesk::follow);
    connect(&m_plot, &ChannelPlot::transmitChosen, this, &DelayDesk::follow);
    connect(&beams, &BeamDesk::pixelMoved, this, &DelayDesk::follow);
}

void DelayDesk::followPipeline() {
    const lab::BeamGeometry* geometry = m_beams.geometry();
    m_plot.setTransmits(geometry != nullptr ? transmitNames(geometry->acquisition())
                                            : QStringList());
    if (geometry == nullptr) m_plot.clear();
    follow();
}

std::int64_t DelayDesk::transmit() const {
    const lab::BeamGeometry* geometry = m_beams.geometry();
    if (geometry == nullptr) return -1;
    if (m_plot.transmit() >= 0) return m_plot.transmit();
    const auto pixel = m_beams.pixel();
    const std::int64_t nearest = pixel ? geometry->nearestTransmit(*pixel) : -1;
    if (nearest >= 0) return nearest;
    const std::vector<std::int64_t> active = geometry->active();
    return active.empty() ? 0 : active[active.size() / 2];
}

void DelayDesk::follow() {
    if (!m_session.isOpen()) return;
    const std::int64_t wanted = transmit();
    const bool seen = m_plot.isVisible() && wanted >= 0;
    m_session.engine().wantChannels(seen ? std::optional(wanted) : std::nullopt);
    if (seen) showMarks();
}

void DelayDesk::showMarks() {
    const auto pixel = m_beams.pixel();
    if (!pixel) return m_plot.setMarks({.text = "point at a pixel of the image, or click it"});
    const lab::DelayCurve curve = lab::delayCurve(*m_beams.geometry(), *pixel, transmit());
    DelayMarks marks{.text = delayText(*pixel, curve), .images = curve.images};
    float highest = 0.0F;
    for (const lab::PickedSample& sample : curve.samples)
        highest = std::max(highest, sample.weight);
    for (const lab::PickedSample& sample : curve.samples) {
        marks.marks.push_back({static_cast<int>(sample.channel), sample.timeS * kMicrosecondsPerS,
                               highest > 0.0F ? sample.weight / highest : 0.0F});
    }
    m_plot.setMarks(marks);
}

void DelayDesk::showLevels() {
    if (!m_session.isOpen() || !m_plot.isVisible()) return;
    const auto matrix = m_session.engine().channels();
    if (matrix == nullptr || matrix->transmit != transmit()) return;
    m_plot.setLevels({static_cast<int>(matrix->channels), static_cast<int>(matrix->rows),
                      matrix->startS * kMicrosecondsPerS, matrix->stepS * kMicrosecondsPerS,
                      matrix->level});
}

} // namespace echolux
