// SPDX-License-Identifier: GPL-3.0-or-later
// Signs and powers of numbers on screen.
#include "ui/controls/number_text.hpp"

#include "render/view/ticks.hpp"

#include <array>

namespace echolux {
namespace {

constexpr QChar kMinus(0x2212);

QString raised(int exponent) {
    constexpr std::array<char16_t, 10> kRaised = {0x2070, 0x00b9, 0x00b2, 0x00b3, 0x2074,
                                                  0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
    constexpr QChar kRaisedMinus(0x207b);
    QString text;
    for (const QChar digit : QString::number(exponent))
        text += digit == '-' ? kRaisedMinus
                             : QChar(kRaised[static_cast<std::size_t>(digit.digitValue())]);
    return text;
}

} // namespace

QString numberText(double value, int decimals) {
    return QString::fromStdString(formatNumber(value, decimals));
}

QString significantText(double value, int digits) {
    return withTrueSigns(QString::number(value == 0.0 ? 0.0 : value, 'g', digits));
}

QString groupedText(QString number) {
    constexpr QChar kThinSpace(0x2009);
    const qsizetype point = number.indexOf('.');
    const qsizetype whole = point < 0 ? number.size() : point;
    for (qsizetype at = whole - 3; at > 0; at -= 3) number.insert(at, kThinSpace);
    return number;
}

QString withTrueSigns(const QString& number) {
    const qsizetype e = number.indexOf('e');
    QString mantissa = number.left(e);
    mantissa.replace('-', kMinus);
    if (e < 0) return mantissa;
    return mantissa + QChar(0x00b7) + "10" + raised(number.mid(e + 1).toInt());
}

} // namespace echolux
