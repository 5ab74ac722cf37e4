// SPDX-License-Identifier: GPL-3.0-or-later
// The picked column at work: picked in a view, its lines in the plots.
#pragma once

#include <QObject>

namespace echolux {

struct ColumnData;
class MainWindow;
class Session;
class ViewArea;

class ColumnDesk : public QObject {
    Q_OBJECT
public:
    ColumnDesk(MainWindow& window, ViewArea& views, Session& session);

    void recordingOpened(); ///< empty plots of its kind
    void followPipeline();
    void show();
    void forget(); ///< none is picked; of a volume the crosshair's column stays

private:
    void clearPlots();
    void pick(double lateralM);
    void showEchoes(const ColumnData& column);
    void showAscan(const ColumnData& column);
    void showFringe(const ColumnData& column);
    void showViewLines(const ColumnData& column);
    bool isStill();

    MainWindow& m_window;
    ViewArea& m_views;
    Session& m_session;
};

} // namespace echolux
