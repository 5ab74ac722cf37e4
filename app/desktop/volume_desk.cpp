// SPDX-License-Identifier: GPL-3.0-or-later
// Passes the user's choices to a volume and shows its progress.
#include "app/desktop/volume_desk.hpp"

#include "app/session/column/picked_column.hpp"
#include "app/session/session.hpp"
#include "gpu/core/volume_image.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/status_bar.hpp"

#include <optional>

namespace echolux {

VolumeDesk::VolumeDesk(StatusBar& status, ViewArea& views, Session& session)
    : m_status(status), m_views(views), m_session(session) {
    connect(&views, &ViewArea::bscanChosen, this, [this](qint64 bscan) { choose(bscan); });
    connect(&views, &ViewArea::enFaceChanged, this,
            [this](Projection projection, const DepthWindow& depths) {
                if (!m_session.isOpen()) return;
                m_session.volume().setEnFace({projection, depths.nearest, depths.deepest});
            });
    connect(&views, &ViewArea::sideChanged, this, [this](std::optional<double> lateral) {
        if (m_session.isOpen()) m_session.volume().showSide(lateral);
    });
    connect(&views.bscan(), &ImageView::frameTaken, this, &VolumeDesk::followShownBscan);
}

void VolumeDesk::recordingOpened() {
    m_problem.clear();
    follow();
}

/// When the pipeline changes, the recording may begin or cease to make a volume, or the volume's
/// axes may change.
void VolumeDesk::follow() {
    if (!m_session.isOpen()) return;
    VolumeStore& store = m_session.volume();
    const bool ofLight = m_session.recording().frame.spectrometer != nullptr;
    m_views.setVolume(store.spec(), ofLight ? ViewArea::Kind::Light : ViewArea::Kind::Echoes);
    const std::string problem = store.problem();
    if (problem == m_problem) return;
    m_problem = problem;
    emit warned(QString::fromStdString(problem));
}

void VolumeDesk::volumeChanged() {
    follow();
    showProgress();
    if (!m_views.hasVolume()) return;
    m_views.enFace().frameAvailable();
    m_views.side().frameAvailable();
    m_views.volume().volumeAvailable();
}

void VolumeDesk::showProgress() {
    const std::optional<VolumeProgress> progress = m_session.volumeProgress();
    m_status.setVolumeProgress(progress ? progress->bscans : 0, progress ? progress->of : 0);
}

void VolumeDesk::followShownBscan() {
    if (!m_views.hasVolume()) return;
    const BscanLayout layout = shownLayout();
    const std::int64_t shown = m_session.mailbox().shownBscan();
    const std::int64_t number =
        layout.ofFrame(shown / layout.perFrame).first + shown % layout.perFrame;
    m_views.setShownBscan(number % m_views.bscans());
}

/// How the shown frames hold the volume's B-scans.
BscanLayout VolumeDesk::shownLayout() const {
    const SnapshotPtr snapshot = m_session.snapshot();
    return bscanLayout(snapshot->output(), snapshot->imageStack(), snapshot->ensemble());
}

/// Shows a B-scan of the volume that the shown frame belongs to. Where the recording ends within
/// this volume, missing B-scans are those of the volume before. Playback freezes, unless every
/// frame holds a whole volume.
void VolumeDesk::choose(std::int64_t bscan) {
    if (!m_session.isOpen() || !m_views.hasVolume()) return;
    Player& player = m_session.player();
    const std::int64_t inVolume = m_views.bscans();
    const BscanLayout layout = shownLayout();
    const std::int64_t inFrame = layout.perFrame;
    const std::int64_t shown = layout.ofFrame(m_session.mailbox().shownFrame()).first;
    std::int64_t number = shown / inVolume * inVolume + bscan;
    if (number >= layout.ofFrame(m_session.recording().frameCount).first) number -= inVolume;
    if (number < 0) { // the recording has no such volume
        m_views.returnToShown();
        return;
    }
    m_session.mailbox().showBscan(number % inFrame);
    if (isWholeVolume(m_session.snapshot()->output()))
        m_session.look<PickedColumn>().pick(m_views.crosshair().lateral); // of that slice
    if (inFrame % inVolume != 0) {
        player.freeze(); // first, because the position moves during playback
        const std::int64_t frame = layout.lastImageOf(number);
        if (layout.ofFrame(player.state().position) != layout.ofFrame(frame)) player.seek(frame);
        emit frozen();
    }
    m_views.bscan().frameAvailable();
}

} // namespace echolux
