// SPDX-License-Identifier: GPL-3.0-or-later
// What every plot lets people do: zoom, move, read values at the cursor, copy and save.
#pragma once

#include <QHash>
#include <QObject>

#include <optional>

#include <qcustomplot.h>

class QAction;
class QMenu;

namespace echolux {

/// Wheel zooms at the cursor, a drag moves, a double click shows everything again; values at the
/// cursor stand at the top of the plot. The context menu, also by the Menu key, copies and saves.
/// Lives as long as the plot.
class PlotTools : public QObject {
    Q_OBJECT
public:
    /// `name` is that of saved files.
    PlotTools(QCustomPlot& plot, QString name);
    ~PlotTools() override;

    static QString help(); ///< for a tooltip
    /// What an axis shows unless somebody zoomed or moved it. Call it in place of
    /// QCPAxis::setRange.
    void fit(QCPAxis* axis, double from, double to);
    bool isFitted() const { return m_fitted; }
    void showAll();
    /// "12.30 mm   RF −34.0   envelope 120"; empty without the cursor on the plot.
    QString cursorText() const;
    QMenu& menu() { return *m_menu; }
    /// Writes what the ending of the path names: csv, png or svg. Returns why it failed, or
    /// nothing.
    QString saveTo(const QString& path) const;

signals:
    void saved(const QString& path);
    void copied(const QString& sentence); ///< that says what
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
    bool m_fitting = false; ///< the range that changes is one of ours
    std::optional<QPointF> m_cursor;
};

} // namespace echolux
