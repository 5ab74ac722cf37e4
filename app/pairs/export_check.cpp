// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what is exported opens again as what it was.
#include "app/export/export.hpp"
#include "app/pairs/findings.hpp"
#include "app/pairs/images.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace echolux::pairs {
namespace {

constexpr std::string_view kRecorded = "recording";

/// Endings whose values no reader gives back: pictures for people, curves, sounds, and arrays that
/// are described beside the file in another form than a sidecar.
bool isForPeople(std::string_view ending) {
    constexpr std::array<std::string_view, 7> kThose{".png", ".gif", ".mp4", ".webm",
                                                     ".csv", ".wav", ".npy"};
    return std::ranges::find(kThose, ending) != kThose.end();
}

std::filesystem::path targetOf(const Task& task, const std::string& ending, const char* what) {
    return task.file(Scene::Points).parent_path() /
           fmt::format("{}_{}_{}_{}{}", what, task.acquired.array->name,
                       task.acquired.transmit->name, nameOf(task.acquired.signal), ending);
}

/// Writes the first frame.
std::filesystem::path exported(const Task& task, const std::string& ending, const char* what,
                               std::string_view output, const PipelineConfig& pipeline) {
    ExportRequest request{.file = task.file(Scene::Points),
                          .pipeline = pipeline,
                          .frames = ExportFrames{0, 0},
                          .outputOf = std::string(output),
                          .target = targetOf(task, ending, what),
                          .replace = true,
                          .backend = task.backend};
    if (ending.starts_with(".tif")) request.look.depthBits = 32; // the values themselves
    exportRecording(request);
    return request.target;
}

/// Removes the file when it goes.
class ExportedFile {
public:
    explicit ExportedFile(std::filesystem::path path) : m_path(std::move(path)) {}
    ~ExportedFile() {
        std::error_code none;
        std::filesystem::remove(m_path, none);
        std::filesystem::remove(std::filesystem::path(m_path).replace_extension(".json"), none);
    }
    ExportedFile(const ExportedFile&) = delete;
    ExportedFile& operator=(const ExportedFile&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// Physical values of the first frame.
std::vector<double> valuesOf(Recording& recording) {
    const FrameSpec& frame = recording.info().frame;
    std::vector<std::byte> bytes(frame.bytes());
    recording.readFrame(0, bytes);
    const auto of = [&](auto zero) {
        using T = decltype(zero);
        std::vector<double> values;
        for (const T code :
             std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)))
            values.push_back((static_cast<double>(code) - frame.codeOffset) * frame.codeScale);
        return values;
    };
    switch (frame.dtype) {
    case DType::U8: return of(std::uint8_t{});
    case DType::U16: return of(std::uint16_t{});
    case DType::I16:
    case DType::ComplexI16: return of(std::int16_t{});
    default: return of(float{});
    }
}

/// Compares levels in dB above -50 dB, and where there is no value.
void compareLevels(const std::vector<double>& got, const std::vector<float>& expected,
                   double tolerableDb, Findings& found) {
    constexpr double kComparedAboveDb = -50.0;
    if (got.size() != expected.size()) {
        found.wrong.push_back(
            fmt::format("{} values come back of {}", got.size(), expected.size()));
        return;
    }
    double worst = 0.0;
    std::size_t gaps = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool isGap = !std::isfinite(got[i]); // zea has -inf where there is no data
        if (std::isfinite(expected[i]) == isGap) ++gaps;
        if (isGap || !(expected[i] >= kComparedAboveDb)) continue;
        worst = std::max(worst, std::abs(got[i] - expected[i]));
    }
    found.add("difference", worst, "dB");
    found.expect(worst <= tolerableDb, fmt::format("values come back {:.3g} dB off", worst));
    found.expect(gaps == 0, fmt::format("{} pixels have a value on one side alone", gaps));
}

void compareAxes(const FrameSpec& got, const FrameSpec& expected, Findings& found) {
    for (const Axis& axis : expected.axes) {
        const Axis* other = got.find(axis.name);
        if (other == nullptr || other->size != axis.size || other->unit != axis.unit) {
            found.wrong.push_back(
                fmt::format("{} comes back as {}", expected.describe(), got.describe()));
            return;
        }
        constexpr double kTolerableM = 1e-6;
        const double span = static_cast<double>(axis.size - 1);
        found.expect(std::abs(other->origin - axis.origin) <= kTolerableM &&
                         std::abs(other->spacing - axis.spacing) * span <= kTolerableM,
                     fmt::format("the {} axis comes back from {:.3f} mm in steps of {:.4f} mm in "
                                 "place of {:.3f} and {:.4f}",
                                 nameOf(axis.name), 1e3 * other->origin, 1e3 * other->spacing,
                                 1e3 * axis.origin, 1e3 * axis.spacing));
    }
}

/// The default pipeline with coarse grids, so that files are small.
PipelineConfig pipelineFor(const FrameSpec& raw) { return coarsely(defaultPipeline(raw), raw); }

} // namespace

void checkImageExport(const Task& task, const std::string& name, Findings& found) {
    const auto recording = task.open(Scene::Points);
    const FrameSpec& raw = recording->info().frame;
    const PipelineConfig config = pipelineFor(raw);
    if (name == ".echolux.h5") { // takes images of no pipeline: the amplitudes say so
        exported(task, name, "image", "envelope", config);
        return;
    }
    const ExportedFile file(exported(task, name, "image", "", config));
    found.expect(std::filesystem::file_size(file.path()) > 0, "the file is empty");
    if (isForPeople(name)) return;
    const SnapshotPtr snapshot = imagingSnapshot(raw, config);
    Image expected = outputOf(*recording, snapshot, task.backend);
    if (name == ".hdf5" || name == ".h5") // levels of zea end at 0 dB
        for (float& value : expected.values) value = value > 0.0F ? 0.0F : value;
    const auto copy = openRecording(file.path());
    compareAxes(copy->info().frame, expected.spec, found);
    std::vector<double> values = valuesOf(*copy);
    if (copy->info().frame.recordedForm == RecordedForm::Envelope)
        for (double& value : values) value = 20.0 * std::log10(value);
    compareLevels(values, expected.values, 1e-3, found);
}

void checkChannelExport(const Task& task, const std::string& name, Findings& found) {
    const auto recording = task.open(Scene::Points);
    const FrameSpec& raw = recording->info().frame;
    const PipelineConfig config = toFullConfig(*imagingSnapshot(raw, pipelineFor(raw)));
    const ExportedFile file(exported(task, name, "signals", kRecorded, config));
    found.expect(std::filesystem::file_size(file.path()) > 0, "the file is empty");
    if (isForPeople(name)) return;
    const auto copy = openRecording(file.path());
    const FrameSpec& back = copy->info().frame;
    found.expect(back.sizeOf(AxisName::Transmit) == raw.sizeOf(AxisName::Transmit),
                 fmt::format("{} comes back as {}", raw.describe(), back.describe()));
    // Amplitudes on the lines: places in a sector's image depend on the last digit of an angle.
    const auto levels = [&](Recording& of) {
        Image image =
            outputOf(of, imagingSnapshot(of.info().frame, config), task.backend, "envelope");
        const double most = largest(image);
        for (float& value : image.values)
            value = static_cast<float>(20.0 * std::log10(value / most));
        return image.values;
    };
    const std::vector<float> expected = levels(*recording);
    const std::vector<float> got = levels(*copy);
    compareLevels({got.begin(), got.end()}, expected, 0.2, found);
}

} // namespace echolux::pairs
