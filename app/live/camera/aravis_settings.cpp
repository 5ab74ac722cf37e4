// SPDX-License-Identifier: GPL-3.0-or-later
// Each setting is made and then read back, because a camera rounds it to its own steps.
#ifdef ECHOLUX_HAS_ARAVIS

#include "app/live/camera/aravis_settings.hpp"

#include "app/source/option_range.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace echolux {
namespace {

constexpr double kMicro = 1e-6;
constexpr const char* kLineRate = "AcquisitionLineRate"; // SFNC, of line-scan cameras
constexpr const char* kLineRateOn = "AcquisitionLineRateEnable";

class Setting {
public:
    Setting(ArvCamera& camera, const CameraSetup& setup, const std::string& address)
        : m_camera(&camera), m_setup(setup), m_address(address) {}

    AravisSettings apply() {
        arv_camera_set_acquisition_mode(m_camera, ARV_ACQUISITION_MODE_CONTINUOUS, m_error);
        setFormat();
        setLines();
        setExposure();
        setRate();
        const auto name = [&](const char* text) {
            return std::string(text != nullptr ? text : "");
        };
        m_settings.facts.title =
            fmt::format("{} {} {}", name(arv_camera_get_vendor_name(m_camera, m_error)),
                        name(arv_camera_get_model_name(m_camera, m_error)),
                        name(arv_camera_get_device_serial_number(m_camera, m_error)));
        return m_settings;
    }

private:
    void setFormat() {
        const std::string wanted = m_setup.format;
        if (!wanted.empty()) {
            if (!cameraPixelsNamed(wanted))
                throw refusal(fmt::format("format is none of {}", cameraPixelNames()));
            arv_camera_set_pixel_format_from_string(m_camera, wanted.c_str(), m_error);
            if (m_error.isSet())
                throw refusal(fmt::format("the camera has no format {}; it offers {}", wanted,
                                          fmt::join(formats(), ", ")));
        }
        const char* name = arv_camera_get_pixel_format_as_string(m_camera, m_error);
        check("pixel format");
        const auto pixels = cameraPixelsNamed(name != nullptr ? name : "");
        if (!pixels)
            throw refusal(fmt::format("the camera sends {}, and spectra are one of {}; choose one "
                                      "of its formats {} by format=NAME",
                                      name != nullptr ? name : "nothing", cameraPixelNames(),
                                      fmt::join(formats(), ", ")));
        m_settings.facts.pixels = *pixels;
        m_settings.format = arv_camera_get_pixel_format(m_camera, m_error);
        check("pixel format");
    }

    std::vector<std::string> formats() {
        AravisError ignored;
        guint count = 0;
        const char** names =
            arv_camera_dup_available_pixel_formats_as_strings(m_camera, &count, ignored);
        std::vector<std::string> found;
        for (guint i = 0; names != nullptr && i < count; ++i) found.emplace_back(names[i]);
        g_free(names);
        return found;
    }

    /// The camera's own frame has all lines of a B-scan where it can, else an equal part of them.
    void setLines() {
        gint x = 0;
        gint y = 0;
        gint width = 0;
        gint height = 0;
        arv_camera_get_region(m_camera, &x, &y, &width, &height, m_error);
        check("size");
        CameraFacts& facts = m_settings.facts;
        if (m_setup.lines != 0) {
            checkRange("lines", "", static_cast<double>(m_setup.lines), 1, kMostLines);
            height = static_cast<gint>(partOf(m_setup.lines, height));
            facts.framesPerBscan = m_setup.lines / height;
            arv_camera_set_region(m_camera, x, y, width, height, m_error);
            check("number of lines");
            arv_camera_get_region(m_camera, &x, &y, &width, &height, m_error);
            check("size");
            if (height * facts.framesPerBscan != m_setup.lines)
                throw refusal(fmt::format("the camera made frames of {} lines of it; choose a "
                                          "multiple",
                                          height));
        }
        facts.width = width;
        facts.height = height;
        if (width < 2 || height < 1)
            throw refusal(fmt::format("the camera's frame has {} lines of {} pixels, which are no "
                                      "spectra; set its region with the program of its maker",
                                      height, width));
    }

