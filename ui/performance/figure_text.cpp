// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/figure_text.hpp"

#include "ui/controls/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

QString counted(std::int64_t number) { return groupedText(QString::number(number)); }

QString perSecond(double rate) { return QString::number(rate, 'f', 1) + " /s"; }

QString manyPerSecond(double rate) {
    if (rate >= 1e6) return QString::number(rate * 1e-6, 'f', 2) + " M/s";
    if (rate >= 1e4) return QString::number(rate * 1e-3, 'f', 1) + " k/s";
    return perSecond(rate);
}

QString perFrame(double number) {
    return QString::number(number, 'f', number == 0.0 ? 0 : 2) + " /frame";
}

QString millis(double ms) { return QString::number(ms, 'f', 2) + " ms"; }

QString memoryText(std::int64_t bytes) {
    const auto with = [](const QString& figure, const char* unit) {
        return figure + QChar(QChar::Nbsp) + unit;
    };
    const auto number = static_cast<double>(bytes);
    if (number >= 1e6) return with(QString::number(number * 1e-6, 'f', 1), "MB");
    if (number >= 1e3) return with(QString::number(number * 1e-3, 'f', 1), "kB");
    return with(QString::number(bytes), "B");
}

QString timesText(double times) {
    if (!(times > 0.0)) return QString(QChar(0x2013));
    const double factor = std::max(times, 1.0 / times);
    const int places = std::clamp(2 - static_cast<int>(std::floor(std::log10(factor))), 0, 2);
    return QString::number(factor, 'f', places) +
           (times < 1.0 ? QStringLiteral(" \u00d7 slower") : QStringLiteral(" \u00d7 faster"));
}

QString cardsText(std::int64_t number, bool onCard) {
    if (number == 0) return QString(QChar(0x2013));
    return counted(number) + (onCard ? " card" : " CPU") + (number == 1 ? "" : "s");
}

} // namespace echolux
