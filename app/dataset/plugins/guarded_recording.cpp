// SPDX-License-Identifier: GPL-3.0-or-later
// Checks facts as the built-in readers do.
#include "app/dataset/plugins/guarded_recording.hpp"

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/image_check.hpp"
#include "app/dataset/frames/layout_check.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/frame_part.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <utility>

namespace echolux {
namespace {

Error failed(const std::filesystem::path& path, const std::string& who, std::string reason) {
    // An error of fileError() already says which file it is about.
    const std::string prefix = fileError(path, "").what();
    const std::string opening = prefix.substr(0, prefix.size() - 1);
    if (reason.starts_with(opening)) reason.erase(0, opening.size());
    while (reason.ends_with('.')) reason.pop_back();
    return fileError(path, fmt::format("{} failed: {}", who, reason));
}

bool hasAxes(const FrameSpec& frame, std::initializer_list<AxisName> names) {
    return std::ranges::equal(frame.axes, names, {}, &Axis::name);
}

} // namespace

void checkFacts(RecordingInfo& info) {
    const auto refuse = [&](const std::string& what) { throw fileError(info.path, what); };
    constexpr std::int64_t kMostFrames = std::int64_t{1} << 40;
    const FrameSpec& frame = info.frame;
    if (const auto wrong = contradictionInLayout(frame)) refuse(*wrong);
    if (frame.bytes() == 0) refuse("its sample type does not exist");
    if (info.frameCount < 1 || info.frameCount > kMostFrames)
        refuse(fmt::format("it has {} frames", info.frameCount));
    if (!std::isfinite(info.frameRateHz) || info.frameRateHz < 0.0)
        refuse(fmt::format("its frame rate is {} Hz", info.frameRateHz));
    if (!info.tracks.empty() && info.track >= info.tracks.size())
        refuse(fmt::format("it is track {} of {}", info.track + 1, info.tracks.size()));
    checkLoadSize(info.path, "one frame", frame.bytes());
    if (frame.recordedForm != RecordedForm::Signals) {
        const bool known =
            hasAxes(frame, {AxisName::Depth, AxisName::Lateral}) ||
            hasAxes(frame, {AxisName::Lateral, AxisName::Depth}) ||
            hasAxes(frame, {AxisName::Elevation, AxisName::Depth, AxisName::Lateral});
        if (!known) refuse("its images are not [depth][lateral] or [elevation][depth][lateral]");
        checkImages(info);
    } else if (frame.spectrometer != nullptr) {
        checkSpectra(info);
    } else {
        if (!hasAxes(frame, {AxisName::Transmit, AxisName::Channel, AxisName::Sample}))
            refuse("its frames are not [transmit][channel][sample]");
        checkRecording(info);
    }
}

namespace {

class GuardedRecording final : public Recording {
public:
    GuardedRecording(std::unique_ptr<Recording> recording, const std::filesystem::path& path,
                     const std::string& who, const std::string& warning)
        : m_recording(std::move(recording)), m_who(who) {
        guard(path, m_who, [&] {
            m_info = m_recording->info();
            m_info.path = path;
            m_info.live = false;
            checkFacts(m_info);
        });
        if (m_info.format.empty()) m_info.format = m_who;
        m_info.notes.emplace_back("Read by", m_who);
        if (!warning.empty()) m_info.warnings.push_back(warning);
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        checkFrameRequest(m_info, index, out.size());
        guard(m_info.path, m_who, [&] { m_recording->readFrame(index, out); });
    }
    /// Parts beyond the frame would be written there, so they are not used.
    std::vector<FramePart> partsOf(std::int64_t index) const override {
        std::vector<FramePart> parts;
        guard(m_info.path, m_who, [&] { parts = m_recording->partsOf(index); });
        std::size_t covered = 0;
        for (FramePart& part : parts) {
            if (part.begin != covered || part.bytes > m_info.frame.bytes() - covered || !part.read)
                return {};
            covered += part.bytes;
            part.read = [this, read = std::move(part.read)](std::span<std::byte> out) {
                guard(m_info.path, m_who, [&] { read(out); });
            };
        }
        if (covered != m_info.frame.bytes()) return {};
        return parts;
    }
    void foresee(std::int64_t index) const override {
        try {
            m_recording->foresee(index);
        } catch (...) { // NOLINT: a hint
        }
    }

private:
    std::unique_ptr<Recording> m_recording;
    std::string m_who;
};

} // namespace

void guard(const std::filesystem::path& path, const std::string& who,
           const std::function<void()>& act) {
    try {
        act();
    } catch (const OutOfMemory&) {
        throw;
    } catch (const std::exception& error) {
        throw failed(path, who, error.what());
    } catch (...) {
        throw failed(path, who, "it threw something that is no exception");
    }
}

std::unique_ptr<Recording> guardedRecording(std::unique_ptr<Recording> recording,
                                            const std::filesystem::path& path,
                                            const std::string& who, const std::string& warning) {
    if (recording == nullptr)
        throw fileError(path, who + " recognised the file and gave no recording; correct the "
                                    "plugin");
    return std::make_unique<GuardedRecording>(std::move(recording), path, who, warning);
}

} // namespace echolux
