// SPDX-License-Identifier: GPL-3.0-or-later
// Typed numbers with units, and the note where one is not taken.
#include "ui/controls/quantity_box.hpp"

#include "gpu/core/quantity.hpp"

#include <QAbstractSpinBox>
#include <QLocale>
#include <QPoint>
#include <QToolTip>

namespace echolux {
namespace {

/// The unit that a suffix names, of one of the kinds that fields of dialogs hold.
QuantityUnit unitNamed(const std::string& shown) {
    for (const char* si : {"m", "m/s", "s", "Hz", "rad"})
        if (const auto factor = unitFactor(shown, si)) return {si, shown, 1.0 / *factor};
    return {shown, shown, 1.0};
}

} // namespace

QuantityBox::QuantityBox(const QString& unit, QWidget* parent) : QDoubleSpinBox(parent) {
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setAlignment(Qt::AlignRight);
    setLocale(QLocale::c());
    setGroupSeparatorShown(false);
    setKeyboardTracking(false); // "5.9" of "5.9 km/s" is no value yet
    if (!unit.isEmpty()) setSuffix(' ' + unit);
    connect(this, &QuantityBox::refused, this, [this](const QString& sentence) {
        QToolTip::showText(mapToGlobal(QPoint(0, height())), sentence, this);
    });
}

QString QuantityBox::textFromValue(double value) const {
    QString text = QDoubleSpinBox::textFromValue(value);
    if (!m_omitsZeros) return text;
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.'))) text.chop(1);
    return text;
}

QString QuantityBox::typed(const QString& text) const {
    return (text.endsWith(suffix()) ? text.chopped(suffix().size()) : text).trimmed();
}

QuantityBox::Reading QuantityBox::read(const QString& text) const {
    const QString number = typed(text);
    if (!specialValueText().isEmpty() && number == specialValueText()) return {minimum(), {}};
    const QuantityUnit unit = unitNamed(suffix().trimmed().toStdString());
    const Quantity given = readQuantity(number.toStdString(), unit);
    if (!given.value) return {std::nullopt, QString::fromStdString(given.problem)};
    const double value = *given.value * unit.shownPerSi;
    if (value >= minimum() && value <= maximum()) return {value, {}};
    return {std::nullopt, QStringLiteral("it lies beyond %1 to %2")
                              .arg(textFromValue(minimum()), textFromValue(maximum()) + suffix())};
}

double QuantityBox::valueFromText(const QString& text) const {
    return read(text).value.value_or(value());
}

QValidator::State QuantityBox::validate(QString& text, int&) const {
    return read(text).value ? QValidator::Acceptable : QValidator::Intermediate;
}

void QuantityBox::fixup(QString& text) const {
    emit refused(QStringLiteral("\"%1\" was not taken: %2.").arg(typed(text), read(text).problem));
}

} // namespace echolux
