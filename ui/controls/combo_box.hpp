// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box with Echolux' own chevron. It may be narrower than its longest entry.
#pragma once

#include <QComboBox>

namespace echolux {

class ComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit ComboBox(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace echolux
