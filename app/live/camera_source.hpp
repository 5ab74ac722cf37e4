// SPDX-License-Identifier: GPL-3.0-or-later
// A camera as a live source: its lines are spectra of OCT.
#pragma once

#include "app/live/camera/camera_device.hpp"
#include "app/live/camera/camera_frame_numbers.hpp"
#include "app/live/live_parameters.hpp"
#include "app/live/live_source.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// What a camera does not know.
struct CameraSpectra {
    std::string description =
        {}; ///< text of a sidecar that describes one frame; empty: what follows
    double centreWavelengthM = 0.0; ///< 0: unknown
    double bandwidthM = 0.0;        ///< from the first to the last pixel of a line; 0: unknown
    double lineSpacingM = 0.0;      ///< 0: unknown
};

class CameraSource final : public LiveSource {
public:
    /// With a description it waits for the first frame. Throws Error where none comes, or where the
    /// description does not fit it. `address`: for errors.
    CameraSource(std::unique_ptr<CameraDevice> device, const CameraSpectra& spectra,
                 const std::string& address);

    const RecordingInfo& info() const override { return m_info; }
    /// A frame that the camera counted and that did not come whole is missing, and with it its
    /// B-scan: FrameStamp::number has a gap.
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::string reason() const override { return m_reason; }
    std::vector<LiveParameter> parameters() const override { return m_parameters.list(); }
    void setParameter(const std::string& key, double value) override;
    std::vector<std::pair<std::string, std::string>> readouts() const override;

private:
    void describe(const CameraSpectra& spectra, const std::string& address);
    bool take(const CameraFrame& frame, std::int64_t number, std::span<std::byte> out);

    std::unique_ptr<CameraDevice> m_device;
    RecordingInfo m_info;
    std::string m_reason;
    CameraFrameNumbers m_numbers;
    std::vector<std::byte> m_stack; ///< a B-scan of several frames of the camera; else empty
    std::int64_t m_expected = 0;    ///< place in the stack of the next frame; -1: wait for a begin
    std::atomic<std::int64_t> m_damaged{0};

    LiveParameters m_parameters;
    std::atomic<bool> m_changed{false};
};

} // namespace echolux
