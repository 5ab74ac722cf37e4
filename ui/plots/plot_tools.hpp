// SPDX-License-Identifier: GPL-3.0-or-later
// The tools of every plot: zoom, pan, values at the cursor, copy, save.
#pragma once

#include <QHash>
#include <QObject>

#include <optional>

#include <qcustomplot.h>

class QAction;
class QMenu;

namespace echolux {

/// The wheel zooms at the cursor, a drag pans, a double click shows everything again. Values at the
/// cursor are shown at the top of the plot. The context menu (also by the Menu key) copies and
/// saves. Lives as long as the plot.
class PlotTools : public QObject {
    Q_OBJECT
public:
    /// `name`: name of saved files.
    PlotTools(QCustomPlot& plot, QString name);
    ~PlotTools() override;

    static QString help(); ///< for a tooltip
    /// Sets the range of an axis, unless the user has zoomed or panned. Use it instead of
    /// QCPAxis::setRange.
    void fit(QCPAxis* axis, double from, double to);
    bool isFitted() const { return m_fitted; }
    void showAll();
    /// "12.30 mm   RF −34.0   envelope 120"; empty while the cursor is not on the plot.
    QString cursorText() const;
    QMenu& menu() { return *m_menu; }
    /// Writes a file in the format of the path's ending: csv, png or svg. Returns why it failed, or
    /// nothing.
    QString saveTo(const QString& path) const;

signals:
    void saved(const QString& path);
    void copied(const QString& sentence); ///< says what was copied
    void failed(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeMenu();
    void chooseFile();
    void copyValues();
    void copyImage();
    QString wrapped(QString values) const;
    void showCursor(const QPointF& at);
    void hideCursor();
    void restyle();

    QCustomPlot& m_plot;
    QString m_name;
    QMenu* m_menu;
    QAction *m_copyValues, *m_copyImage, *m_save, *m_showAll;
    QCPItemStraightLine* m_line;
    QCPItemText* m_text;
    QHash<QCPAxis*, QCPRange> m_home;
    bool m_fitted = true;
    bool m_fitting = false; ///< fit() is changing a range
    std::optional<QPointF> m_cursor;
};

} // namespace echolux
