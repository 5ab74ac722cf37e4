// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a camera, sets it up, and lends the buffers that Aravis' own thread fills.
#include "app/live/camera/aravis_camera.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#ifdef ECHOLUX_HAS_ARAVIS
#include "app/live/camera/aravis_settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>
#endif

namespace echolux {

#ifdef ECHOLUX_HAS_ARAVIS
namespace {

/// The list of cameras belongs to the whole program.
std::mutex& listMutex() {
    static std::mutex kMutex;
    return kMutex;
}

struct FoundCamera {
    std::string id;
    std::string serial;
    std::string address; ///< in the network; else empty or that of a bus
    std::string model;   ///< with its maker

    bool isNamed(const std::string& name) const {
        return name == id || name == serial || name == address;
    }
};

std::string textOrEmpty(const char* text) { return text != nullptr ? text : ""; }

/// Call it under the lock.
std::vector<FoundCamera> listCameras() {
    arv_update_device_list();
    std::vector<FoundCamera> found;
    for (unsigned i = 0; i < arv_get_n_devices(); ++i)
        found.push_back({textOrEmpty(arv_get_device_id(i)),
                         textOrEmpty(arv_get_device_serial_nbr(i)),
                         textOrEmpty(arv_get_device_address(i)),
                         fmt::format("{} {}", textOrEmpty(arv_get_device_vendor(i)),
                                     textOrEmpty(arv_get_device_model(i)))});
    return found;
}

std::vector<std::string> titlesOf(const std::vector<FoundCamera>& cameras) {
    std::vector<std::string> titles;
    for (const FoundCamera& each : cameras)
        titles.push_back(fmt::format("{} ({})", each.id, each.model));
    return titles;
}

bool isNetworkPlace(const std::string& name) {
    return name.find('.') != std::string::npos &&
           name.find_first_not_of("0123456789.") == std::string::npos;
}

/// What Aravis calls the camera.
std::string idOf(const std::string& name, const std::vector<FoundCamera>& cameras,
                 const std::string& address) {
    const auto found = std::ranges::find_if(
        cameras, [&](const FoundCamera& each) { return name.empty() || each.isNamed(name); });
    if (found != cameras.end()) return found->id;
    if (isNetworkPlace(name)) return name; // beyond this network, where nobody answers to all
    if (cameras.empty())
        throw Error(fmt::format("'{}': no camera was found; connect one, or look whether this user "
                                "may use it (echolux help live).",
                                address));
    throw Error(fmt::format("'{}': there is no camera '{}'; found were {}.", address, name,
                            fmt::join(titlesOf(cameras), ", ")));
}

AravisObject<ArvCamera> openFake(AravisError& error) {
    const AravisObject<ArvDevice> device(arv_fake_device_new("1", error));
    if (!device) return nullptr;
    return AravisObject<ArvCamera>(arv_camera_new_with_device(device.get(), error));
}

AravisObject<ArvCamera> openOne(const std::string& name, const std::string& address) {
    const std::lock_guard lock(listMutex());
    const bool isFake = name == kFakeCamera;
    const std::string id = isFake ? name : idOf(name, listCameras(), address);
    AravisError error;
    AravisObject<ArvCamera> camera =
        isFake ? openFake(error) : AravisObject<ArvCamera>(arv_camera_new(id.c_str(), error));
    if (!camera)
        throw Error(fmt::format("'{}': the camera {} does not open ({}); look whether another "
                                "program uses it.",
                                address, id, error.text()));
    if (arv_camera_is_gv_device(camera.get()) &&
        !arv_gv_device_is_controller(
            reinterpret_cast<ArvGvDevice*>(arv_camera_get_device(camera.get()))))
        throw Error(fmt::format("'{}': another program uses the camera {}; close it there, then "
                                "open it again.",
                                address, id));
    return camera;
}

class AravisCamera final : public CameraDevice {
public:
    AravisCamera(const CameraSetup& setup, const std::string& address)
        : m_camera(openOne(setup.name, address)),
          m_settings(applySettings(*m_camera, setup, address)) {
        AravisError error;
        m_stream.reset(arv_camera_create_stream(m_camera.get(), nullptr, nullptr, error));
        if (!m_stream) throw failure(address, error);
        const unsigned bytes = arv_camera_get_payload(m_camera.get(), error);
        if (error.isSet()) throw failure(address, error);
        for (std::size_t i = buffersOf(bytes); i > 0; --i)
            arv_stream_push_buffer(m_stream.get(), arv_buffer_new_allocate(bytes));
        m_lostSignal = g_signal_connect_data(arv_camera_get_device(m_camera.get()), "control-lost",
                                             reinterpret_cast<GCallback>(&AravisCamera::noteLoss),
                                             &m_isGone, nullptr, GConnectFlags{});
        arv_camera_start_acquisition(m_camera.get(), error);
        if (error.isSet()) {
            disconnect();
            throw failure(address, error);
        }
    }
    AravisCamera(const AravisCamera&) = delete;
    AravisCamera& operator=(const AravisCamera&) = delete;
    ~AravisCamera() override {
        giveBack();
        AravisError ignored; // a camera that is gone does not stop
        if (!m_isGone) arv_camera_stop_acquisition(m_camera.get(), ignored);
        m_stream.reset(); // its thread ends before the camera does
        disconnect();
    }

