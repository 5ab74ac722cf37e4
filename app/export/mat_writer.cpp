// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB 7.3: HDF5 behind a block of 512 bytes, extents reversed, each variable with its class.
#include "app/export/facts.hpp"
#include "app/export/hdf5_output.hpp"
#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>

namespace echolux {
namespace {

constexpr hsize_t kUserBlock = 512;

/// 116 characters, 8 bytes of nothing, version 2.0, byte order.
std::string userBlock(const std::string& program) {
    std::string head = "MATLAB 7.3 MAT-file, written by " + program + ", HDF5 schema 1.00 .";
    head.resize(116, ' ');
    head.append(8, '\0');
    head += std::string("\x00\x02IM", 4);
    head.resize(kUserBlock, '\0');
    return head;
}

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

/// MATLAB's index order, first index fastest, as the order of our axes from slowest to fastest:
/// signals sample x channel x transmit, images depth x lateral x elevation, others as we count.
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
          m_type(plainType(subject.frame)), m_file(hdf5::createFile(files.partial(), kUserBlock)) {
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
        for (const NamedNumbers& each : facts.numbers) put(each);
        for (const NamedText& each : facts.texts) put(each);
        put(NamedText{"size_of", matlabOrder()});
    }
    void add(std::span<const std::byte> frame) override {
        const std::vector<std::byte> samples = plainSamples(m_subject.frame, frame);
        m_rows.append(permuted(samples, m_extents, m_order, bytesOf(m_type, 1)).data());
    }
    void finish() override {
        if (!m_rows.close()) m_files.refuse();
        hdf5::closeFile(m_file);
        std::fstream head(m_files.partial(), std::ios::binary | std::ios::in | std::ios::out);
        const std::string block = userBlock(m_subject.program);
        head.write(block.data(), static_cast<std::streamsize>(block.size()));
        head.close();
        if (!head) m_files.refuse();
    }

private:
    /// "depth x lateral x frame", as MATLAB's size() tells them.
    std::string matlabOrder() const {
        std::string text;
        for (auto axis = m_order.rbegin(); axis != m_order.rend(); ++axis)
            text += fmt::format("{}{}", text.empty() ? "" : " x ",
                                nameOf(m_subject.frame.axes[*axis].name));
        return m_subject.frames > 1 ? text + " x frame" : text;
    }
    void put(const NamedNumbers& array) {
        std::vector<double> values = array.values;
        std::vector<hsize_t> extent{1, 1};
        if (array.extent.size() == 1) extent[1] = static_cast<hsize_t>(array.extent[0]);
        if (array.extent.size() == 2) {
            extent = {static_cast<hsize_t>(array.extent[1]), static_cast<hsize_t>(array.extent[0])};
            const auto rows = static_cast<std::size_t>(array.extent[0]);
            const auto columns = static_cast<std::size_t>(array.extent[1]);
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < columns; ++c)
                    values[c * rows + r] = array.values[r * columns + c];
        }
        const Hdf5Handle dataset =
            hdf5::writeNumbers(m_file.get(), array.name, extent, H5T_IEEE_F64LE, values);
        hdf5::writeFixedText(dataset.get(), "MATLAB_class", "double");
    }
    void put(const NamedText& text) {
        const bool empty = text.text.empty();
        std::vector<double> codes;
        for (const char c : text.text) codes.push_back(static_cast<unsigned char>(c));
        if (empty) codes = {0.0, 0.0}; // the extent of an empty one
        const std::vector<hsize_t> extent =
            empty ? std::vector<hsize_t>{2} : std::vector<hsize_t>{text.text.size(), 1};
        const Hdf5Handle dataset = hdf5::writeNumbers(m_file.get(), text.name, extent,
                                                      empty ? H5T_STD_U64LE : H5T_STD_U16LE,
                                                      std::span<const double>(codes));
        hdf5::writeFixedText(dataset.get(), "MATLAB_class", "char");
        const int code = 2;
        const Hdf5Handle space(H5Screate(H5S_SCALAR));
        const auto attribute = [&](const char* name, hid_t stored, int value) {
            const Hdf5Handle made(hdf5::require(
                H5Acreate2(dataset.get(), name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                "making an attribute"));
            hdf5::require(H5Awrite(made.get(), H5T_NATIVE_INT, &value), "writing an attribute");
        };
        attribute("MATLAB_int_decode", H5T_STD_I32LE, code);
        if (empty) attribute("MATLAB_empty", H5T_STD_U8LE, 1);
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
