// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the combo box.
#include "ui/controls/combo_box.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

#include <algorithm>

namespace echolux {

ComboBox::ComboBox(QWidget* parent) : QComboBox(parent) {
    setFixedHeight(3 * kGrid);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(4);
}

void ComboBox::offer(const QStringList& names) {
    QStringList shown;
    for (int i = 0; i < count(); ++i) shown += itemText(i);
    if (names == shown) return;
    const int former = std::max(currentIndex(), 0);
    clear();
    addItems(names);
    setCurrentIndex(former < names.size() ? former : 0);
    setVisible(names.size() > 1);
}

void ComboBox::paintEvent(QPaintEvent* event) {
    QComboBox::paintEvent(event);
    QPainter painter(this);
    constexpr int kSize = 14;
    themeIcon("chevron_down")
        .paint(&painter, QRect(width() - kSize - 6, (height() - kSize) / 2, kSize, kSize),
               Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
}

} // namespace echolux
