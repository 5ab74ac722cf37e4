// SPDX-License-Identifier: GPL-3.0-or-later
// The content of a dock that works only while somebody sees it.
#pragma once

#include <QWidget>

namespace echolux {

class SeenWidget : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Not closed and not behind another dock. Where it says no, cameIntoSight() will say yes.
    bool isSeen();

signals:
    void cameIntoSight();

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    bool m_asleep = true;
};

} // namespace echolux