    const CameraFacts& facts() const override { return m_settings.facts; }

    CameraFrame next(std::chrono::microseconds patience) override {
        giveBack();
        if (m_isGone) return {.kind = CameraFrame::Kind::Gone};
        m_lent =
            arv_stream_timeout_pop_buffer(m_stream.get(), static_cast<guint64>(patience.count()));
        if (m_lent == nullptr) return {};
        CameraFrame frame = read(*m_lent);
        frame.id = arv_buffer_get_frame_id(m_lent);
        frame.deviceNs = static_cast<std::int64_t>(arv_buffer_get_timestamp(m_lent));
        return frame;
    }

    void setExposure(double seconds) override {
        AravisError ignored;
        arv_camera_set_exposure_time(m_camera.get(), seconds * 1e6, ignored);
    }

private:
    /// Aravis' threads call it.
    static void noteLoss(ArvDevice* /*device*/, gpointer isGone) {
        *static_cast<std::atomic<bool>*>(isGone) = true;
    }

    static Error failure(const std::string& address, const AravisError& error) {
        return Error(fmt::format("'{}': the camera does not start ({}); set it up with the program "
                                 "of its maker, then open it again.",
                                 address, error.text()));
    }

    /// Enough for a quarter of a second, and no more memory than the frames that are kept.
    std::size_t buffersOf(std::size_t bytes) const {
        constexpr double kSeconds = 0.25;
        constexpr std::size_t kFewest = 8;
        constexpr std::size_t kMost = 4096;
        constexpr std::size_t kMostBytes = std::size_t{256} << 20;
        const double framesHz =
            m_settings.facts.bscanRateHz * static_cast<double>(m_settings.facts.framesPerBscan);
        const auto wanted = static_cast<std::size_t>(std::clamp(
            framesHz * kSeconds, static_cast<double>(kFewest), static_cast<double>(kMost)));
        return std::max(kFewest, std::min(wanted, kMostBytes / std::max<std::size_t>(bytes, 1)));
    }

    CameraFrame read(ArvBuffer& buffer) const {
        const CameraFacts& want = m_settings.facts;
        CameraFrame frame;
        const ArvBufferStatus status = arv_buffer_get_status(&buffer);
        if (status == ARV_BUFFER_STATUS_SIZE_MISMATCH) {
            frame.kind = CameraFrame::Kind::Other;
            frame.what = "larger";
            return frame;
        }
        frame.kind = CameraFrame::Kind::Damaged;
        if (status != ARV_BUFFER_STATUS_SUCCESS) return frame;
        const gint width = arv_buffer_get_image_width(&buffer);
        const gint height = arv_buffer_get_image_height(&buffer);
        if (width != want.width || height != want.height ||
            arv_buffer_get_image_pixel_format(&buffer) != m_settings.format) {
            frame.kind = CameraFrame::Kind::Other;
            frame.what = fmt::format("{} lines of {} pixels", height, width);
            if (width == want.width && height == want.height) frame.what = "of another format";
            return frame;
        }
        std::size_t bytes = 0;
        const void* data = arv_buffer_get_image_data(&buffer, &bytes);
        const std::size_t wanted = want.pixels.bytes(want.width * want.height);
        if (data == nullptr || bytes < wanted) return frame;
        frame.kind = CameraFrame::Kind::Whole;
        frame.data = {static_cast<const std::byte*>(data), wanted};
        return frame;
    }

    void giveBack() {
        if (m_lent != nullptr)
            arv_stream_push_buffer(m_stream.get(), std::exchange(m_lent, nullptr));
    }
    void disconnect() {
        g_signal_handler_disconnect(arv_camera_get_device(m_camera.get()), m_lostSignal);
    }

    std::atomic<bool> m_isGone{false};
    AravisObject<ArvCamera> m_camera;
    AravisSettings m_settings;
    AravisObject<ArvStream> m_stream;
    gulong m_lostSignal = 0;
    ArvBuffer* m_lent = nullptr;
};

} // namespace

std::unique_ptr<CameraDevice> openAravisCamera(const CameraSetup& setup,
                                               const std::string& address) {
    return std::make_unique<AravisCamera>(setup, address);
}

std::vector<std::string> camerasFound() {
    const std::lock_guard lock(listMutex());
    return titlesOf(listCameras());
}

#else

namespace {

constexpr const char* kLacking = "this program was built without cameras; build it with Aravis "
                                 "(libaravis-dev and libusb-1.0-0-dev)";

} // namespace

std::unique_ptr<CameraDevice> openAravisCamera(const CameraSetup& /*setup*/,
                                               const std::string& address) {
    throw Error(fmt::format("'{}': {}.", address, kLacking));
}

std::vector<std::string> camerasFound() { throw Error(fmt::format("Cameras: {}.", kLacking)); }

#endif

} // namespace echolux
