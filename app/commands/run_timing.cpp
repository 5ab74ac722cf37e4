// SPDX-License-Identifier: GPL-3.0-or-later
// Prints columns of times as a table, as CSV or as JSON.
#include "app/commands/run_timing.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace echolux {
namespace {

/// RFC 4180: a field with a comma or a quote stands in quotes, and quotes inside it are doubled.
std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string field = "\"";
    for (const char c : text) {
        if (c == '"') field += '"';
        field += c;
    }
    return field + '"';
}

} // namespace

StepTimes summaryOf(std::vector<double> milliseconds) {
    if (milliseconds.empty()) return {};
    StepTimes times;
    times.last = milliseconds.back();
    if (milliseconds.size() > 1) milliseconds.erase(milliseconds.begin());
    const auto count = static_cast<double>(milliseconds.size());
    times.mean = std::accumulate(milliseconds.begin(), milliseconds.end(), 0.0) / count;
    times.percentile99 = percentileOf(milliseconds, 0.99);
    return times;
}

RunTiming::RunTiming(const Runner& runner) {
    m_names.emplace_back("upload");
    m_heldBytes.push_back(0);
    for (const Step& step : runner.steps()) {
        m_names.push_back(step.label(*runner.snapshot()));
        m_heldBytes.push_back(step.heldBytes);
        if (!step.notFused.empty())
            m_remarks += fmt::format("Not fused from {} on: {}.\n", m_names.back(), step.notFused);
        if (!step.untuned.empty())
            m_remarks +=
                fmt::format("Not tuned for the GPU, {}: {}.\n", m_names.back(), step.untuned);
    }
    m_names.emplace_back("total");
    m_heldBytes.push_back(std::reduce(m_heldBytes.begin(), m_heldBytes.end()));
    m_columns.resize(m_names.size());
}

void RunTiming::add(const FrameTiming& timing) {
    m_columns.front().push_back(timing.uploadMs);
    for (std::size_t i = 0; i < timing.stepMs.size(); ++i)
        m_columns[i + 1].push_back(timing.stepMs[i]);
    m_columns.back().push_back(timing.totalMs);
}

std::string RunTiming::table() const {
    std::size_t width = 0;
    for (const std::string& name : m_names) width = std::max(width, name.size());
    std::string text = fmt::format("{:{}}  {:>9}  {:>9}  {:>9}  {:>11}\n", "ms", width, "last",
                                   "mean", "99 %", "tables (MB)");
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        const StepTimes times = summaryOf(m_columns[i]);
        text += fmt::format("{:{}}  {:9.4f}  {:9.4f}  {:9.4f}  {:11.3f}\n", m_names[i], width,
                            times.last, times.mean, times.percentile99,
                            1e-6 * static_cast<double>(m_heldBytes[i]));
    }
    return text + m_remarks;
}

std::string RunTiming::csv() const {
    std::string text = "frame";
    for (const std::string& name : m_names) text += ',' + csvField(name);
    text += '\n';
    for (std::size_t frame = 0; frame < m_columns.front().size(); ++frame) {
        text += fmt::format("{}", frame + 1);
        for (const std::vector<double>& column : m_columns)
            text += fmt::format(",{:.6f}", column[frame]);
        text += '\n';
    }
    return text;
}

std::string RunTiming::json() const {
    nlohmann::ordered_json report;
    report["unit"] = "ms";
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        const StepTimes times = summaryOf(m_columns[i]);
        report["steps"].push_back({{"name", m_names[i]},
                                   {"last", times.last},
                                   {"mean", times.mean},
                                   {"percentile_99", times.percentile99},
                                   {"held_bytes", m_heldBytes[i]},
                                   {"frames", m_columns[i]}});
    }
    return report.dump(1) + "\n";
}

} // namespace echolux
