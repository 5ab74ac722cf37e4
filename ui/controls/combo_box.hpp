// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box with Echolux' own chevron. It may be narrower than its longest entry.
#pragma once

#include <QComboBox>
#include <QStringList>

namespace echolux {

class ComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit ComboBox(QWidget* parent = nullptr);

    /// Replaces the entries where they differ, so that an open list stays open. The chosen number
    /// stays, or is 0 where there are fewer entries now. Hidden where there is no choice.
    void offer(const QStringList& names);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace echolux
