// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a sidecar.
#include "app/desktop/sidecar_desk.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>

namespace echolux {

SidecarDesk::SidecarDesk(QWidget& window) : m_window(window) {}

void SidecarDesk::ask(const OpenRequest& request, const QString& reason) {
    delete m_question;
    m_question = new QMessageBox(QMessageBox::Question, "Describe the recording", reason,
                                 QMessageBox::Cancel, &m_window);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setInformativeText(
        "A sidecar is a small text file that says what the arrays hold; with it the file opens as "
        "a recording. Describe the arrays here, and Echolux keeps a sidecar with the file, or "
        "choose a sidecar that you have.");
    auto* describe = m_question->addButton("Describe it\u2026", QMessageBox::AcceptRole);
    auto* choose = m_question->addButton("Choose a sidecar\u2026", QMessageBox::AcceptRole);
    m_question->setDefaultButton(describe);
    connect(m_question, &QMessageBox::buttonClicked, this,
            [this, choose, describe, request, reason](QAbstractButton* pressed) {
                if (pressed == choose) {
                    this->choose(request);
                } else if (pressed == describe) {
                    emit describeRequested(request);
                } else {
                    emit failed(reason + " \"Describe a file\" in the menu File (Ctrl+I) asks "
                                         "what it holds.");
                }
            });
    m_question->open();
}

void SidecarDesk::choose(const OpenRequest& request) {
    const QFileInfo file(QString::fromStdString(request.file.string()));
    const QString path =
        QFileDialog::getOpenFileName(&m_window, "Sidecar of " + file.fileName(),
                                     file.absolutePath(), "Sidecars (*.toml);;All files (*)");
    if (path.isEmpty()) return;
    OpenRequest described = request;
    described.options.sidecar = path.toStdString();
    emit chosen(described);
}

} // namespace echolux