    /// The largest height that divides `lines` and that the camera allows. `now`: the present one.
    std::int64_t partOf(std::int64_t lines, gint now) {
        gint least = now;
        gint most = now;
        AravisError error;
        arv_camera_get_height_bounds(m_camera, &least, &most, error);
        if (error.isSet()) least = most = now;
        const gint step = std::max(1, arv_camera_get_height_increment(m_camera, error));
        for (std::int64_t part = std::min<std::int64_t>(lines, most); part >= std::max(least, 1);
             --part)
            if (lines % part == 0 && ((part - least) % step == 0 || part == now)) return part;
        throw refusal(fmt::format("{} lines are no whole number of the camera's frames, which have "
                                  "{} to {} lines in steps of {}",
                                  lines, least, most, step));
    }

    void setExposure() {
        CameraFacts& facts = m_settings.facts;
        AravisError error;
        if (!arv_camera_is_exposure_time_available(m_camera, error)) {
            if (m_setup.exposureS) throw refusal("exposure cannot be set on this camera");
            return;
        }
        double least = 0.0;
        double most = 0.0;
        arv_camera_get_exposure_time_bounds(m_camera, &least, &most, error);
        if (m_setup.exposureS) {
            const double us = *m_setup.exposureS / kMicro;
            if (!error.isSet()) inRange("exposure", "us", us, least, most);
            arv_camera_set_exposure_time(m_camera, us, m_error);
            check("exposure");
        }
        facts.leastExposureS = least * kMicro;
        facts.mostExposureS = most * kMicro;
        const double now = arv_camera_get_exposure_time(m_camera, error);
        if (!error.isSet()) facts.exposureS = now * kMicro;
    }

    void setRate() {
        CameraFacts& facts = m_settings.facts;
        AravisError error;
        const bool byLines = arv_camera_is_feature_available(m_camera, kLineRate, error);
        if (!byLines && !arv_camera_is_frame_rate_available(m_camera, error)) {
            if (m_setup.rateHz)
                throw refusal("rate cannot be set on this camera; its trigger sets the rate");
            return;
        }
        const double perBscan = static_cast<double>(byLines ? facts.height * facts.framesPerBscan
                                                            : facts.framesPerBscan);
        if (m_setup.rateHz) {
            double least = 0.0;
            double most = 0.0;
            if (byLines)
                arv_camera_get_float_bounds(m_camera, kLineRate, &least, &most, error);
            else
                arv_camera_get_frame_rate_bounds(m_camera, &least, &most, error);
            if (!error.isSet())
                inRange("rate", "Hz", *m_setup.rateHz, least / perBscan, most / perBscan);
            if (byLines)
                setLineRate(*m_setup.rateHz * perBscan);
            else
                arv_camera_set_frame_rate(m_camera, *m_setup.rateHz * perBscan, m_error);
            check("rate");
        }
        const double now = byLines ? arv_camera_get_float(m_camera, kLineRate, error)
                                   : arv_camera_get_frame_rate(m_camera, error);
        if (!error.isSet() && now > 0.0) facts.bscanRateHz = now / perBscan;
    }

    void setLineRate(double hz) {
        AravisError ignored; // many cameras need no permission
        if (arv_camera_is_feature_available(m_camera, kLineRateOn, ignored))
            arv_camera_set_boolean(m_camera, kLineRateOn, TRUE, ignored);
        arv_camera_set_float(m_camera, kLineRate, hz, m_error);
    }

    void inRange(const char* option, const char* unit, double value, double least, double most) {
        if (!(value >= least && value <= most))
            throw refusal(fmt::format("{} is {:g} {}, and this camera allows {:g} to {:g} {}",
                                      option, value, unit, least, most, unit));
    }
    /// Throws where the last call with m_error failed.
    void check(const char* what) {
        if (m_error.isSet())
            throw refusal(fmt::format("the camera refuses its {} ({})", what, m_error.text()));
    }
    Error refusal(const std::string& what) const {
        return Error(fmt::format("'{}': {}; see echolux help live.", m_address, what));
    }

    static constexpr double kMostLines = 65536;
    ArvCamera* m_camera;
    const CameraSetup& m_setup;
    const std::string& m_address;
    AravisError m_error;
    AravisSettings m_settings;
};

} // namespace

AravisSettings applySettings(ArvCamera& camera, const CameraSetup& setup,
                             const std::string& address) {
    return Setting(camera, setup, address).apply();
}

} // namespace echolux

#endif
