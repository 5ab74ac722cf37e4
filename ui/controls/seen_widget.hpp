// SPDX-License-Identifier: GPL-3.0-or-later
// Content of a dock that works only while it is visible.
#pragma once

#include <QWidget>

namespace echolux {

class SeenWidget : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// False where the dock is closed or behind another one, or the window minimised. After false,
    /// cameIntoSight() is emitted once the widget becomes visible.
    bool isSeen();

signals:
    void cameIntoSight();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isInSight() const;
    void watch();
    void wake();

    bool m_asleep = true;
};

} // namespace echolux
