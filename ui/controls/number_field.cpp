// SPDX-License-Identifier: GPL-3.0-or-later
// Typing, steps and limits of the number field.
#include "ui/controls/number_field.hpp"

#include "ui/controls/slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace echolux {
namespace {

constexpr int kUnitWidth = 32; ///< so that units stand below each other; long ones are wider
constexpr int kFlashMs = 1500;

} // namespace

void setFieldState(QWidget* field, const char* state) {
    field->setProperty("state", QString(state));
    field->style()->unpolish(field);
    field->style()->polish(field);
}

NumberField::NumberField(const ParamRow& row, QWidget* parent)
    : QAbstractSpinBox(parent), m_scale(row), m_unit(makeLabel("", LabelRole::Secondary, this)) {
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setFocusPolicy(Qt::StrongFocus);
    setFixedSize(kWidth, 3 * kGrid);
    lineEdit()->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_unit->setText(m_scale.unit());
    if (m_unit->sizeHint().width() > kUnitWidth) m_unit->setFont(smallFont());
    m_unit->setAttribute(Qt::WA_TransparentForMouseEvents);
    placeUnit();
    connect(this, &QAbstractSpinBox::editingFinished, this, &NumberField::commit);
    setValue(m_scale.min());
}

int NumberField::unitWidth() const {
    if (m_unit->text().isEmpty()) return 0;
    return std::max(kUnitWidth, m_unit->sizeHint().width() + kGrid);
}

void NumberField::setValue(double value) {
    m_value = value;
    lineEdit()->setText(m_scale.text(value));
}

void NumberField::stepBy(double steps, bool fine) { adopt(m_scale.stepped(m_value, steps, fine)); }

void NumberField::adopt(double value) {
    const bool moved = value != m_value;
    setValue(value);
    if (moved) emit edited(value);
}

void NumberField::commit() {
    const QString typed = lineEdit()->text();
    if (typed == m_scale.text(m_value)) return;
    const NumberScale::Taken taken =
        m_scale.take(typed, "the value stays at " + m_scale.textWithUnit(m_value));
    taken.value ? adopt(*taken.value) : setValue(m_value);
    if (taken.note.isEmpty()) return;
    flash();
    emit noted(taken.note);
}

void NumberField::flash() {
    setFieldState(this, "warning");
    QTimer::singleShot(kFlashMs, this, [this] {
        if (property("state") == "warning") setFieldState(this, "");
    });
}

QAbstractSpinBox::StepEnabled NumberField::stepEnabled() const {
    return StepUpEnabled | StepDownEnabled;
}

QValidator::State NumberField::validate(QString&, int&) const { return QValidator::Acceptable; }

/// Undo belongs to the window, unless the text of this field has changed.
bool NumberField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && lineEdit()->text() == m_scale.text(m_value)) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

void NumberField::wheelEvent(QWheelEvent* event) {
    stepBy(wheelSteps(*event), event->modifiers().testFlag(Qt::ControlModifier));
    event->accept();
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        commit();
        // After this the keys of the window (Space, arrows) work without a click.
        clearFocus();
        return;
    case Qt::Key_Escape:
        setValue(m_value);
        clearFocus();
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        commit();
        stepBy(event->key() == Qt::Key_Up ? 1.0 : -1.0,
               event->modifiers().testFlag(Qt::ControlModifier));
        return;
    default: QAbstractSpinBox::keyPressEvent(event);
    }
}

void NumberField::resizeEvent(QResizeEvent* event) {
    QAbstractSpinBox::resizeEvent(event);
    placeUnit();
}

/// NOTE: the label's width is known only once it has the theme's font.
void NumberField::placeUnit() {
    lineEdit()->setTextMargins(0, 0, unitWidth(), 0);
    m_unit->setGeometry(width() - unitWidth() - 2, 0, unitWidth(), height());
}

void NumberField::changeEvent(QEvent* event) {
    QAbstractSpinBox::changeEvent(event);
    if (event->type() == QEvent::EnabledChange) m_unit->setEnabled(isEnabled());
}

} // namespace echolux
