// SPDX-License-Identifier: GPL-3.0-or-later
// Files whose arrays nobody described: asks for a sidecar that does, or for a description.
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
    /// `reason` says why the file cannot be opened as it is. Does not wait for the answer; a later
    /// question takes the place of this one.
    void ask(const OpenRequest& request, const QString& reason);
    void choose(const OpenRequest& request);             ///< without a question before
    QMessageBox* question() const { return m_question; } ///< null: none is asked

signals:
    void chosen(const echolux::OpenRequest& request);            ///< with a sidecar
    void describeRequested(const echolux::OpenRequest& request); ///< here and now
    void refused(const QString& sentence);                       ///< nobody has one

private:
    QWidget& m_window;
    QPointer<QMessageBox> m_question;
};

} // namespace echolux
