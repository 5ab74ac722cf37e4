// SPDX-License-Identifier: GPL-3.0-or-later
// A camera that runs: what CameraSource reads.
#pragma once

#include "app/live/camera/camera_pixels.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace echolux {

/// What an address asks of a camera. What it leaves open stays as the camera is set.
struct CameraSetup {
    std::string name = {};                ///< empty: the first one that is found
    std::int64_t lines = 0;               ///< of a B-scan; 0: those of the camera's frames
    std::optional<double> rateHz = {};    ///< B-scans per second
    std::optional<double> exposureS = {}; ///< of each line, or of each frame of an area camera
    std::string format = {};              ///< of pixels; empty: the camera's own
};

struct CameraFacts {
    std::string title = {}; ///< maker, model and serial number
    CameraPixels pixels = {};
    std::int64_t width = 0;               ///< pixels of a line
    std::int64_t height = 0;              ///< lines of the camera's frame
    std::int64_t framesPerBscan = 1;      ///< frames of the camera that make a B-scan
    double bscanRateHz = 0.0;             ///< 0: unknown
    std::optional<double> exposureS = {}; ///< empty: the camera does not say it
    double leastExposureS = 0.0;
    double mostExposureS = 0.0;
};

struct CameraFrame {
    enum class Kind : std::uint8_t {
        None, ///< none came in time
        Whole,
        Damaged, ///< parts of it were lost on the way
        Other,   ///< of another size or format
        Gone     ///< the camera is no longer there
    };
    Kind kind = Kind::None;
    std::uint64_t id = 0;                 ///< the camera's own number
    std::int64_t deviceNs = -1;           ///< the camera's clock; -1: unknown
    std::span<const std::byte> data = {}; ///< of Whole: valid until the next call of next()
    std::string what = {};                ///< of Other: the size that came
};

/// One thread at a time calls it.
class CameraDevice {
public:
    virtual ~CameraDevice() = default;
    virtual const CameraFacts& facts() const = 0;
    /// Waits at most so long.
    virtual CameraFrame next(std::chrono::microseconds patience) = 0;
    /// A value that the camera refuses does nothing.
    virtual void setExposure(double seconds) = 0;
};

} // namespace echolux
