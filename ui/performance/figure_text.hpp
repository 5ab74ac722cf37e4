// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the performance panel as texts with units.
#pragma once

#include <QString>

#include <cstdint>

namespace echolux {

QString counted(std::int64_t number); ///< "1 234 567"
QString perSecond(double rate);       ///< "60.0 /s"
QString manyPerSecond(double rate);   ///< large rates in thousands or millions: "26.1 M/s"
QString perFrame(double number);      ///< "0.25 /frame"
QString millis(double ms);            ///< "1.80 ms"
/// "8.2 kB", "12.6 MB"; no line break parts them; 1 MB = 1 000 000 bytes.
QString memoryText(std::int64_t bytes);
/// "12.3 x faster" or "1391 x slower", with a factor of at least 1; a dash for 0.
QString timesText(double times);
/// "1 card", "1 391 CPUs"; a dash for 0, an unknown number.
QString cardsText(std::int64_t number, bool onCard);

} // namespace echolux
