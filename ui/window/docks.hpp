// SPDX-License-Identifier: GPL-3.0-or-later
// The docks beside the image: how they stand at which width, as tabs or side by side, floating or
// closed.
#pragma once

#include <QByteArray>
#include <QMainWindow>
#include <QObject>

#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QTabBar;

namespace echolux {

class Docks : public QObject {
    Q_OBJECT
public:
    /// How the docks share the window where nobody moved them.
    enum class Arrangement {
        Stacked, ///< all in one place as tabs: the image keeps most of a small window
        Tabbed,  ///< parameters left, the others right in one place as tabs
        Split    ///< parameters left, the others right below each other
    };
    /// Below these widths of the window.
    static constexpr int kStackedBelow = 1200;
    static constexpr int kTabbedBelow = 1500;
    static Arrangement arrangementFor(int width);

    explicit Docks(QMainWindow& window);
    /// In the order of the tabs; three of them, of which the first stands on the left.
    QDockWidget* add(const QString& title, const QString& name, QWidget* content);
    const std::vector<QDockWidget*>& all() const { return m_docks; }

    void reset(); ///< all open, as it suits the width
    /// Where the width now asks for another arrangement; what the user moved stays where it is,
    /// what was closed stays closed.
    void followWidth();
    /// The places as bytes, for the same docks.
    QByteArray save() const;
    bool restore(const QByteArray& places); ///< false and nothing done where they are none of ours
    void hideAll();
    QAction* sideBySideAction() const { return m_sideBySide; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange(Arrangement arrangement, const std::vector<QDockWidget*>& open);
    void arrangeOpen(Arrangement arrangement);
    void moved();
    void followTabs();
    QDockWidget* dockAt(const QTabBar& tabs, QPoint position) const;
    void offer(QDockWidget* dock, QPoint globalPosition);

    QMainWindow& m_window;
    std::vector<QDockWidget*> m_docks;
    QAction* m_sideBySide;
    std::optional<Arrangement> m_standing; ///< nothing where the user has moved docks
    bool m_arranging = false;
};

} // namespace echolux
