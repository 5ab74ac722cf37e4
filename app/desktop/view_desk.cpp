// SPDX-License-Identifier: GPL-3.0-or-later
// Gives suppliers and names to the views, and tells them of new images.
#include "app/desktop/view_desk.hpp"

#include "app/desktop/message_desk.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/pipeline/view_motion.hpp"
#include "app/session/session.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/status_bar.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

namespace {

std::optional<std::size_t> mainView(const Snapshot& snapshot) {
    const auto at = std::ranges::find(snapshot.views, true, &ViewState::main);
    if (at == snapshot.views.end()) return std::nullopt;
    return static_cast<std::size_t>(at - snapshot.views.begin());
}

} // namespace

ViewDesk::ViewDesk(ViewArea& views, DisplayGroup& display, StatusBar& status, Session& session,
                   MessageDesk& messages)
    : m_views(views), m_display(display), m_session(session) {
    const ImageView* first = &views.bscan();
    connect(first, &ImageView::displayPathChanged, this, [first, &status] {
        const auto path = first->displayPath();
        status.setDisplayPath(path.badge, path.reason, path.badge.startsWith("interop"));
    });
    const auto tellOf = [&](const View& view, Topic topic) {
        connect(&view, &View::problemChanged, &messages,
                [&messages, topic](const QString& sentence) {
                    messages.tell(Severity::Error, sentence, topic);
                });
    };
    tellOf(*first, Topic::ImageView);
    tellOf(views.volume(), Topic::VolumeView);
}

void ViewDesk::supply(bool images) {
    const auto mailbox = [&](int view) {
        return images ? &m_session.mailbox(static_cast<std::size_t>(view)) : nullptr;
    };
    m_views.bscan().setFrameSupplier(mailbox(0));
    for (int i = 0; i < FurtherViews::kMost; ++i)
        m_views.further().view(i).setFrameSupplier(mailbox(i + 1));
    VolumeStore* volume = images ? &m_session.volume() : nullptr;
    m_views.enFace().setFrameSupplier(images ? &volume->enFace() : nullptr);
    m_views.side().setFrameSupplier(images ? &volume->side() : nullptr);
    m_views.volume().setVolumeSupplier(volume);
}

void ViewDesk::recordingOpened() {
    m_views.clear();
    m_views.resetViews();
    supply(true);
}

void ViewDesk::followPipeline() {
    const QStringList names = viewNames(*m_session.snapshot());
    const std::optional<std::size_t> main = mainView(*m_session.snapshot());
    if (names != m_names || main != m_main) m_views.setViewNames(names, main);
    m_names = names;
    m_main = main;
    std::vector<std::optional<std::size_t>> beneath;
    for (const ViewState& view : m_session.snapshot()->views) beneath.push_back(view.over);
    m_views.further().setBeneath(beneath);
    const Snapshot& shown = *m_session.snapshot();
    m_display.setMoves(std::ranges::any_of(
        shown.views, [&](const ViewState& view) { return motionOf(shown, view).has_value(); }));
    m_display.setBlends(
        std::ranges::any_of(beneath, [](const auto& each) { return each.has_value(); }));
}

void ViewDesk::imageReady(std::size_t view) {
    if (view == 0) return m_views.bscan().frameAvailable();
    const int further = static_cast<int>(view) - 1;
    if (further < m_views.further().count()) m_views.further().view(further).frameAvailable();
}

} // namespace echolux
