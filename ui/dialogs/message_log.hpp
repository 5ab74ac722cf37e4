// SPDX-License-Identifier: GPL-3.0-or-later
// All messages of the window with their times, newest last, to read and copy.
#pragma once

#include <QDialog>
#include <QString>

class QDateTime;
class QPlainTextEdit;

namespace echolux {

class MessageLog : public QDialog {
    Q_OBJECT
public:
    static constexpr int kMost = 1000; ///< more messages remove the oldest

    explicit MessageLog(QWidget* parent = nullptr);
    /// `kind` is one word: "Error". A message that repeats the one before replaces it, with the
    /// newest time.
    void add(const QDateTime& when, const QString& kind, const QString& text);
    /// One line per message: time, kind and text, separated by tabs.
    QString text() const;

private:
    QPlainTextEdit* m_lines;
    QString m_last; ///< kind and text of the last message
};

} // namespace echolux
