// SPDX-License-Identifier: GPL-3.0-or-later
// CSV: one column of the image over depth. Each frame becomes a column of text.
#include "app/export/facts.hpp"
#include "app/export/picture.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/error.hpp"
#include "render/view/screen_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

class CurveWriter : public FrameWriter {
public:
    CurveWriter(const ExportSubject& subject, OutputFiles& files)
        : m_subject(subject), m_files(files), m_maker(subject.frame, subject.look) {
        m_image.spec = subject.frame;
        if (m_image.spec.axes.size() == 3) m_image.spec.axes.erase(m_image.spec.axes.begin());
        if (drawnTransposed(m_image.spec)) std::swap(m_image.spec.axes[0], m_image.spec.axes[1]);
        m_column = columnOf(m_image.spec.axes[1]);
    }
    void add(std::span<const std::byte> frame) override {
        const HostFrameData image = m_maker.imageOf(frame);
        const auto* values = reinterpret_cast<const float*>(image.bytes.data());
        const Axis& rows = image.spec.axes[0];
        std::vector<float> curve;
        for (std::int64_t row = 0; row < rows.size; ++row)
            curve.push_back(values[row * image.spec.axes[1].size + m_column]);
        m_curves.push_back(std::move(curve));
    }
    void finish() override {
        const Axis& rows = m_image.spec.axes[0];
        const auto [name, scale] = unitOf(rows);
        const std::string unit =
            m_subject.frame.valueRange ? m_subject.frame.valueRange->unit : std::string();
        const std::string value = unit.empty() ? "value" : "value_" + unit;
        ByteWriter file(m_files, m_files.partial());
        std::string head = name;
        for (std::size_t i = 0; i < m_curves.size(); ++i) {
            head += m_curves.size() == 1
                        ? "," + value
                        : fmt::format(",{}_frame_{}", value,
                                      m_subject.firstFrame + 1 + static_cast<std::int64_t>(i));
        }
        file.write(head + "\n");
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows.size); ++row) {
            std::string line = fmt::format(
                "{:.9g}", scale * (rows.origin + static_cast<double>(row) * rows.spacing));
            for (const std::vector<float>& curve : m_curves)
                line += std::isfinite(curve[row]) ? fmt::format(",{:.9g}", curve[row]) : ",nan";
            file.write(line + "\n");
        }
        file.close();
    }
    /// The position of the column in words.
    std::string place() const {
        const Axis& columns = m_image.spec.axes[1];
        const auto [name, scale] = unitOf(columns);
        return fmt::format(
            "The curve is column {} of {}, {} = {:.4g}.", m_column + 1, columns.size, name,
            scale * (columns.origin + static_cast<double>(m_column) * columns.spacing));
    }

private:
    static std::pair<std::string, double> unitOf(const Axis& axis) {
        const std::string name(nameOf(axis.name));
        if (axis.unit == "m") return {name + "_mm", 1e3};
        if (axis.unit == "s") return {name + "_us", 1e6};
        return {axis.unit.empty() ? name : name + "_" + axis.unit, 1.0};
    }
    std::int64_t columnOf(const Axis& columns) const {
        if (!m_subject.columnM) return columns.size / 2;
        const double at = (*m_subject.columnM - columns.origin) / columns.spacing;
        if (columns.unit != "m")
            throw Error(fmt::format("Nobody says how far the columns of {} are apart, so that "
                                    "none lies at {:g} mm; leave the column out.",
                                    m_subject.frame.describe(), 1e3 * *m_subject.columnM));
        if (at < -0.5 || at > static_cast<double>(columns.size) - 0.5) {
            throw Error(fmt::format(
                "No column lies at {:g} mm; the image reaches from {:.4g} to {:.4g} mm.",
                1e3 * *m_subject.columnM, 1e3 * columns.origin,
                1e3 * (columns.origin + static_cast<double>(columns.size - 1) * columns.spacing)));
        }
        return std::clamp<std::int64_t>(std::llround(at), 0, columns.size - 1);
    }

    ExportSubject m_subject;
    OutputFiles& m_files;
    PictureMaker m_maker;
    HostFrameData m_image; ///< its axes only
    std::int64_t m_column = 0;
    std::vector<std::vector<float>> m_curves;
};

} // namespace

std::unique_ptr<FrameWriter> makeCurveWriter(const ExportSubject& subject, OutputFiles& files) {
    auto writer = std::make_unique<CurveWriter>(subject, files);
    if (subject.remarks != nullptr) subject.remarks->push_back(writer->place());
    return writer;
}

} // namespace echolux
