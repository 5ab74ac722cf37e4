// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Doppler sound": a switch, the volume, and what is heard or why nothing
// is.
#pragma once

#include <QString>
#include <QWidget>

class QCheckBox;
class QLabel;

namespace echolux {

class ValueSlider;

class DopplerSoundPanel : public QWidget {
    Q_OBJECT
public:
    explicit DopplerSoundPanel(QWidget* parent = nullptr);

    QCheckBox& playing() { return *m_playing; } ///< off at first
    ValueSlider& volume() { return *m_volume; } ///< in percent
    void setState(const QString& sentence);
    void setProblem(const QString& sentence); ///< in place of the state; empty: none
    QString state() const;
    QString problem() const;

private:
    QCheckBox* m_playing;
    ValueSlider* m_volume;
    QLabel* m_state;
    QLabel* m_problem;
};

} // namespace echolux
