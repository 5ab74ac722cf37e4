// SPDX-License-Identifier: GPL-3.0-or-later
// Painted buttons of the parameter rows: an on/off switch, and the dot that resets to the default.
#pragma once

#include <QAbstractButton>

class QPainter;

namespace echolux {

struct SwitchLook {
    bool on = false;
    bool enabled = true;
    bool hovered = false;
    bool focused = false;
};
/// Paints a sliding switch in `place`, as ToggleSwitch does.
void paintSwitch(QPainter& painter, const QRectF& place, const SwitchLook& look);

/// A sliding switch; checked = on.
class ToggleSwitch : public QAbstractButton {
    Q_OBJECT
public:
    explicit ToggleSwitch(QWidget* parent = nullptr);
    QSize sizeHint() const override { return {30, 16}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Visible only where a value differs from its default. Its space stays reserved otherwise.
class ResetDot : public QAbstractButton {
    Q_OBJECT
public:
    explicit ResetDot(QWidget* parent = nullptr);
    void setShown(bool shown);
    bool isShown() const { return m_shown; }
    QSize sizeHint() const override { return {16, 24}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_shown = false;
};

} // namespace echolux
