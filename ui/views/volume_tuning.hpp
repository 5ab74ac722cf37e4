// SPDX-License-Identifier: GPL-3.0-or-later
// Depth cue and opacity of a volume's projections, in a small window that a click beside it or Esc
// closes.
#pragma once

#include <QFrame>

namespace echolux {

class ParamRowWidget;

class VolumeTuning : public QFrame {
    Q_OBJECT
public:
    explicit VolumeTuning(QWidget* parent);

    void setDepthCue(double amount); ///< 0 to 1, without a signal
    void setOpacity(double amount);
    double depthCue() const;
    double opacity() const;
    void setOpacityUsed(bool used);        ///< by what is shown
    void openBelow(const QWidget& header); ///< at its right end

signals:
    void depthCueChosen(double amount);
    void opacityChosen(double amount);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    ParamRowWidget* m_depthCue;
    ParamRowWidget* m_opacity;
};

} // namespace echolux
