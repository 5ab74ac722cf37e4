// SPDX-License-Identifier: GPL-3.0-or-later
// Two controls and three labels.
#include "app/tools/doppler_sound/panel.hpp"

#include "ui/lab/value_slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>

namespace echolux {

DopplerSoundPanel::DopplerSoundPanel(QWidget* parent)
    : QWidget(parent), m_playing(new QCheckBox("Sound", this)),
      m_volume(new ValueSlider("Volume", "Loudness of the sound", {0.0, 100.0, 1.0, 0, "%"}, 50.0,
                               this)),
      m_state(makeLabel({}, LabelRole::Secondary, this)),
      m_problem(makeLabel({}, LabelRole::Warning, this)) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    m_playing->setToolTip("Plays the echoes of the gate while frames run. It is off when the "
                          "program starts");
    auto* sides =
        makeLabel("Left: towards the probe. Right: away from it.", LabelRole::Secondary, this);
    for (QLabel* label : {sides, m_state, m_problem}) label->setWordWrap(true);
    m_problem->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    layout->setSpacing(kGrid);
    for (QWidget* each :
         std::initializer_list<QWidget*>{m_playing, m_volume, sides, m_state, m_problem})
        layout->addWidget(each);
    layout->addStretch(1);
}

void DopplerSoundPanel::setState(const QString& sentence) { m_state->setText(sentence); }

void DopplerSoundPanel::setProblem(const QString& sentence) {
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
    m_state->setVisible(sentence.isEmpty());
}

QString DopplerSoundPanel::state() const { return m_state->text(); }
QString DopplerSoundPanel::problem() const { return m_problem->text(); }

} // namespace echolux
