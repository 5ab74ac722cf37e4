// SPDX-License-Identifier: GPL-3.0-or-later
// One button per recording.
#include "ui/window/start_page.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QEvent>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace echolux {

StartPage::StartPage(const std::vector<StartEntry>& entries, QWidget* parent) : QWidget(parent) {
    setObjectName("panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 3 * kGrid);
    layout->setSpacing(kGrid);
    layout->addWidget(
        makeLabel("Open a recording (Ctrl+O) or drop a file here", LabelRole::Normal, this));
    if (!entries.empty())
        layout->addWidget(
            makeLabel("or begin with one that comes with Echolux:", LabelRole::Secondary, this));
    for (const StartEntry& entry : entries) {
        auto* button = new QPushButton(entry.text, this);
        button->setObjectName(QFileInfo(entry.path).fileName());
        button->setToolTip(entry.path);
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this,
                [this, path = entry.path] { emit chosen(path); });
    }
    parent->installEventFilter(this);
    place();
}

void StartPage::place() {
    adjustSize();
    QRect here(QPoint(), size());
    here.moveCenter(parentWidget()->rect().center());
    setGeometry(here);
    raise();
}

bool StartPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() &&
        (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace echolux
