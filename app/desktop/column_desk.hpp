// SPDX-License-Identifier: GPL-3.0-or-later
// Passes a column that a user picks in a view to the session.
#pragma once

#include <QObject>

namespace echolux {

class Session;
class ViewArea;

class ColumnDesk : public QObject {
    Q_OBJECT
public:
    ColumnDesk(ViewArea& views, Session& session);

    void forget(); ///< clears the picked column; in a volume the crosshair's column stays

signals:
    void picked(); ///< by the user; a crosshair picks no column
    void forgotten();

private:
    void pick(double lateralM);

    ViewArea& m_views;
    Session& m_session;
};

} // namespace echolux
