// SPDX-License-Identifier: GPL-3.0-or-later
// A titled section that folds away; its header may carry a dot (something inside differs from its
// default; a click resets all of it) and an on/off switch.
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
    /// Shows the body while a search runs, whatever the collapsed state.
    void setForcedOpen(bool open);
    /// False: nothing to fold; the arrow is hidden.
    void setFoldable(bool foldable);
    /// Adds the switch to the header; null until then.
    ToggleSwitch* addSwitch();
    ToggleSwitch* headerSwitch() const { return m_switch; }
    ResetDot* dot() const { return m_dot; }
    /// Hides what does not match; a match of the title shows all. Returns whether anything is left.
    /// An empty needle shows everything.
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
