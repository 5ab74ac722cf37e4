// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the wheel from changing values by accident while a panel is scrolled: inside a scroll area,
// a control takes the wheel only while it has the keyboard focus (it was clicked or tabbed to) and
// the area has not just been scrolled; otherwise the wheel scrolls.
#pragma once

#include <QElapsedTimer>
#include <QObject>

class QScrollArea;

namespace echolux {

class WheelGuard : public QObject {
    Q_OBJECT
public:
    explicit WheelGuard(QScrollArea* area);
    /// Guards sliders, number fields and combo boxes below `root`, also those added later by
    /// further calls.
    void watch(QWidget* root);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QElapsedTimer m_sinceScroll;
};

} // namespace echolux
