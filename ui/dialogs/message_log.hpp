// SPDX-License-Identifier: GPL-3.0-or-later
// All messages of the window with their times, newest last, to be read and copied.
#pragma once

#include <QDialog>
#include <QString>

class QDateTime;
class QPlainTextEdit;

namespace echolux {

class MessageLog : public QDialog {
    Q_OBJECT
public:
    static constexpr int kMost = 1000; ///< the oldest go

    explicit MessageLog(QWidget* parent = nullptr);
    /// `kind` is one word: "Error". What is repeated at once has one line, with the newest time.
    void add(const QDateTime& when, const QString& kind, const QString& text);
    /// A line each: time, kind, text, between tabs.
    QString text() const;

private:
    QPlainTextEdit* m_lines;
    QString m_last; ///< kind and text
};

} // namespace echolux
