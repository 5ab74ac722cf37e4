// SPDX-License-Identifier: GPL-3.0-or-later
// Two rows that look like rows of parameters.
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
                         "Max and Composite: how much darker the farthest corner of the volume is "
                         "than the nearest; at 0 colours depend on values alone.",
                         VolumeView::kDepthCue, this)),
      m_opacity(makeRow("opacity", "Opacity",
                        "Composite: how much a layer at full brightness hides of what lies behind "
                        "it. The layer is a hundredth of the volume's diagonal thick. Darker "
                        "voxels hide less; voxels below the display's Minimum hide nothing.",
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
