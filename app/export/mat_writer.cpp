// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB 7.3: sizes in reverse order, and each variable with its class.
#include "app/export/facts.hpp"
#include "app/export/hdf5_output.hpp"
#include "app/export/matlab_output.hpp"
#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace echolux {
namespace {

struct MatType {
    const char* name;
    hid_t stored;
    hid_t memory;
};
MatType matType(DType type) {
    switch (type) {
    case DType::U8: return {"uint8", H5T_STD_U8LE, H5T_NATIVE_UINT8};
    case DType::I16: return {"int16", H5T_STD_I16LE, H5T_NATIVE_INT16};
    case DType::U16: return {"uint16", H5T_STD_U16LE, H5T_NATIVE_UINT16};
    case DType::Packed12:
    case DType::F32:
    case DType::ComplexI16:
    case DType::ComplexF32: break;
    }
    return {"single", H5T_IEEE_F32LE, H5T_NATIVE_FLOAT};
}

/// Our axes in an order that gives MATLAB's index order, in which the first index is fastest:
/// signals sample x channel x transmit, images depth x lateral x elevation, others unchanged.
std::vector<std::size_t> storedOrder(const ExportSubject& subject) {
    const std::vector<Axis>& axes = subject.frame.axes;
    std::vector<std::size_t> order(axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (axes.back().name == AxisName::Sample) return order;
    if (!subject.isImage()) {
        std::ranges::reverse(order);
        return order;
    }
    std::vector<std::size_t> chosen;
    for (const AxisName name : {AxisName::Elevation, AxisName::Lateral, AxisName::Depth})
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i].name == name) chosen.push_back(i);
    return chosen;
}

class MatWriter : public FrameWriter {
public:
    MatWriter(const ExportSubject& subject, OutputFiles& files)
        : m_subject(subject), m_files(files), m_order(storedOrder(subject)),
          m_type(plainType(subject.frame)), m_file(matlab::createFile(files)) {
        for (const Axis& axis : subject.frame.axes) m_extents.push_back(axis.size);
        const ExportFacts facts = factsOf(subject);
        std::vector<hsize_t> extent;
        if (subject.frames > 1) extent.push_back(static_cast<hsize_t>(subject.frames));
        for (const std::size_t axis : m_order)
            extent.push_back(static_cast<hsize_t>(m_extents[axis]));
        if (extent.size() == 1) extent.insert(extent.begin(), 1);
        const MatType type = matType(m_type);
        const bool pairs = isComplex(m_type);
        m_rows = hdf5::FrameRows(
            m_file.get(), facts.data,
            pairs ? hdf5::pairType(type.stored, "real", "imag") : hdf5::copied(type.stored),
            pairs ? hdf5::pairType(type.memory, "real", "imag") : hdf5::copied(type.memory), extent,
            subject.frames == 1);
        hdf5::writeFixedText(m_rows.get(), "MATLAB_class", type.name);
        for (const NumberFact& each : facts.numbers) matlab::put(m_file.get(), each);
        for (const TextFact& each : facts.texts) matlab::put(m_file.get(), each);
        matlab::put(m_file.get(), TextFact{"size_of", matlabOrder()});
    }
    void add(std::span<const std::byte> frame) override {
        const std::vector<std::byte> samples = plainSamples(m_subject.frame, frame);
        m_rows.append(permuted(samples, m_extents, m_order, bytesOf(m_type, 1)).data());
    }
    void finish() override {
        if (!m_rows.close()) m_files.refuse();
        matlab::finish(m_file, m_files, m_subject.program);
    }

private:
    /// A text such as "depth x lateral x frame", in the order of MATLAB's size().
    std::string matlabOrder() const {
        std::string text;
        for (auto axis = m_order.rbegin(); axis != m_order.rend(); ++axis)
            text += fmt::format("{}{}", text.empty() ? "" : " x ",
                                nameOf(m_subject.frame.axes[*axis].name));
        return m_subject.frames > 1 ? text + " x frame" : text;
    }

    ExportSubject m_subject;
    OutputFiles& m_files;
    std::vector<std::size_t> m_order;
    std::vector<std::int64_t> m_extents;
    DType m_type;
    Hdf5Handle m_file;
    hdf5::FrameRows m_rows;
};

} // namespace

std::unique_ptr<FrameWriter> makeMatWriter(const ExportSubject& subject, OutputFiles& files) {
    return std::make_unique<MatWriter>(subject, files);
}

} // namespace echolux
