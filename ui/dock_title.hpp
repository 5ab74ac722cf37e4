// SPDX-License-Identifier: GPL-3.0-or-later
// Title bar of a dock in the look of the theme: name, buttons that float and close it.
#pragma once

#include <QWidget>

class QDockWidget;

namespace echolux {

class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    QSize minimumSizeHint() const override;
};

} // namespace echolux
