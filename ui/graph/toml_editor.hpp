// SPDX-License-Identifier: GPL-3.0-or-later
// A plain text editor with line numbers, TOML colours, and one line that can be marked.
#pragma once

#include <QPlainTextEdit>

namespace echolux {

class TomlHighlighter;

class TomlEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit TomlEditor(QWidget* parent = nullptr);
    /// Replaces only what differs, so that cursor and undo are kept.
    void replaceText(const QString& text);
    /// Line and column count from 1; line 0: no mark. The mark moves with the text.
    void setMark(int line, int column);
    int markedLine() const; ///< 0: none

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyTheme();
    void placeNumbers();
    int numbersWidth() const;
    void paintNumbers();
    void showExtras();

    QWidget* m_numbers;
    TomlHighlighter* m_highlighter;
    QTextCursor m_mark; ///< null: none
};

} // namespace echolux
