// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as text that can be edited, with a line that says whether it is in force.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace echolux {

class TomlEditor;

/// What is typed is an edit until setInForce(), or until the user discards it.
class PipelineText : public QWidget {
    Q_OBJECT
public:
    explicit PipelineText(QWidget* parent = nullptr);

    /// The text in force; emits nothing, and keeps the cursor where it can. Ignored while there are
    /// edits, except that discarding them shows it.
    void setText(const QString& text);
    QString text() const;
    bool hasEdits() const { return m_edited; }
    /// What textEdited() told last was taken. Does nothing where more has been typed since.
    void setInForce();
    /// What keeps the text from being in force: marks the place (from 1; line 0: nowhere) and says
    /// the sentence.
    void setProblem(int line, int column, const QString& sentence);
    void clearProblem();
    /// Whether the user wants defaults as comments in setText(); setting it emits nothing.
    bool showsDefaults() const;
    void setShowsDefaults(bool shown);
    TomlEditor* editor() const { return m_editor; }
    QString stateText() const; ///< as it stands below

signals:
    /// Nothing has been typed for 300 ms.
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
    QTimer m_pause;
    QString m_inForce;
    QString m_shown; ///< the document as last seen
    QString m_told;  ///< with the last textEdited()
    QString m_problem;
    bool m_edited = false;
    bool m_setting = false;
};

} // namespace echolux
