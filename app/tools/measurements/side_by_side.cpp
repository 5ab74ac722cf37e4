// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the views of one place, and measures all of them.
#include "app/tools/measurements/side_by_side.hpp"

#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/measurements/key_figures.hpp"
#include "app/tools/measurements/pixels_measured.hpp"
#include "gpu/core/error.hpp"

#include <QPointer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

/// The ends differ by less than half a sample.
bool sameSpan(const Axis& a, const Axis& b) {
    const auto end = [](const Axis& axis) {
        return axis.origin + axis.spacing * static_cast<double>(axis.size - 1);
    };
    const double most = 0.5 * std::min(std::abs(a.spacing), std::abs(b.spacing));
    return a.name == b.name && a.unit == b.unit && std::abs(a.origin - b.origin) < most &&
           std::abs(end(a) - end(b)) < most;
}

QStringList captionOf(const ImagePixels& pixels, const std::vector<measure::Measurement>& all) {
    QStringList texts;
    const auto values = valuesOf(pixels.spec);
    if (!values) return texts;
    const measure::MeasuredImage image = measuredImage(pixels);
    for (const measure::Measurement& each : all)
        if (hasKeyFigures(each.kind, *values)) texts += keyFigures(image, each, all, *values);
    return texts;
}

/// Of planes alone; a volume shows one plane at a time.
bool samePlace(const FrameSpec& a, const FrameSpec& b) {
    return a.axes.size() == 2 && b.axes.size() == 2 && std::ranges::equal(a.axes, b.axes, sameSpan);
}

} // namespace

SideBySide::SideBySide(Workbench& bench) : m_bench(bench) {
    for (std::size_t view = 0; view < kMostViews; ++view) {
        bench.showOver(view, m_captions[view]);
        bench.showOver(view, m_shapes[view]);
    }
    connect(&bench, &Workbench::measured, this, &SideBySide::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &SideBySide::follow);
    connect(&bench, &Workbench::pipelineChanged, this, &SideBySide::follow);
    connect(&bench, &Workbench::recordingChanged, this, &SideBySide::forget);
}

void SideBySide::setShown(bool shown) {
    m_isShown = shown;
    follow();
}

void SideBySide::setMeasurements(std::size_t view,
                                 const std::vector<measure::Measurement>& measurements) {
    m_view = view;
    m_measurements = measurements;
    follow();
}

void SideBySide::setShapes(std::vector<NamedShape> shapes) {
    m_drawn = std::move(shapes);
    drawShapes(comparedViews());
}

std::vector<std::size_t> SideBySide::comparedViews() const {
    const bool some = std::ranges::any_of(m_measurements, [](const measure::Measurement& each) {
        return hasKeyFigures(each.kind, ValuesOf::Amplitude);
    });
    if (!m_isShown || !some || !m_bench.isOpen()) return {};
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (m_view >= snapshot->views.size()) return {};
    const auto imageOf = [&](std::size_t view) -> const FrameSpec& {
        return snapshot->outputOf(snapshot->views[view].source);
    };
    std::vector<std::size_t> views;
    for (std::size_t view = 0; view < snapshot->views.size(); ++view)
        if (valuesOf(imageOf(view)) && samePlace(imageOf(view), imageOf(m_view)))
            views.push_back(view);
    return views.size() > 1 ? views : std::vector<std::size_t>();
}

void SideBySide::forget() {
    m_underWay.reset();
    m_found = {};
    show({});
}

/// Measures what has been copied since, and asks for the next copies.
void SideBySide::follow() {
    const std::vector<std::size_t> views = comparedViews();
    drawShapes(views);
    if (views.empty()) return forget();
    auto& look = m_bench.look<PixelsLook>();
    Job job{{}, m_measurements};
    for (const std::size_t view : views) {
        job.images[view] = look.latest(view);
        look.want(view);
    }
    if (m_underWay == nullptr && job != m_found) start(std::move(job));
}

void SideBySide::start(Job job) {
    m_underWay = std::make_shared<const Job>(std::move(job));
    m_bench.compute(
        [tool = QPointer(this), job = m_underWay](const std::stop_token&) -> Background::Finish {
            return [tool, job, captions = captionsOf(*job)] {
                if (tool != nullptr) tool->finish(job, captions);
            };
        });
}

void SideBySide::finish(const std::shared_ptr<const Job>& job, const Captions& captions) {
    if (m_underWay != job) return; // it is of a former recording
    m_underWay.reset();
    m_found = *job;
    show(captions);
    if (job->measurements != m_measurements) follow();
}

SideBySide::Captions SideBySide::captionsOf(const Job& job) {
    Captions captions;
    for (std::size_t view = 0; view < kMostViews; ++view) {
        try {
            if (job.images[view] != nullptr)
                captions[view] = captionOf(*job.images[view], job.measurements);
        } catch (const Error&) { // the dock says why
            continue;
        }
    }
    return captions;
}

void SideBySide::drawShapes(const std::vector<std::size_t>& views) {
    for (std::size_t view = 0; view < kMostViews; ++view) {
        const bool drawn = view != m_view && std::ranges::find(views, view) != views.end();
        m_shapes[view].show(drawn ? m_drawn : std::vector<NamedShape>());
    }
}

void SideBySide::show(const Captions& captions) {
    for (std::size_t view = 0; view < kMostViews; ++view) m_captions[view].show(captions[view]);
}

} // namespace echolux
