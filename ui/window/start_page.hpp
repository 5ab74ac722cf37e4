// SPDX-License-Identifier: GPL-3.0-or-later
// Content of an empty window: recordings that open with one click.
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace echolux {

struct StartEntry {
    QString path;
    QString text; ///< a few words about its content
};

/// Stays in the middle of its parent and follows its size.
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
