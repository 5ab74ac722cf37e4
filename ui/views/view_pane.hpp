// SPDX-License-Identifier: GPL-3.0-or-later
// A view with a narrow header: its name, its content, and small buttons.
#pragma once

#include <QAction>
#include <QList>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace echolux {

class ElidedLabel;
class View;

class ViewPane : public QWidget {
    Q_OBJECT
public:
    ViewPane(const QString& name, View* view, QWidget* parent = nullptr);
    void setName(const QString& name);
    QString name() const;
    View& view() const { return *m_view; }
    /// A square before the name in the colour of the view's curve in plots; negative: none.
    void setPlotColour(int index);
    void setSubtitle(const QString& text);
    QString subtitle() const;
    const QWidget& header() const { return *m_header; }
    void setHeaderShown(bool shown) { m_header->setVisible(shown); }
    void addButtons(const QList<QAction*>& actions);
    /// Adds one button that opens a menu of these actions.
    void addMenu(const QString& text, const QString& help, const QList<QAction*>& actions);

signals:
    void headerDoubleClicked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the header

private:
    View* m_view;
    QWidget* m_header;
    QHBoxLayout* m_line;
    ElidedLabel* m_subtitle;
    QLabel* m_swatch;
    ElidedLabel* m_name;
    int m_colour = -1;
};

} // namespace echolux
