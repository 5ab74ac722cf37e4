// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's text at work: it shows the pipeline in force; edits of it are tried when somebody
// pauses.
#pragma once

#include <QObject>
#include <QString>

namespace echolux {

class EditDesk;
class MainWindow;
class Session;

/// A sentence of parsePipeline() or instantiate() about a text, without its beginning that says
/// where; line 0: nowhere.
struct TextProblem {
    int line = 0;
    int column = 0;
    QString sentence;
};
TextProblem problemIn(const QString& sentence);

class TextDesk : public QObject {
    Q_OBJECT
public:
    TextDesk(MainWindow& window, Session& session, EditDesk& edits);

    void follow(); ///< after every change of the pipeline; does nothing while the text is hidden

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// One step of the undo list, or the problem in its place.
    void attempt(const QString& text);

    MainWindow& m_window;
    Session& m_session;
    EditDesk& m_edits;
    QString m_shown; ///< the pipeline in force, as it was written last
};

} // namespace echolux
