// SPDX-License-Identifier: GPL-3.0-or-later
// PNG: colours as on screen, or 16 bit grey.
#include "app/export/facts.hpp"
#include "app/export/picture.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/error.hpp"

#include <QImageWriter>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

/// One pixel per sample, not stretched. The header states the distance of pixels.
QImage greyPicture(const HostFrameData& image, const ExportLook& look, const ValueRange& range) {
    const Axis& rows = image.spec.axes[0];
    const Axis& columns = image.spec.axes[1];
    sideOf({rows.name, rows.size, 1.0, 0.0, ""}, 1.0);
    sideOf({columns.name, columns.size, 1.0, 0.0, ""}, 1.0);
    QImage picture(static_cast<int>(columns.size), static_cast<int>(rows.size),
                   QImage::Format_Grayscale16);
    const auto* values = reinterpret_cast<const float*>(image.bytes.data());
    for (std::int64_t row = 0; row < rows.size; ++row) {
        auto* line = reinterpret_cast<quint16*>(picture.scanLine(static_cast<int>(row)));
        for (std::int64_t column = 0; column < columns.size; ++column)
            line[column] = greyOf(values[row * columns.size + column], look, range);
    }
    if (rows.unit == "m" && columns.unit == "m") {
        const auto perMetre = [](const Axis& axis) {
            return static_cast<int>(std::clamp(1.0 / axis.spacing, 1.0, 2e9));
        };
        picture.setDotsPerMeterX(perMetre(columns));
        picture.setDotsPerMeterY(perMetre(rows));
    }
    return picture;
}

class PictureWriter : public FrameWriter {
public:
    PictureWriter(const ExportSubject& subject, OutputFiles& files)
        : m_subject(subject), m_files(files), m_maker(subject.frame, subject.look) {}
    void add(std::span<const std::byte> frame) override {
        const HostFrameData image = m_maker.imageOf(frame);
        const ValueRange range = m_maker.rangeFor(image);
        const QImage picture = m_subject.look.depthBits == 16
                                   ? greyPicture(image, m_subject.look, range)
                                   : m_maker.draw(frame);
        QImageWriter writer(QString::fromStdString(m_files.partial().string()), "png");
        writer.setText("Description", QString::fromStdString(levelsOf(range)));
        writer.setText("Comment", QString::fromStdString(descriptionOf(m_subject)));
        if (!writer.write(picture)) m_files.refuse(writer.errorString().toStdString());
    }
    void finish() override {}

private:
    ExportSubject m_subject;
    OutputFiles& m_files;
    PictureMaker m_maker;
};

} // namespace

std::unique_ptr<FrameWriter> makePictureWriter(const ExportSubject& subject, OutputFiles& files) {
    if (subject.look.depthBits == 32)
        refuseContent(files, subject, "a PNG has 8 or 16 bits; a TIFF has 32 too");
    const std::string remark = PictureMaker(subject.frame, subject.look).remark();
    if (!remark.empty() && subject.remarks != nullptr) subject.remarks->push_back(remark);
    return std::make_unique<PictureWriter>(subject, files);
}

} // namespace echolux
