// SPDX-License-Identifier: GPL-3.0-or-later
// Digits, separators and units of typed numbers.
#include "ui/controls/quantity.hpp"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <cmath>
#include <numbers>

namespace echolux {
namespace {

std::optional<double> prefixFactor(QStringView prefix) {
    if (prefix.isEmpty()) return 1.0;
    if (prefix.size() != 1) return std::nullopt;
    switch (prefix.front().unicode()) {
    case 'p': return 1e-12;
    case 'n': return 1e-9;
    case 'u': return 1e-6;
    case 'm': return 1e-3;
    case 'c': return 1e-2;
    case 'k': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
    default: return std::nullopt;
    }
}

/// One factor of a unit, such as the "km" of "km/s".
std::optional<double> partFactor(const QString& typed, const QString& si) {
    if (typed == si) return 1.0;
    if (si == "rad" && (typed == "deg" || typed == QChar(0x00b0))) return std::numbers::pi / 180.0;
    if (typed.isEmpty() || si.isEmpty() || si == "dB" || si == "px") return std::nullopt;
    if (!typed.endsWith(si, si == "Hz" ? Qt::CaseInsensitive : Qt::CaseSensitive))
        return std::nullopt;
    QString prefix = typed.left(typed.size() - si.size());
    // Users who type "mHz" mean megahertz.
    if (si == "Hz" && prefix == "m") prefix = "M";
    if (prefix == "K") prefix = "k";
    return prefixFactor(prefix);
}

bool grouped(const QString& digits, QChar separator) {
    const QString mark = QRegularExpression::escape(QString(separator));
    static const QString kForm = QStringLiteral("^\\d{1,3}(%1\\d{3})+$");
    return QRegularExpression(kForm.arg(mark)).match(digits).hasMatch();
}

struct Digits {
    QString text; ///< with a point and no other separator
    QString problem;
};

/// `typed`: digits, points, commas and single spaces.
Digits plainDigits(QString typed) {
    const Digits kNone{{}, QStringLiteral("it is no number")};
    if (typed.contains(' ')) {
        const QString whole = typed.section(QRegularExpression("[.,]"), 0, 0);
        if (!grouped(whole, ' ')) return kNone;
        typed.remove(' ');
    }
    const qsizetype commas = typed.count(',');
    const qsizetype points = typed.count('.');
    if (commas == 0) return points <= 1 ? Digits{typed, {}} : kNone;
    if (points > 0) {
        const QChar decimal = typed.lastIndexOf(',') > typed.lastIndexOf('.') ? ',' : '.';
        const QChar group = decimal == ',' ? '.' : ',';
        if (typed.count(decimal) > 1 || !grouped(typed.section(decimal, 0, 0), group)) return kNone;
        return {typed.remove(group).replace(decimal, '.'), {}};
    }
    if (commas > 1) return grouped(typed, ',') ? Digits{typed.remove(','), {}} : kNone;
    if (grouped(typed, ',') && !typed.startsWith('0')) {
        const QString whole = QString(typed).remove(',');
        const QString part = QString(typed).replace(',', '.');
        return {{}, QStringLiteral("it may mean %1 or %2; write one of these").arg(part, whole)};
    }
    return {typed.replace(',', '.'), {}};
}

} // namespace

std::optional<double> unitFactor(const QString& typed, const QString& si) {
    const QStringList parts = typed.split('/');
    const QStringList wanted = si.split('/');
    if (parts.size() != wanted.size()) return std::nullopt;
    double factor = 1.0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto part = partFactor(parts[i].trimmed(), wanted[i]);
        if (!part) return std::nullopt;
        factor = i == 0 ? factor * *part : factor / *part;
    }
    return factor;
}

Quantity readQuantity(const QString& typed, const QuantityUnit& unit) {
    QString text = typed.simplified();
    text.replace(QChar(0x2212), '-').replace(QChar(0x00b5), 'u').replace(QChar(0x03bc), 'u');
    static const QRegularExpression kForm(
        QStringLiteral("^([+-]?) ?([\\d.,][\\d., ]*?)([eE][+-]?\\d+)? ?([^\\d\\s.,+-][^\\d]*)?$"));
    const QRegularExpressionMatch match = kForm.match(text);
    if (!match.hasMatch()) return {std::nullopt, QStringLiteral("it is no number")};
    const Digits digits = plainDigits(match.captured(2));
    if (!digits.problem.isEmpty()) return {std::nullopt, digits.problem};
    bool ok = false;
    const double number =
        QLocale::c().toDouble(match.captured(1) + digits.text + match.captured(3), &ok);
    if (!ok || !std::isfinite(number)) return {std::nullopt, QStringLiteral("it is no number")};

    const QString given = match.captured(4);
    QString shown = unit.shown;
    shown.replace(QChar(0x00b5), 'u');
    if (given.isEmpty() || given.compare(shown, Qt::CaseInsensitive) == 0)
        return {number / unit.shownPerSi, {}};
    if (const auto factor = unitFactor(given, unit.si)) return {number * *factor, {}};
    return {std::nullopt,
            unit.shown.isEmpty()
                ? QStringLiteral("this number has no unit")
                : QStringLiteral("\"%1\" cannot be turned into %2").arg(given, unit.shown)};
}

} // namespace echolux
