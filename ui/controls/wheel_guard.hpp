// SPDX-License-Identifier: GPL-3.0-or-later
// Prevents the wheel from changing values while a panel is scrolled. Inside a scroll area, a
// control uses the wheel only while it has the keyboard focus and the area was not scrolled just
// before. Otherwise the wheel scrolls.
#pragma once

#include <QElapsedTimer>
#include <QObject>

class QScrollArea;
class QWidget;

namespace echolux {

class WheelGuard : public QObject {
    Q_OBJECT
public:
    explicit WheelGuard(QScrollArea* area);
    /// Guards sliders, number fields and combo boxes below `root`. Call it again for controls that
    /// are added later.
    void watch(QWidget* root);
    bool isScrolling() const; ///< now, or just before

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QElapsedTimer m_sinceScroll;
};

} // namespace echolux
