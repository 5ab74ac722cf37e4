// SPDX-License-Identifier: GPL-3.0-or-later
// What an empty window offers: recordings that can be opened with one click.
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace echolux {

struct StartEntry {
    QString path;
    QString text; ///< what it shows, a few words
};

/// Stands in the middle of its parent and follows its size.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(const std::vector<StartEntry>& entries, QWidget* parent);

signals:
    void chosen(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
};

} // namespace echolux
