// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of sliders and number fields.
#include "ui/controls/number_scale.hpp"

#include "ui/theme/theme.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr int kMaxDecimals = 6;
constexpr double kLogSteps = 100.0;

/// Fewest decimals that show `value` to within `tolerance`.
int decimalsFor(double value, double tolerance, int from) {
    int decimals = from;
    double power = std::pow(10.0, from);
    while (decimals < kMaxDecimals &&
           std::abs(std::round(value * power) / power - value) > tolerance) {
        ++decimals;
        power *= 10.0;
    }
    return decimals;
}

double roundToSignificant(double value, int significant) {
    if (value == 0.0) return 0.0;
    const double power = std::pow(10.0, significant - 1 - std::floor(std::log10(std::abs(value))));
    return std::round(value * power) / power;
}

} // namespace

NumberScale::NumberScale(const ParamRow& row)
    : m_min(row.min), m_max(std::max(row.min, row.max)), m_step(row.step),
      m_factor(row.displayFactor > 0.0 ? row.displayFactor : 1.0), m_from(m_min), m_to(m_max),
      m_whole(row.type == ParamType::Integer), m_odd(row.oddOnly),
      m_log(row.scale == ParamScale::Log && row.min > 0.0), m_decimals(0),
      m_unit(prettyUnit(row.shownUnit())), m_quantity{row.unit, m_unit.toStdString(), m_factor} {
    if (!(m_step > 0.0)) m_step = (m_max - m_min) / 100.0;
    if (m_whole) m_step = std::max(m_odd ? 2.0 : 1.0, std::round(m_step));
    if (m_odd && std::fmod(m_step, 2.0) != 0.0) m_step += 1.0;
    const double shownStep = m_step * m_factor;
    m_decimals = m_whole ? 0 : decimalsFor(shownStep, shownStep * 0.01, 0);
}

void NumberScale::setSliderRange(double from, double to) {
    m_from = std::clamp(from, m_min, m_max);
    m_to = std::clamp(to, m_min, m_max);
    if (m_from < m_to) return;
    m_from = m_min;
    m_to = m_max;
}

double NumberScale::position(double value) const {
    if (!(m_to > m_from)) return 0.0;
    const double inside = std::clamp(value, m_from, m_to);
    return m_log ? std::log(inside / m_from) / std::log(m_to / m_from)
                 : (inside - m_from) / (m_to - m_from);
}

double NumberScale::valueAt(double position) const {
    const double t = std::clamp(position, 0.0, 1.0);
    // The ends can be reached even where they are no multiples of the step.
    if (t <= 0.0) return clamped(m_from);
    if (t >= 1.0) return clamped(m_to);
    if (m_log) {
        return clamped(roundToSignificant(m_from * std::pow(m_to / m_from, t) * m_factor, 3) /
                       m_factor);
    }
    const double value = m_from + t * (m_to - m_from);
    return clamped(std::round(value / m_step) * m_step);
}

double NumberScale::stepped(double value, double steps, bool fine) const {
    const double amount = fine ? steps / 10.0 : steps;
    if (m_log && !m_whole) {
        const double moved = value * std::pow(m_to / m_from, amount / kLogSteps);
        return clamped(roundToSignificant(moved * m_factor, fine ? 5 : 4) / m_factor);
    }
    double length = fine ? m_step / 10.0 : m_step;
    if (m_whole) length = std::max(m_odd ? 2.0 : 1.0, std::round(length));
    const double moved = value + steps * length;
    // Removes rounding errors of repeated additions.
    return clamped(m_whole ? moved : std::round(moved / (m_step / 100.0)) * (m_step / 100.0));
}

double NumberScale::clamped(double value) const {
    if (std::isnan(value)) return m_min;
    double inside = std::clamp(value, m_min, m_max);
    if (!m_whole) return inside;
    if (!m_odd) return std::clamp(std::round(inside), std::ceil(m_min), std::floor(m_max));
    inside = 2.0 * std::floor(inside / 2.0) + 1.0;
    if (inside > m_max) inside -= 2.0;
    if (inside < m_min) inside += 2.0;
    return inside;
}

QString NumberScale::digits(double shown, int decimals) const {
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    const QString text = locale.toString(shown == 0.0 ? 0.0 : shown, 'f', decimals);
    return text.startsWith('-') ? QChar(0x2212) + text.mid(1) : text;
}

QString NumberScale::text(double value) const {
    const double shown = value * m_factor;
    if (m_whole) return digits(shown, decimalsFor(shown, 1e-9 * std::abs(shown), 0));
    if (m_log && shown != 0.0) {
        const int before = static_cast<int>(std::floor(std::log10(std::abs(shown))));
        const int significant = std::clamp(2 - before, 0, kMaxDecimals);
        return digits(shown, decimalsFor(shown, std::abs(shown) * 1e-5, significant));
    }
    const double tolerance = m_step * m_factor * 1e-4;
    return digits(shown, decimalsFor(shown, tolerance, m_decimals));
}

NumberScale::Taken NumberScale::take(const QString& typed, const QString& kept) const {
    const Quantity given = read(typed);
    if (!given.value) {
        return {std::nullopt,
                QString("\"%1\" was not taken: %2; %3.")
                    .arg(typed.trimmed(), QString::fromStdString(given.problem), kept)};
    }
    const double allowed = clamped(*given.value);
    if (text(allowed) == text(*given.value)) return {allowed, {}};
    return {allowed, QString("%1 was set to %2: the range is %3.")
                         .arg(textWithUnit(*given.value), textWithUnit(allowed), rangeText())};
}

QString NumberScale::textWithUnit(double value) const {
    return m_unit.isEmpty() ? text(value) : text(value) + ' ' + m_unit;
}

QString NumberScale::rangeText() const {
    const QString range = text(m_min) + " to " + text(m_max);
    return (m_unit.isEmpty() ? range : range + ' ' + m_unit) + (m_odd ? ", odd" : "");
}

ParamValue NumberScale::toParam(double value) const {
    if (m_whole) return static_cast<std::int64_t>(std::llround(value));
    return value;
}

double numberOf(const ParamValue& value) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return 0.0;
}

} // namespace echolux
