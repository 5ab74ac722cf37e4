// SPDX-License-Identifier: GPL-3.0-or-later
// Counts frames by the camera's own numbers, and stacks them where several make a B-scan.
#include "app/live/camera_source.hpp"

#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/frames/raw_spectra.hpp"
#include "app/live/received_frames.hpp"
#include "app/source/option_range.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{100};
constexpr std::chrono::seconds kFirstFrame{5};
constexpr double kMicroseconds = 1e-6;

/// A slider that reaches from the camera's least exposure to the time of a B-scan.
std::vector<LiveParameter> parametersOf(const CameraFacts& facts) {
    if (!facts.exposureS) return {};
    double most = facts.mostExposureS;
    if (facts.bscanRateHz > 0.0) most = std::min(most, 1.0 / facts.bscanRateHz);
    return {{"exposure", "Exposure", "us", "Time for which the camera collects light",
             facts.leastExposureS / kMicroseconds, std::max(most, *facts.exposureS) / kMicroseconds,
             *facts.exposureS / kMicroseconds, 0}};
}

} // namespace

CameraSource::CameraSource(std::unique_ptr<CameraDevice> device, const CameraSpectra& spectra,
                           const std::string& address)
    : m_device(std::move(device)), m_parameters(parametersOf(m_device->facts())) {
    const CameraFacts& camera = m_device->facts();
    const std::int64_t lines = camera.height * camera.framesPerBscan;
    if (camera.width > kMaxFrameSamples / lines)
        throw Error(fmt::format("'{}': {} lines of {} pixels are more than the {} samples that a "
                                "frame may have; ask for fewer lines.",
                                address, lines, camera.width, kMaxFrameSamples));
    auto facts = std::make_shared<Spectrometer>();
    facts->centreWavelengthM = spectra.centreWavelengthM;
    facts->bandwidthM = spectra.bandwidthM;
    m_info.path = address;
    m_info.format = "Camera";
    m_info.frame =
        spectraFrame(camera.pixels.codes(camera.width), lines, camera.width, spectra.lineSpacingM);
    m_info.frame.converterRange = ConverterRange{0.0, std::exp2(camera.pixels.bits) - 1.0};
    m_info.frame.spectrometer = std::move(facts);
    m_info.frameRateHz = camera.bscanRateHz;
    m_info.frameCount = 1; // a source has no end
    checkFacts(m_info);
    if (camera.framesPerBscan > 1) m_stack.resize(m_info.frame.bytes());
    if (!spectra.description.empty()) describe(spectra, address);
    m_info.notes.emplace_back("Camera", camera.title);
    m_info.notes.emplace_back("Pixels", std::string(camera.pixels.name));
    if (camera.framesPerBscan > 1)
        m_info.notes.emplace_back("Frames of the camera in a B-scan",
                                  fmt::format("{}", camera.framesPerBscan));
}

/// The sidecar says what the first frame is, and all that follow.
void CameraSource::describe(const CameraSpectra& spectra, const std::string& address) {
    std::vector<std::byte> codes(m_info.frame.bytes());
    FrameStamp stamp;
    Outcome outcome = Outcome::Nothing;
    for (const auto until = Clock::now() + kFirstFrame;
         outcome == Outcome::Nothing && Clock::now() < until;)
        outcome = next(codes, stamp, {});
    if (outcome != Outcome::Frame)
        throw Error(fmt::format("'{}': {}", address,
                                m_reason.empty() ? "no frame came within 5 s; look whether the "
                                                   "camera waits for a trigger, then open it again."
                                                 : m_reason));
    const ReceivedArray array{.type = {.kind = ElementType::Kind::Unsigned,
                                       .bytes = m_info.frame.dtype == DType::U16 ? 2 : 1},
                              .axes = {},
                              .form = {},
                              .samples = codes,
                              .description = {}};
    RecordingInfo described = ReceivedFrames(address, array, spectra.description).info();
    if (m_info.frameRateHz > 0.0) described.frameRateHz = m_info.frameRateHz;
    if (!described.frame.converterRange)
        described.frame.converterRange = m_info.frame.converterRange;
    m_info = std::move(described);
}

void CameraSource::setParameter(const std::string& key, double value) {
    if (m_parameters.set(key, value)) m_changed = true;
}

std::vector<std::pair<std::string, std::string>> CameraSource::readouts() const {
    return {{"Damaged frames", fmt::format("{}", m_damaged.load())}};
}

LiveSource::Outcome CameraSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                       const std::stop_token& stop) {
    if (m_changed.exchange(false))
        m_device->setExposure(m_parameters.value("exposure") * kMicroseconds);
    const auto until = Clock::now() + kPatience;
    while (!stop.stop_requested()) {
        const auto left =
            std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now());
        if (left.count() <= 0) break;
        const CameraFrame frame = m_device->next(left);
        switch (frame.kind) {
        case CameraFrame::Kind::None: break;
        case CameraFrame::Kind::Damaged: ++m_damaged; break;
        case CameraFrame::Kind::Other:
            m_reason = fmt::format("The camera's frames are {} now.", frame.what);
            return Outcome::Changed;
        case CameraFrame::Kind::Gone:
            m_reason =
                fmt::format("The camera {} is gone: it was unplugged, or another program has "
                            "taken it; open it again.",
                            m_device->facts().title);
            return Outcome::Ended;
        case CameraFrame::Kind::Whole: {
            const std::int64_t number = m_numbers.next(frame.id);
            if (!take(frame, number, out)) break;
            stamp = {.number = number / m_device->facts().framesPerBscan,
                     .deviceNs = frame.deviceNs};
            return Outcome::Frame;
        }
        }
    }
    return Outcome::Nothing;
}

/// True where `out` holds a B-scan. A stack that lacks a frame is left out, and the next one begins
/// where it would have begun: B-scans stay in step with a mirror that swings once in each.
bool CameraSource::take(const CameraFrame& frame, std::int64_t number, std::span<std::byte> out) {
    const CameraFacts& camera = m_device->facts();
    const std::int64_t count = camera.width * camera.height;
    if (m_stack.empty()) {
        readCameraPixels(camera.pixels, camera.width, frame.data, count, out);
        return true;
    }
    const std::int64_t place = number % camera.framesPerBscan;
    if (place == 0) m_expected = 0;
    if (place != m_expected) {
        m_expected = -1;
        return false;
    }
    const std::size_t bytes = m_stack.size() / static_cast<std::size_t>(camera.framesPerBscan);
    const auto part = std::span(m_stack).subspan(bytes * static_cast<std::size_t>(place), bytes);
    readCameraPixels(camera.pixels, camera.width, frame.data, count, part);
    if (++m_expected < camera.framesPerBscan) return false;
    std::ranges::copy(m_stack, out.begin());
    return true;
}

} // namespace echolux
