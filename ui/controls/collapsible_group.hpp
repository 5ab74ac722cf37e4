// SPDX-License-Identifier: GPL-3.0-or-later
// A titled section that folds. Its header may have an on/off switch and a dot: the dot shows that a
// value inside differs from its default, and a click resets all of them.
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace echolux {

class ElidedLabel;
class ResetDot;
class ToggleSwitch;

class CollapsibleGroup : public QWidget {
    Q_OBJECT
public:
    explicit CollapsibleGroup(const QString& title, QWidget* parent = nullptr);
    QVBoxLayout* body() const { return m_bodyLayout; }
    bool isCollapsed() const { return m_collapsed; }
    void setCollapsed(bool collapsed);
    /// Shows the body during a search, also where the section is folded.
    void setForcedOpen(bool open);
    /// False: the section has nothing to fold, and the arrow is hidden.
    void setFoldable(bool foldable);
    /// Adds the switch to the header.
    ToggleSwitch* addSwitch();
    ToggleSwitch* headerSwitch() const { return m_switch; }
    ResetDot* dot() const { return m_dot; }
    /// Hides rows that do not match `needle`. Where the title matches, all rows stay. Returns
    /// whether anything is visible. An empty needle shows everything.
    virtual bool filter(const QString& needle) = 0;
    /// Dims title and body.
    void setDimmed(bool dimmed);

signals:
    void collapsedChanged(bool collapsed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showState();

    QWidget* m_header;
    QToolButton* m_arrow;
    ElidedLabel* m_title;
    ResetDot* m_dot;
    ToggleSwitch* m_switch = nullptr;
    QWidget* m_body;
    QVBoxLayout* m_bodyLayout;
    bool m_collapsed = false;
    bool m_forcedOpen = false;
    bool m_foldable = true;
};

} // namespace echolux
