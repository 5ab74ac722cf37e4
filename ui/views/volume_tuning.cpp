// SPDX-License-Identifier: GPL-3.0-or-later
// Two rows as those of the parameters.
#include "ui/views/volume_tuning.hpp"

#include "ui/parameters/param_row_widget.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/volume_view.hpp"

#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <variant>

namespace echolux {
namespace {

constexpr int kWidth = 42 * kGrid;

ParamRowWidget* makeRow(const char* key, const char* label, const char* help, double byDefault,
                        QWidget* parent) {
    const ParamRow row{
        .key = key, .label = label, .help = help, .displayUnit = "%", .displayFactor = 100.0};
    auto* widget = new ParamRowWidget("volume", row, {}, RowColumns{.labelWidth = 80}, parent);
    widget->setDefault(byDefault);
    widget->setValue(byDefault);
    return widget;
}

double numberIn(const ParamRowWidget& row) {
    const auto* number = std::get_if<double>(&row.value());
    return number != nullptr ? *number : 0.0;
}

} // namespace

VolumeTuning::VolumeTuning(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_depthCue(makeRow("depth_cue", "Depth cue",
                         "Maximum and Composite: so much darker is the corner of the volume that "
                         "is farthest from the eye than the nearest; 0: colours tell values alone.",
                         VolumeView::kDepthCue, this)),
      m_opacity(
          makeRow("opacity", "Opacity",
                  "Composite: the part of what lies behind that full brightness hides over a "
                  "hundredth of the volume's diagonal; what is less bright hides less, and what "
                  "lies below the display limits nothing.",
                  VolumeView::kOpacity, this)) {
    setFrameShape(QFrame::StyledPanel);
    setObjectName("panel");
    setAccessibleName(tr("Depth cue and opacity"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid / 2);
    layout->addWidget(m_depthCue);
    layout->addWidget(m_opacity);
    connect(m_depthCue, &ParamRowWidget::edited, this, [this] { emit depthCueChosen(depthCue()); });
    connect(m_opacity, &ParamRowWidget::edited, this, [this] { emit opacityChosen(opacity()); });
}

void VolumeTuning::setDepthCue(double amount) { m_depthCue->setValue(amount); }
void VolumeTuning::setOpacity(double amount) { m_opacity->setValue(amount); }
double VolumeTuning::depthCue() const { return numberIn(*m_depthCue); }
double VolumeTuning::opacity() const { return numberIn(*m_opacity); }
void VolumeTuning::setOpacityUsed(bool used) { m_opacity->setEnabled(used); }

void VolumeTuning::openBelow(const QWidget& header) {
    setFixedWidth(std::min(kWidth, std::max(header.width(), minimumSizeHint().width())));
    adjustSize();
    move(header.mapToGlobal(QPoint(header.width() - width(), header.height())));
    show();
    m_depthCue->editor()->setFocus(Qt::PopupFocusReason);
}

void VolumeTuning::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        close();
    } else {
        QFrame::keyPressEvent(event);
    }
}

} // namespace echolux
