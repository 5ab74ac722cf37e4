// SPDX-License-Identifier: GPL-3.0-or-later
// Passes display settings between the window, the views and the pipeline.
#include "app/desktop/display_desk.hpp"

#include "app/desktop/edit_desk.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

namespace echolux {

DisplayDesk::DisplayDesk(DisplayGroup& group, ViewArea& views, Session& session, EditDesk& edits)
    : m_group(group), m_views(views), m_session(session), m_edits(edits) {
    m_views.setColours(group.settings());
    m_edits.displayFollowed();
    connect(&group, &DisplayGroup::edited, this, [this](const DisplayChoice& chosen) {
        const DisplayChoice before = m_edits.display();
        apply(chosen);
        m_edits.displayEdited(before);
    });
    const ImageView* image = &views.bscan();
    connect(image, &ImageView::displayRangeChanged, this, [this](double min, double max) {
        m_group.setRange(min, max);
        m_edits.displayFollowed();
    });
    for (ImageView* view : {&views.bscan(), &views.side(), &views.enFace()}) followEdits(*view);
    connect(image, &ImageView::scaleFound, this, [this](double lowest, double highest) {
        if (m_session.isOpen() && !m_session.snapshot()->output().valueRange)
            span({lowest, highest, {}, {}});
    });
    connect(&edits, &EditDesk::displayWanted, this, &DisplayDesk::show);
}

/// Connects the B-scan and the views that share its limits.
void DisplayDesk::followEdits(const ImageView& view) {
    const bool isFirst = &view == &m_views.bscan();
    connect(&view, &ImageView::displayRangeEdited, this, [this, isFirst](double min, double max) {
        if (!isFirst && !m_views.sharesLimits()) return;
        DisplayChoice before = m_edits.display();
        before.min = min;
        before.max = max;
        m_edits.displayEdited(before);
    });
    // NOTE: queued, because the range is found while painting.
    connect(
        &view, &ImageView::autoRangeFound, this,
        [this, isFirst](double formerMin, double formerMax) {
            if (isFirst || m_views.sharesLimits()) limitsFound(formerMin, formerMax);
        },
        Qt::QueuedConnection);
}

void DisplayDesk::limitsFound(double formerMin, double formerMax) {
    if (!m_session.isOpen()) return;
    DisplayChoice before = m_edits.display();
    before.min = formerMin;
    before.max = formerMax;
    m_edits.displayEdited({"auto range", "Display: auto range"}, before);
}

void DisplayDesk::start(const DisplayChoice& choice) {
    m_group.setSettings(choice);
    apply(choice);
    m_edits.displayFollowed();
}

void DisplayDesk::apply(const DisplayChoice& choice) {
    m_views.setColours(choice);
    ImageView& image = m_views.bscan();
    if (choice.min != image.displayMin() || choice.max != image.displayMax())
        image.setDisplayRange(choice.min, choice.max);
}

void DisplayDesk::show(const DisplayChoice& choice) {
    m_group.setSettings(choice);
    m_views.setColours(choice);
    const std::optional<ValueRange> meant = m_session.snapshot()->output().valueRange;
    m_views.bscan().setDisplayRangeFor(meant, choice.min, choice.max);
}

void DisplayDesk::followPipeline() {
    const std::optional<ValueRange> range = m_session.snapshot()->output().valueRange;
    if (range) span(*range); // else the first such frame gives the range
}

/// The sliders cover the range that the pipeline's output is meant for, and as much again on both
/// sides.
void DisplayDesk::span(const ValueRange& range) {
    if (range == m_spanned) return;
    m_spanned = range;
    const double width = range.max - range.min;
    const bool magnitudes = range.unit.empty() && range.min >= 0.0;
    m_group.setRangeLimits(magnitudes ? 0.0 : range.min - width, range.max + width,
                           QString::fromStdString(range.unit));
    DisplayChoice defaults;
    defaults.min = range.min;
    defaults.max = range.max;
    m_group.setDefaults(defaults);
}

} // namespace echolux
