// SPDX-License-Identifier: GPL-3.0-or-later
// One message on screen: icon, text, and a button that dismisses it.
#pragma once

#include <QString>
#include <QWidget>

#include <functional>

class QLabel;
class QToolButton;

namespace echolux {

enum class Severity { Info, Warning, Error };

/// An action that a message offers on a button.
struct MessageAction {
    QString label = {}; ///< empty: no action
    std::function<void()> run = {};
};

class MessageStrip : public QWidget {
    Q_OBJECT
public:
    explicit MessageStrip(QWidget* parent);
    /// `more`: text beside the buttons, "2 more". `action`: text of the action's button; empty: no
    /// button.
    void setMessage(Severity severity, const QString& text, const QString& more = {},
                    const QString& action = {});
    const QString& text() const { return m_full; }
    QLabel* label() const { return m_text; } ///< holds the text as shown
    /// Places the strip below `topLeft` with as many lines as the text needs. Returns its height.
    int layIn(QPoint topLeft, int width);
    /// Places the strip in one line. Where the text does not fit, the tooltip shows it all.
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
