// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as editable text, with a line that tells whether the text is in force.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace echolux {

class TomlEditor;

/// Typed text counts as an edit until setInForce() is called or the user discards it.
class PipelineText : public QWidget {
    Q_OBJECT
public:
    explicit PipelineText(QWidget* parent = nullptr);

    /// Sets the text in force; emits nothing, and keeps the cursor where possible. While there are
    /// edits, the text is only shown once they are discarded.
    void setText(const QString& text);
    QString text() const;
    bool hasEdits() const { return m_edited; }
    /// The text of the last textEdited() is in force. Does nothing where more has been typed since.
    void setInForce();
    /// Shows why the text is not in force, and marks the place (line and column from 1; line 0: no
    /// place).
    void setProblem(int line, int column, const QString& sentence);
    void clearProblem();
    /// True where the user wants defaults as comments in setText(). The setter emits nothing.
    bool showsDefaults() const;
    void setShowsDefaults(bool shown);
    TomlEditor* editor() const { return m_editor; }
    QString stateText() const; ///< text of the line below the editor

signals:
    /// Emitted 300 ms after the last key.
    void textEdited(const QString& text);
    void showsDefaultsChanged(bool shown);

private:
    void typed();
    void discard();
    void showState();

    TomlEditor* m_editor;
    QLabel* m_icon;
    QLabel* m_state;
    QToolButton* m_defaults;
    QToolButton* m_discard;
    QTimer m_pause{this}; ///< since the last key
    QString m_inForce;
    QString m_shown; ///< the document's text at the last change
    QString m_told;  ///< text of the last textEdited()
    QString m_problem;
    bool m_edited = false;
    bool m_setting = false;
};

} // namespace echolux
