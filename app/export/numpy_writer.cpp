// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy: .npy with a JSON file of its axes beside it, and .npz with arrays of all facts.
#include "app/dataset/carried/npz_carried.hpp"
#include "app/dataset/container/npy_writer.hpp"
#include "app/export/facts.hpp"
#include "app/export/npz_archive.hpp"
#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <optional>

namespace echolux {
namespace {

std::string_view numpyName(DType type) {
    switch (type) {
    case DType::U8: return "|u1";
    case DType::I16: return "<i2";
    case DType::U16: return "<u2";
    case DType::ComplexI16:
    case DType::ComplexF32: return "<c8";
    case DType::Packed12:
    case DType::F32: break;
    }
    return "<f4";
}

/// The header for frames in one array, with an axis for several frames.
std::string headOf(const ExportSubject& subject) {
    std::vector<std::int64_t> shape;
    if (subject.frames > 1) shape.push_back(subject.frames);
    for (const Axis& axis : subject.frame.axes) shape.push_back(axis.size);
    return npyHeader(numpyName(plainType(subject.frame)), shape);
}

std::string besideOf(const ExportSubject& subject) {
    FrameSpec spec = subject.frame;
    spec.dtype = plainType(subject.frame);
    const double rate = subject.frameRateHz;
    if (subject.frames > 1)
        spec.axes.insert(spec.axes.begin(),
                         {AxisName::Frame, subject.frames, rate > 0.0 ? 1.0 / rate : 1.0, 0.0,
                          rate > 0.0 ? "s" : ""});
    nlohmann::ordered_json root = axesAsJson(spec);
    for (const NumberFact& each : stampFacts(subject)) root["frames"][each.name] = each.values;
    root["content"] = contentOf(subject);
    root["description"] = descriptionOf(subject);
    return root.dump(2) + '\n';
}

class NpyWriter : public FrameWriter {
public:
    NpyWriter(const ExportSubject& subject, OutputFiles& files)
        : m_subject(subject), m_beside(files, files.beside(".json")),
          m_file(files, files.partial()) {
        m_file.write(headOf(subject));
    }
    void add(std::span<const std::byte> frame) override {
        m_file.write(plainSamples(m_subject.frame, frame));
    }
    void finish() override {
        m_file.close();
        m_beside.write(besideOf(m_subject));
        m_beside.close();
    }

private:
    ExportSubject m_subject;
    ByteWriter m_beside;
    ByteWriter m_file;
};

/// Writes the frames to a file of their own first, then puts them together with the facts.
class NpzWriter : public FrameWriter {
public:
    NpzWriter(const ExportSubject& subject, OutputFiles& files)
        : m_subject(subject), m_files(files), m_scratch(files.scratch()),
          m_frames(files, m_scratch) {
        m_frames.write(headOf(subject));
    }
    void add(std::span<const std::byte> frame) override {
        m_frames.write(plainSamples(m_subject.frame, frame));
    }
    void finish() override {
        m_frames.close();
        const ExportFacts facts = factsOf(m_subject);
        NpzArchive archive(m_files);
        archive.putFile(facts.data, m_scratch);
        for (const NumberFact& each : facts.numbers) archive.put(each.name, npyOf(each));
        for (const TextFact& each : facts.texts) archive.put(each.name, npyOf(each));
        if (m_subject.carried.family == kNpzFamily)
            for (const CarriedFact& each : m_subject.carried.facts)
                archive.put(each.name, carriedNpy(each));
        archive.finish();
    }

private:
    static std::string carriedNpy(const CarriedFact& fact) {
        std::string bytes = npyHeader(nameOf(fact.layout.type), fact.layout.shape);
        bytes.append(reinterpret_cast<const char*>(fact.numbers.data()), fact.numbers.size());
        return bytes;
    }

    ExportSubject m_subject;
    OutputFiles& m_files;
    std::filesystem::path m_scratch;
    ByteWriter m_frames;
};

} // namespace

std::unique_ptr<FrameWriter> makeNpyWriter(const ExportSubject& subject, OutputFiles& files) {
    return std::make_unique<NpyWriter>(subject, files);
}

std::unique_ptr<FrameWriter> makeNpzWriter(const ExportSubject& subject, OutputFiles& files) {
    return std::make_unique<NpzWriter>(subject, files);
}

} // namespace echolux
