// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a volume: where they get their pictures, and what people choose in them.
#include "app/desktop/desktop.hpp"

#include "app/desktop/recording_text.hpp"
#include "ui/plots/depth_profile_plot.hpp"
#include "ui/plots/fringe_plot.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/main_window.hpp"
#include "ui/window/message_bar.hpp"
#include "ui/window/status_bar.hpp"

#include <algorithm>

namespace echolux {

void Desktop::connectVolume() {
    m_window->setViewActions(m_views->viewActions());
    m_window->setImageActions(m_views->imageActions().actions());
    connect(m_views, &ViewArea::lineRestored, m_view, &ImageView::columnPicked);
    connect(m_views, &ViewArea::bscanChosen, this, [this](qint64 bscan) { chooseBscan(bscan); });
    connect(m_views, &ViewArea::lineChosen, this, [this](double lateral) {
        if (m_session.isOpen()) m_session.engine().pickColumn(lateral);
    });
    connect(m_views, &ViewArea::enFaceChanged, this,
            [this](Projection projection, const DepthWindow& window) {
                if (!m_session.isOpen()) return;
                m_session.engine().setEnFace({projection, window.nearest, window.deepest});
            });
    connect(&m_views->volume(), &VolumeView::problemChanged, this, [this](const QString& sentence) {
        tell(Severity::Error, sentence, Topic::VolumeView);
    });
}

/// Null for nowhere.
void Desktop::supplyViews(Engine* engine) {
    m_view->setFrameSupplier(engine != nullptr ? &engine->mailbox() : nullptr);
    for (int i = 0; i < FurtherViews::kMost; ++i) {
        m_views->further().view(i).setFrameSupplier(
            engine != nullptr ? &engine->mailbox(static_cast<std::size_t>(i) + 1) : nullptr);
    }
    m_views->enFace().setFrameSupplier(engine != nullptr ? &engine->volume().enFace() : nullptr);
    m_views->volume().setVolumeSupplier(engine != nullptr ? &engine->volume() : nullptr);
}

/// The recording begins or ceases to make a volume, or its axes change, when its pipeline does.
void Desktop::followVolume() {
    if (!m_session.isOpen()) return;
    VolumeStore& store = m_session.engine().volume();
    m_views->setVolume(store.spec());
    const std::string problem = store.problem();
    if (problem == m_volumeProblem) return;
    m_volumeProblem = problem;
    tell(Severity::Warning, QString::fromStdString(problem), Topic::Volume);
}

void Desktop::showVolume() {
    followVolume();
    showVolumeProgress();
    if (!m_views->hasVolume()) return;
    m_views->enFace().frameAvailable();
    m_views->volume().volumeAvailable();
}

/// Of a volume that is filled in while frozen.
void Desktop::showVolumeProgress() {
    std::optional<VolumeProgress> progress;
    if (m_session.isOpen()) progress = m_session.engine().volumeProgress();
    m_window->status().setVolumeProgress(progress ? progress->bscans : 0,
                                         progress ? progress->of : 0);
}

/// B-scan `n` of the recording is B-scan n modulo bscansPerVolume of the volume.
void Desktop::followShownBscan() {
    if (m_views->hasVolume())
        m_views->setShownBscan(m_session.engine().mailbox().shownBscan() % m_views->bscans());
}

/// Of the volume that the shown frame belongs to; of a last one that the recording does not
/// complete, B-scans that it lacks are those of the volume before. Shown frozen, unless every frame
/// holds a whole volume.
void Desktop::chooseBscan(std::int64_t bscan) {
    if (!m_session.isOpen() || !m_views->hasVolume()) return;
    Engine& engine = m_session.engine();
    Player& player = engine.player();
    const std::int64_t inVolume = m_views->bscans();
    const std::int64_t inFrame = bscansIn(m_session.snapshot()->output());
    const std::int64_t shown = engine.mailbox().shownFrame() * inFrame;
    std::int64_t number = shown / inVolume * inVolume + bscan;
    if (number >= engine.info().frameCount * inFrame) number -= inVolume;
    if (number < 0) { // the recording ends before it
        m_views->returnToShown();
        return;
    }
    engine.mailbox().showBscan(number % inFrame);
    if (inFrame % inVolume != 0) {
        player.freeze(); // first: the position of what plays moves on
        if (number / inFrame != player.state().position) player.seek(number / inFrame);
        showPosition();
    }
    m_view->frameAvailable();
}

/// The picked A-line in the Plots dock.
void Desktop::showAscan(const ColumnData& column) {
    const FrameSpec& raw = m_session.engine().info().frame;
    const FrameSpec output = m_session.snapshot()->output();
    const QString title = columnText(output, column.lateralM);
    FringeData fringe;
    fringe.title = title;
    fringe.unit = raw.spectrometer->countsCodes ? "codes" : "recorded units";
    fringe.raw = column.rf;
    fringe.remapped = column.remapped;
    fringe.still = !m_session.engine().player().state().playing;
    m_window->fringe().setData(fringe);

    const ScreenAxis depth =
        screenAxis({AxisName::Depth, static_cast<std::int64_t>(column.ascan.size()),
                    column.depthStepM, column.depthStartM, column.depthUnit});
    const double perAxis = depth.viewPerAxis * depth.labelPerView;
    const auto placeOf = [&](double sample) {
        return (column.depthStartM + sample * column.depthStepM) * perAxis;
    };
    const auto widthOf = [&](const PeakWidth& width) {
        return AscanData::Width{placeOf(width.from), placeOf(width.to)};
    };
    AscanData ascan;
    ascan.title = title;
    ascan.level = column.ascan;
    ascan.levelUnit = QString::fromStdString(column.ascanUnit);
    ascan.start = placeOf(0.0);
    ascan.step = column.depthStepM * perAxis;
    ascan.depthName = QString::fromStdString(depth.name);
    ascan.depthUnit = QString::fromStdString(depth.unit);
    if (output.valueRange) {
        ascan.levelReference = QString::fromStdString(output.valueRange->reference);
        ascan.shownFrom = output.valueRange->min;
        ascan.shownTo = output.valueRange->max;
    }
    if (column.peak) {
        ascan.peak = {placeOf(column.peak->position), column.peak->db, std::nullopt, std::nullopt};
        if (column.peak->fwhm) ascan.peak->fwhm = widthOf(*column.peak->fwhm);
        if (column.peak->width20) ascan.peak->width20 = widthOf(*column.peak->width20);
    }
    m_window->ascan().setData(ascan);
}

} // namespace echolux
