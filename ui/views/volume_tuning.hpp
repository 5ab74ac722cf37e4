// SPDX-License-Identifier: GPL-3.0-or-later
// Depth cue and opacity of a volume's projections, in a small window. A click beside it or Esc
// closes it.
#pragma once

#include <QFrame>

namespace echolux {

class ParamRowWidget;

class VolumeTuning : public QFrame {
    Q_OBJECT
public:
    explicit VolumeTuning(QWidget* parent);

    void setDepthCue(double amount); ///< 0 to 1; emits no signal
    void setOpacity(double amount);
    double depthCue() const;
    double opacity() const;
    void setOpacityUsed(bool used);        ///< the present display uses the opacity
    void openBelow(const QWidget& header); ///< below the right end of `header`

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
