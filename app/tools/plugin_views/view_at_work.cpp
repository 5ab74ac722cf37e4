// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings in SI units become pictures in the units of the screen.
#include "app/tools/plugin_views/view_at_work.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/plugin_views/plot.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

namespace echolux {
namespace {

struct ScreenUnit {
    std::string_view si;
    double leastExtent; ///< in the SI unit, of an axis that has this unit
    const char* shown;
    double shownPerSi;
};
/// The first that suits. Lengths change their unit where those of images do.
constexpr std::array<ScreenUnit, 9> kScreenUnits{{{"m", 5e-3, "mm", 1e3},
                                                  {"m", 0.0, "um", 1e6},
                                                  {"s", 1.0, "s", 1.0},
                                                  {"s", 1e-3, "ms", 1e3},
                                                  {"s", 0.0, "us", 1e6},
                                                  {"Hz", 1e5, "MHz", 1e-6},
                                                  {"Hz", 1e3, "kHz", 1e-3},
                                                  {"Hz", 0.0, "Hz", 1.0},
                                                  {"rad", 0.0, "deg", 180.0 / std::numbers::pi}}};

ScreenUnit screenUnitOf(const DrawnAxis& axis) {
    const double extent = std::abs(axis.to - axis.from);
    const auto known = std::ranges::find_if(kScreenUnits, [&](const ScreenUnit& unit) {
        return unit.si == axis.unit && extent >= unit.leastExtent;
    });
    if (known != kScreenUnits.end()) return *known;
    return {axis.unit, 0.0, axis.unit.c_str(), 1.0};
}

ViewPicture::Axis axisOf(const DrawnAxis& axis) {
    const ScreenUnit unit = screenUnitOf(axis);
    QString label = QString::fromStdString(axis.label);
    if (!axis.unit.empty()) label += " (" + prettyUnit(unit.shown) + ")";
    return {label.trimmed(), axis.from * unit.shownPerSi, axis.to * unit.shownPerSi};
}

std::vector<double> scaled(std::vector<double> values, const DrawnAxis& axis) {
    const double factor = screenUnitOf(axis).shownPerSi;
    for (double& value : values) value *= factor;
    return values;
}

ViewPicture pictureOf(const ViewDrawing& drawing) {
    ViewPicture picture;
    picture.across = axisOf(drawing.horizontal);
    picture.up = axisOf(drawing.vertical);
    if (drawing.width > 0 && drawing.height > 0)
        picture.image = QImage(drawing.rgba.data(), drawing.width, drawing.height,
                               4 * drawing.width, QImage::Format_RGBA8888)
                            .copy();
    for (const DrawnCurve& curve : drawing.curves)
        picture.curves.append({QString::fromStdString(curve.label),
                               scaled(curve.x, drawing.horizontal),
                               scaled(curve.y, drawing.vertical)});
    picture.caption = QString::fromStdString(drawing.caption);
    return picture;
}

} // namespace

ViewAtWork::ViewAtWork(KnownView view, ViewPlot& plot, Workbench& bench)
    : m_known(std::move(view)), m_plot(plot), m_bench(bench),
      m_view(std::make_shared<GuardedView>(
          m_known,
          [this] { QMetaObject::invokeMethod(this, &ViewAtWork::show, Qt::QueuedConnection); },
          GuardedView::Patience())) {
    connect(&bench, &Workbench::measured, this, &ViewAtWork::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &ViewAtWork::follow);
    connect(&bench, &Workbench::recordingChanged, this, &ViewAtWork::forget);
    connect(&bench, &Workbench::pipelineChanged, this, &ViewAtWork::syncFromPipeline);
    connect(&plot, &SeenWidget::cameIntoSight, this, &ViewAtWork::follow);
    connect(&m_plot, &ViewPlot::viewChosen, this, [this] {
        forget();
        follow();
    });
    syncFromPipeline();
    forget();
    follow();
}

ViewAtWork::~ViewAtWork() {
    m_view->silence();
    m_bench.throwAway(std::move(m_view)); // it may stall
}

void ViewAtWork::forget() {
    m_asked.reset();
    m_shown.reset();
    m_plot.setProblem({});
}

void ViewAtWork::syncFromPipeline() {
    if (!m_bench.isOpen() || !m_known.output.empty()) return;
    const int former = m_plot.view();
    m_plot.setViews(viewNames(*m_bench.snapshot()));
    if (m_plot.view() != former) forget();
}

std::optional<std::size_t> ViewAtWork::wantedView() const {
    const SnapshotPtr snapshot = m_bench.snapshot();
    const std::vector<ViewState>& views = snapshot->views;
    if (m_known.output.empty()) {
        const auto chosen = static_cast<std::size_t>(m_plot.view());
        return chosen < views.size() ? std::optional(chosen) : std::nullopt;
    }
    for (std::size_t i = 0; i < views.size(); ++i) {
        const bool isIt = nameOf(views[i]) == m_known.output ||
                          toText(outputName(*snapshot, views[i].source)) == m_known.output;
        if (isIt) return i;
    }
    return std::nullopt;
}

/// Draws what has been copied since, and asks for the next copy.
void ViewAtWork::follow() {
    if (!m_bench.isOpen() || !m_plot.isSeen()) return;
    const std::optional<std::size_t> view = wantedView();
    if (!view) {
        m_asked.reset();
        m_shown.reset();
        m_plot.setProblem(QString::fromStdString(
            m_known.who() + " draws '" + m_known.output +
            "', which this pipeline does not show; add it to the views of the pipeline."));
        return;
    }
    auto& look = m_bench.look<PixelsLook>();
    const auto pixels = look.latest(*view);
    const ViewRoom room{std::max(m_plot.room().width(), 1), std::max(m_plot.room().height(), 1)};
    const bool isDue = pixels != nullptr && (pixels != m_asked || room != m_room);
    if (isDue && m_view->ask(pixels, room)) {
        m_asked = pixels;
        m_room = room;
    }
    look.want(*view);
    show();
}

void ViewAtWork::show() {
    const GuardedView::Answer answer = m_view->latest();
    const bool isCurrent = answer.image == m_asked;
    if (!answer.problem.empty() && (isCurrent || answer.image == nullptr)) {
        m_shown.reset();
        m_plot.setProblem(QString::fromStdString(answer.problem));
    } else if (answer.drawing != nullptr && isCurrent && answer.drawing != m_shown) {
        m_shown = answer.drawing;
        m_plot.setPicture(pictureOf(*answer.drawing));
    }
}

} // namespace echolux
