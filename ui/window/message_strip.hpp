// SPDX-License-Identifier: GPL-3.0-or-later
// One message on screen: icon, words, a button that dismisses it.
#pragma once

#include <QString>
#include <QWidget>

#include <functional>

class QLabel;
class QToolButton;

namespace echolux {

enum class Severity { Info, Warning, Error };

/// What a message offers to do about it, on a button of its own.
struct MessageAction {
    QString label = {}; ///< empty: nothing
    std::function<void()> run = {};
};

class MessageStrip : public QWidget {
    Q_OBJECT
public:
    explicit MessageStrip(QWidget* parent);
    /// `more` stands beside the buttons: "2 more"; `action` on one of them, none where it is empty.
    void setMessage(Severity severity, const QString& text, const QString& more = {},
                    const QString& action = {});
    const QString& text() const { return m_full; }
    QLabel* label() const { return m_text; } ///< holds what is read on screen
    /// In as many lines as it takes from there down; returns its height.
    int layIn(QPoint topLeft, int width);
    /// In one line; where that is too short, the tooltip tells all.
    void layInOneLine(const QRect& place);

signals:
    void dismissed();
    void acted(); ///< the action's button was pressed

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void setShape(int margin, Qt::Alignment buttons);
    void showIcon();

    Severity m_severity = Severity::Info;
    QString m_full;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_more;
    QToolButton* m_action;
    QToolButton* m_close;
};

} // namespace echolux
