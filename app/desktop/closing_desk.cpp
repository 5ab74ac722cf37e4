// SPDX-License-Identifier: GPL-3.0-or-later
// Asks before the window closes, and acts on the answer.
#include "app/desktop/closing_desk.hpp"

#include "app/desktop/workbench/background.hpp"

#include <QMessageBox>
#include <QPushButton>

namespace echolux {

ClosingDesk::ClosingDesk(QWidget& window, Background& background)
    : m_window(window), m_background(background) {
    // When the exports have ended, no answer is needed. The window stays open, and its message
    // names the files.
    connect(&background, &Background::ended, this, [this] {
        if (m_question && m_background.underWay(Background::Kind::Exporting).isEmpty())
            m_question->reject();
    });
}

bool ClosingDesk::mayClose() {
    if (m_stopsExports || m_background.underWay(Background::Kind::Exporting).isEmpty()) return true;
    if (!m_question) ask();
    return false;
}

void ClosingDesk::ask() {
    const QStringList exports = m_background.underWay(Background::Kind::Exporting);
    const QString unfinished = exports.size() == 1 ? " is not finished." : "\nare not finished.";
    m_question = new QMessageBox(QMessageBox::Question, "Quit", exports.join('\n') + unfinished,
                                 QMessageBox::NoButton, &m_window);
    m_question->setInformativeText("If you stop it, no unfinished file is left behind.");
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* stop = m_question->addButton("&Stop and quit", QMessageBox::DestructiveRole);
    QPushButton* goOn = m_question->addButton("&Keep exporting", QMessageBox::RejectRole);
    m_question->setDefaultButton(goOn);
    m_question->setEscapeButton(goOn);
    connect(stop, &QPushButton::clicked, this, [this] {
        m_stopsExports = true;
        // NOTE: queued, because the question is a child of the window that closes.
        QMetaObject::invokeMethod(&m_window, &QWidget::close, Qt::QueuedConnection);
    });
    m_question->open();
}

} // namespace echolux
