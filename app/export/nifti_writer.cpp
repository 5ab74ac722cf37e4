// SPDX-License-Identifier: GPL-3.0-or-later
// NIfTI-1: a header of 348 bytes, 4 more bytes, samples. Millimetres and seconds. sform and qform
// give the same positions: those of the pose, else those of the axes, and the description says so.
// A pose whose axes are not perpendicular has no qform.
#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/export/facts.hpp"
#include "app/export/volume_grid.hpp"
#include "gpu/core/posed.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace echolux {
namespace {

constexpr std::size_t kHeadBytes = 348;
constexpr std::size_t kDataOffset = 352;

/// Byte places as in nifti1.h.
class NiftiHead {
public:
    NiftiHead() : m_bytes(kDataOffset, '\0') {}
    template <class T> void put(std::size_t at, T value) {
        std::memcpy(m_bytes.data() + at, &value, sizeof(T));
    }
    void text(std::size_t at, std::size_t room, const std::string& words) {
        std::memcpy(m_bytes.data() + at, words.data(), std::min(words.size(), room - 1));
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

std::pair<std::int16_t, std::int16_t> niftiType(DType type) {
    switch (type) {
    case DType::U8: return {2, 8};
    case DType::I16: return {4, 16};
    case DType::U16: return {512, 16};
    case DType::ComplexI16:
    case DType::ComplexF32: return {32, 64};
    default: return {16, 32};
    }
}

/// The rotation as a quaternion's last three parts, and the sign by which the third axis counts.
struct NiftiTurn {
    std::array<double, 3> parts{};
    double handed = 1.0;
};

NiftiTurn niftiTurnOf(const GridPlace& place) {
    Pose pose;
    for (std::size_t i = 0; i < 3; ++i) {
        const GridPlace::Vector& step = place.steps[i];
        const double length = std::hypot(step[0], step[1], step[2]);
        pose.along[i] = {step[0] / length, step[1] / length, step[2] / length};
    }
    const double handed = isLeftHanded(pose) ? -1.0 : 1.0;
    Point& third = pose.along[2];
    third = {handed * third.x, handed * third.y, handed * third.z};
    const std::array<double, 4> quaternion = quaternionOf(pose.along);
    return {{quaternion[1], quaternion[2], quaternion[3]}, handed};
}

void remarkOnSpace(const ExportSubject& subject, const GridPlace& place) {
    if (!place.isPosed() || place.space == Pose().space || subject.remarks == nullptr) return;
    subject.remarks->push_back("NIfTI cannot name the space '" + place.space +
                               "'; other software will take it for the patient's.");
}

std::string niftiHead(const ExportSubject& subject, const VolumeGrid& volume) {
    NiftiHead head;
    head.put<std::int32_t>(0, kHeadBytes);
    const std::array axes{&volume.grid.lateral, &volume.grid.depth, &volume.grid.elevation};
    head.put<std::int16_t>(40, volume.volumes > 1 ? 4 : 3);
    for (std::size_t i = 0; i < 7; ++i) head.put<std::int16_t>(42 + 2 * i, 1);
    const GridPlace place = placeOf(volume, subject.frame).inRas();
    const NiftiTurn turn = niftiTurnOf(place);
    head.put(76, static_cast<float>(turn.handed));
    constexpr std::size_t kRows = 280; // of the affine map from indices to positions
    for (std::size_t i = 0; i < 3; ++i) {
        const auto first = static_cast<float>(place.first[i]);
        head.put(42 + 2 * i, static_cast<std::int16_t>(axes[i]->size));
        head.put(80 + 4 * i, static_cast<float>(axes[i]->spacing));
        head.put(256 + 4 * i, static_cast<float>(turn.parts[i]));
        head.put(268 + 4 * i, first);
        for (std::size_t row = 0; row < 3; ++row)
            head.put(kRows + 16 * row + 4 * i, static_cast<float>(place.steps[i][row]));
        head.put(kRows + 16 * i + 12, first);
    }
    head.put(48, static_cast<std::int16_t>(volume.volumes));
    if (subject.frameRateHz > 0.0) {
        const auto each = static_cast<double>(subject.frames) / static_cast<double>(volume.volumes);
        head.put(92, static_cast<float>(each / subject.frameRateHz));
    }
    const auto [type, bits] = niftiType(volume.type);
    head.put(70, type);
    head.put(72, bits);
    head.put<float>(108, kDataOffset);
    head.put<float>(112, 1.0F);
    constexpr char kMillimetresSeconds = 2 | 8;
    head.put<char>(123, volume.inMillimetres() ? kMillimetresSeconds : 8);
    if (const auto& range = subject.frame.valueRange) {
        head.put(124, static_cast<float>(range->max));
        head.put(128, static_cast<float>(range->min));
    }
    head.text(148, 80,
              subject.program + ": " + contentOf(subject) +
                  std::string(place.isPosed() ? std::string_view() : kNoPose));
    head.put<std::int16_t>(252, place.isSquare ? 1 : 0);
    head.put<std::int16_t>(254, 1);
    head.text(328, 16, "echolux " + contentOf(subject));
    head.text(344, 4, "n+1");
    return head.bytes();
}

class NiftiWriter : public FrameWriter {
public:
    NiftiWriter(const ExportSubject& subject, OutputFiles& files)
        : m_frame(subject.frame), m_plain(subject.frame), m_files(files) {
        const VolumeGrid volume(subject);
        for (const std::int64_t size : {volume.grid.lateral.size, volume.grid.depth.size,
                                        volume.grid.elevation.size, volume.volumes}) {
            if (size > std::numeric_limits<std::int16_t>::max())
                refuseContent(files, subject, "NIfTI counts to 32767 along an axis");
        }
        remarkOnScale(subject, volume);
        remarkOnSpace(subject, placeOf(volume, subject.frame));
        m_plain.dtype = volume.type;
        const std::string name = files.target().string();
        const bool packed = name.ends_with('z') || name.ends_with('Z');
        // "T" writes without compression. Deflate's level five is nearly as small as level nine.
        m_file = gzopen(files.partial().c_str(), packed ? "wb5" : "wbT");
        if (m_file == nullptr) files.refuse();
        write(niftiHead(subject, volume));
    }
    ~NiftiWriter() override {
        if (m_file != nullptr) gzclose(m_file);
    }
    void add(std::span<const std::byte> frame) override {
        const std::vector<std::byte> rows = rowsOf(m_plain, plainSamples(m_frame, frame));
        write({reinterpret_cast<const char*>(rows.data()), rows.size()});
    }
    void finish() override {
        if (gzclose(std::exchange(m_file, nullptr)) != Z_OK) m_files.refuse();
    }

private:
    void write(std::string_view bytes) {
        if (gzfwrite(bytes.data(), 1, bytes.size(), m_file) != bytes.size()) m_files.refuse();
    }

    FrameSpec m_frame;
    FrameSpec m_plain; ///< with the written sample type
    OutputFiles& m_files;
    gzFile m_file = nullptr;
};

} // namespace

std::unique_ptr<FrameWriter> makeNiftiWriter(const ExportSubject& subject, OutputFiles& files) {
    checkVolume(subject, files, "A NIfTI file");
    if (ImageGrid(subject.frame).lateral.unit == "deg")
        refuseContent(files, subject,
                      "NIfTI holds images in millimetres, not in beam space (add scan_conversion)");
    return std::make_unique<NiftiWriter>(subject, files);
}

} // namespace echolux
