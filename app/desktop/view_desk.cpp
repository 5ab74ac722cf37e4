// SPDX-License-Identifier: GPL-3.0-or-later
// Gives suppliers and names to the views, and tells them of new images.
#include "app/desktop/view_desk.hpp"

#include "app/desktop/message_desk.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/pipeline/view_motion.hpp"
#include "app/session/session.hpp"
#include "ui/parameters/display_group.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_actions.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/volume_view.hpp"
#include "ui/window/main_window.hpp"
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

ViewDesk::ViewDesk(MainWindow& window, ViewArea& views, Session& session, MessageDesk& messages)
    : m_window(window), m_views(views), m_session(session) {
    using Menu = MainWindow::MenuPlace;
    const ImageActions& image = views.imageActions();
    window.addEntries(Menu::Views, views.viewEntries());
    window.addEntries(Menu::Views, {views.aloneEntry()});
    window.addActions(views.viewActions() + views.aloneActions()); // for their shortcuts
    window.addEntries(Menu::Edit, {image.copy()});
    window.addEntries(Menu::Pictures, image.saving());
    window.addEntries(Menu::Image, image.drawing());
    const ImageView* first = &views.bscan();
    connect(first, &ImageView::displayPathChanged, this, [this] {
        const auto path = m_views.bscan().displayPath();
        m_window.status().setDisplayPath(path.badge, path.reason, path.badge.startsWith("interop"));
    });
    const auto tellOf = [&](const View& view, Topic topic) {
        connect(&view, &View::problemChanged, &messages,
                [&messages, topic](const QString& sentence) {
                    messages.tell(Severity::Error, sentence, topic);
                });
    };
    tellOf(*first, Topic::ImageView);
    tellOf(views.volume(), Topic::VolumeView);
    connect(&window, &MainWindow::resetViewRequested, &views, &ViewArea::resetViews);
    connect(&window.pipeline(), &PipelineMenu::blinkToggled, &views, &ViewArea::setBlinking);
    connect(&window.pipeline(), &PipelineMenu::linkToggled, &views.further(),
            &FurtherViews::setLinked);
}

void ViewDesk::supply(Engine* engine) {
    m_views.bscan().setFrameSupplier(engine != nullptr ? &engine->mailbox() : nullptr);
    for (int i = 0; i < FurtherViews::kMost; ++i) {
        m_views.further().view(i).setFrameSupplier(
            engine != nullptr ? &engine->mailbox(static_cast<std::size_t>(i) + 1) : nullptr);
    }
    m_views.enFace().setFrameSupplier(engine != nullptr ? &engine->volume().enFace() : nullptr);
    m_views.side().setFrameSupplier(engine != nullptr ? &engine->volume().side() : nullptr);
    m_views.volume().setVolumeSupplier(engine != nullptr ? &engine->volume() : nullptr);
}

void ViewDesk::recordingOpened() {
    m_views.clear();
    m_views.resetViews();
    supply(&m_session.engine());
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
    m_window.display().setMoves(std::ranges::any_of(
        shown.views, [&](const ViewState& view) { return motionOf(shown, view).has_value(); }));
    m_window.display().setBlends(
        std::ranges::any_of(beneath, [](const auto& each) { return each.has_value(); }));
}

void ViewDesk::imageReady(std::size_t view) {
    if (view == 0) return m_views.bscan().frameAvailable();
    const int further = static_cast<int>(view) - 1;
    if (further < m_views.further().count()) m_views.further().view(further).frameAvailable();
}

} // namespace echolux
