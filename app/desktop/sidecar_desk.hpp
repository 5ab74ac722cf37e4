// SPDX-License-Identifier: GPL-3.0-or-later
// Files whose arrays are not described: asks for a sidecar or for a description.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <QMessageBox>
#include <QObject>
#include <QPointer>
#include <QString>

namespace echolux {

class SidecarDesk : public QObject {
    Q_OBJECT
public:
    explicit SidecarDesk(QWidget& window);
    /// `reason` says why the file cannot be opened without help. Returns at once; a later question
    /// replaces this one.
    void ask(const OpenRequest& request, const QString& reason);
    void choose(const OpenRequest& request); ///< shows the file dialog without a question
    QMessageBox* question() const { return m_question; } ///< null: no question is on screen

signals:
    void chosen(const echolux::OpenRequest& request); ///< the request with a sidecar
    /// The user wants to describe the file in a dialog.
    void describeRequested(const echolux::OpenRequest& request);
    void failed(const QString& sentence); ///< the user has no sidecar

private:
    QWidget& m_window;
    QPointer<QMessageBox> m_question;
};

} // namespace echolux
