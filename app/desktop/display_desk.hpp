// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the display settings (colours, limits, gamma and smoothing) with the controls, the views
// and the undo list.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "ui/parameters/display_group.hpp"

#include <QObject>

#include <optional>

namespace echolux {

class EditDesk;
class ImageView;
class Session;
class ViewArea;

class DisplayDesk : public QObject {
    Q_OBJECT
public:
    DisplayDesk(DisplayGroup& group, ViewArea& views, Session& session, EditDesk& edits);

    void start(const DisplayChoice& choice); ///< sets the display without a step of the undo list
    /// Shows `choice`, also where the pipeline's value range has just changed. Precondition: a
    /// recording is open.
    void show(const DisplayChoice& choice);
    void followPipeline();

private:
    void apply(const DisplayChoice& choice);
    void followEdits(const ImageView& view);
    void limitsFound(double formerMin, double formerMax);
    void span(const ValueRange& range);

    DisplayGroup& m_group;
    ViewArea& m_views;
    Session& m_session;
    EditDesk& m_edits;
    std::optional<ValueRange> m_spanned; ///< the range that the sliders of the limits span
};

} // namespace echolux
