// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the dock "Measurements": a page with buttons that measure and a list of shapes
// with their figures, a page that plots a figure against a parameter, and one with the histogram of
// a region.
#pragma once

#include "ui/controls/seen_widget.hpp"

#include <QList>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>

class QAction;
class QBoxLayout;
class QLabel;
class QPushButton;
class QTabBar;
class QTreeWidget;
class QTreeWidgetItem;

namespace echolux {

class ComboBox;
class DistributionPlot;
class SweepPanel;

struct ShownFigure {
    QString name;
    QString value;           ///< with its unit
    QString reference = {};  ///< that was kept, in the same unit; empty: none
    QString difference = {}; ///< value minus reference, in the same unit
};

/// What the user takes to draw a shape.
enum class MeasuringTool {
    Point,
    Line,
    Angle,
    Calliper,
    Envelope,
    Rectangle,
    Ellipse,
    Region,
    Blob,
    Contrast
};

/// One shape with its figures, as shown.
struct ShownMeasurement {
    QString name;
    QString kind;
    QList<ShownFigure> figures;
    QString problem; ///< instead of figures; or empty
};

class MeasurementsPanel : public SeenWidget {
    Q_OBJECT
public:
    explicit MeasurementsPanel(QWidget* parent = nullptr);
    void setMeasurements(const QList<ShownMeasurement>& measurements);
    void setInEachView(bool on); ///< the switch of figures at each view
    void setComparing(bool on);  ///< shows references and differences
    /// The views that can be measured; a single one is not offered.
    void setViews(const QStringList& names, int chosen);
    void chooseView(int view);
    /// Shows what is measured on a sonogram alone.
    void setOnSonogram(bool is);
    QStringList selected() const;     ///< names of the selected ones
    void select(const QString& name); ///< alone
    /// Shows which tool is taken; null: none.
    void setTool(std::optional<MeasuringTool> tool);
    QString text() const; ///< all figures, a line each, with tabs between the columns
    QTreeWidget& list() { return *m_list; }
    SweepPanel& sweep() { return *m_sweep; }
    DistributionPlot& histogram() { return *m_histogram; }
    QTabBar& pages() { return *m_pages; }

signals:
    void viewChosen(int view);
    /// Null: the tool that was taken is put away.
    void toolWanted(std::optional<echolux::MeasuringTool> tool);
    void removeWanted();
    void saveWanted();
    void comparingWanted(bool on);
    void figureWanted();
    void reportWanted();
    void inEachViewWanted(bool on);
    void renamed(const QString& from, const QString& to);
    void selectionChanged();

private:
    QWidget* makeShapes();
    QPushButton* addTool(QBoxLayout& row, MeasuringTool tool, const QString& text,
                         const QString& keys, const QString& tip);
    /// A button, and an entry of the menu Measure.
    void addEntry(QBoxLayout& row, const QString& text, const QString& tip,
                  void (MeasurementsPanel::*signal)());
    QPushButton* addButton(QBoxLayout& row, const QString& text, const QString& tip,
                           void (MeasurementsPanel::*signal)());

    QTabBar* m_pages;
    SweepPanel* m_sweep;
    DistributionPlot* m_histogram;
    ComboBox* m_views;
    std::map<MeasuringTool, QAction*> m_tools;
    QAction* m_inEachView;
    QPushButton* m_calliper = nullptr;
    QPushButton* m_envelope = nullptr; ///< in its place
    QLabel* m_hint;
    QTreeWidget* m_list;
    QPushButton* m_compare;
    QList<ShownMeasurement> m_shown;
    bool m_filling = false;
};

} // namespace echolux
