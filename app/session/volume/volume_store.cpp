// SPDX-License-Identifier: GPL-3.0-or-later
// Writes B-scans, projects them, and synchronises with the reader.
#include "app/session/volume/volume_store.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/posed.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

/// Rows arrive faster than a screen shows them.
constexpr auto kPublishPeriod = std::chrono::milliseconds(8);
/// One image is being copied, one is published, one is on screen.
constexpr int kEnFaceImages = 3;
constexpr std::size_t kMaxHostBytes = std::size_t{2} << 30U;

std::size_t memoryLimit(Backend backend) {
    return backend == Backend::Cuda ? device::freeBytes() / 2 : kMaxHostBytes;
}

} // namespace

VolumeStore::VolumeStore(Backend backend, Changed changed)
    : VolumeStore(backend, std::move(changed), [backend] { return memoryLimit(backend); }) {}

VolumeStore::VolumeStore(Backend backend, Changed changed, std::function<std::size_t()> memoryLimit)
    : m_backend(backend), m_onChange(std::move(changed)), m_memoryLimit(std::move(memoryLimit)),
      m_enFace(backend, kEnFaceImages, [](const ImageOrigin&) {}), m_side(backend),
      m_stream(backend, "volume"), m_written(backend, false), m_read(backend, false) {}

VolumeStore::~VolumeStore() {
    try {
        m_written.synchronize();
        m_read.synchronize();
    } catch (const Error&) { // a broken device has nothing to wait for
    }
}

void VolumeStore::configure(const FrameSpec& image, const VolumeStack& stack,
                            std::int64_t ensemble) {
    MadeVolume made = madeVolume(image, stack, ensemble);
    const bool others = made.shape != m_asked.shape || made.problem != m_asked.problem;
    const bool otherAxes = made.spec.axes != m_spec.axes;
    m_asked = std::move(made);
    if (others || mayFitNow()) claim();
    m_held.resize(m_shape.bscans, m_asked.layout);
    m_side.configure(m_asked.spec, m_asked.turned ? m_shape : VolumeShape{});
    if (m_shape.count() == 0) return;

    if (otherAxes || m_newest < 0) m_viewChanged = true; // depths of the view are other bins now
    m_spec = m_asked.spec;
    m_enFaceSpec = std::make_shared<const FrameSpec>(planeOf(m_spec, AxisName::Depth, 0.0));
    std::unique_lock lock(m_mutex);
    m_readDone.wait(lock, [this] { return !m_reading; });
    m_display.spec = m_spec;
}

void VolumeStore::configure(const ImageFormat& format) {
    m_configured = true;
    if (format.image == nullptr) {
        configure({}, {});
    } else {
        configure(*format.image, format.snapshot->imageStack(), format.snapshot->ensemble());
        outdate();
    }
}

void VolumeStore::take(const Exec& exec, const FrameRun& frames, const RunImages& images) {
    write(exec, images.pixels, frames.first, frames.count);
}

void VolumeStore::done(const FrameRun&, std::uint64_t, Clock::time_point) {
    if (std::exchange(m_configured, false) || m_shape.count() > 0) announce();
}

void VolumeStore::announce() const {
    if (m_onChange) m_onChange();
}

/// True where memory has become free since the volume was refused.
bool VolumeStore::mayFitNow() const {
    if (!m_refusedAt) return false;
    const std::size_t limit = m_memoryLimit();
    return limit > *m_refusedAt && limit >= m_asked.shape.bytes();
}

void VolumeStore::claim() {
    std::string problem = m_asked.problem;
    m_refusedAt.reset();
    try {
        allocate(m_asked.shape);
    } catch (const Error& error) {
        allocate({});
        m_refusedAt = m_memoryLimit();
        problem = fmt::format("There is no volume and no {}. {}",
                              m_asked.turned ? "C-plane" : "en face image", error.what());
        spdlog::warn("{}", problem);
    }
    const std::lock_guard lock(m_mutex);
    m_problem = problem;
    m_active = m_shape.count() > 0;
}

void VolumeStore::allocate(const VolumeShape& shape) {
    beginWrite();
    m_written.synchronize();
    m_read.synchronize();
    {
        const std::lock_guard lock(m_mutex); // nothing can be acquired until this has ended
        m_display.shape = {};
        m_display.voxels = nullptr;
        m_anyDirty = false;
    }
    m_shape = {};
    m_held.clear();
    m_nextFilling = 1;
    m_voxels = Buffer();
    m_rows = Buffer();
    m_newest = -1;
    m_unpublished = false;
    const bool wanted = shape.count() > 0;
    try {
        const std::size_t limit = wanted ? m_memoryLimit() : 0;
        if (shape.bytes() > limit) {
            const bool echoes = m_asked.turned;
            throw Error(fmt::format("{} {} of {} {} with {} {} need {:.2f} GiB, but {:.2f} GiB may "
                                    "be used; {}.",
                                    shape.bscans, echoes ? "planes" : "B-scans", shape.lines,
                                    echoes ? "lines" : "A-scans", shape.bins,
                                    echoes ? "depths" : "bins",
                                    static_cast<double>(shape.bytes()) / 0x1p30,
                                    static_cast<double>(limit) / 0x1p30, m_asked.howToShrink()));
        }
        if (wanted) {
            const auto rows = static_cast<std::size_t>(shape.bscans * shape.lines) * sizeof(float);
            Buffer voxels(computeMemory(m_backend), shape.bytes());
            Buffer enFace(computeMemory(m_backend), rows);
            m_enFace.resize({.pixels = rows});
            m_voxels = std::move(voxels);
            m_rows = std::move(enFace);
            m_shape = shape;
            fillVolume({m_backend, m_stream.get()}, m_voxels.as<Half>(), shape, m_asked.empty);
            m_written.record({m_backend, m_stream.get()});
        }
    } catch (...) {
        endWrite(0, 0);
        throw;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_dirty.assign(static_cast<std::size_t>(m_shape.bscans), true);
        m_changed.clear();
        m_changed.reserve(m_dirty.size());
        m_anyDirty = wanted;
        m_display.shape = m_shape;
        m_display.voxels = m_voxels.as<const Half>();
        m_display.backend = m_backend;
        m_display.ready = m_written.get();
    }
    endWrite(0, 0);
}

void VolumeStore::beginWrite() {
    std::unique_lock lock(m_mutex);
    m_readDone.wait(lock, [this] { return !m_reading; });
    m_writing = true;
}

void VolumeStore::endWrite(std::int64_t first, std::int64_t count) {
    const std::lock_guard lock(m_mutex);
    m_writing = false;
    for (std::int64_t i = 0; i < count; ++i)
        m_dirty[static_cast<std::size_t>((first + i) % m_shape.bscans)] = true;
    m_anyDirty = m_anyDirty || count > 0;
    if (count > 0) ++m_display.serial;
    m_display.exposure.version = m_fillings;
}

void VolumeStore::write(const Exec& exec, const float* pixels, std::int64_t frame,
                        std::int64_t images) {
    if (m_shape.count() == 0) return;
    const BscanLayout& layout = m_held.layout();
    if (layout.framesPerPlace == 1)
        return writeRows(exec, pixels,
                         {layout.ofFrame(frame).first, layout.ofFrame(frame + images - 1).last});
    for (std::int64_t i = 0; i < images; ++i) {
        const std::int64_t next = frame + (i + 1) * layout.ensemble;
        const bool lastOfPlace = next % layout.framesPerPlace == 0;
        if (lastOfPlace || i + 1 == images)
            writeRows(exec, pixels + i * layout.perFrame * m_shape.slice(),
                      layout.ofFrame(next - 1));
    }
}

void VolumeStore::writeRows(const Exec& exec, const float* pixels, const BscanSpan& bscans) {
    store(exec, pixels, bscans);
    const std::int64_t newest = (bscans.last - 1) % m_shape.bscans;
    const bool completes = bscans.first % m_shape.bscans + bscans.count() >= m_shape.bscans;
    if (completes && (newest != m_newest || bscans.count() == m_shape.bscans)) ++m_volumes;
    m_newest = newest;
}

void VolumeStore::fill(const Exec& exec, const float* pixels, std::int64_t frame,
                       const BscanSpan& wanted) {
    if (m_shape.count() == 0) return;
    const BscanSpan all = m_held.layout().ofFrame(frame);
    const BscanSpan bscans = common(all, wanted);
    if (m_held.held(bscans) < bscans.count())
        store(exec, pixels + (bscans.first - all.first) * m_shape.slice(), bscans);
}

void VolumeStore::store(const Exec& exec, const float* pixels, const BscanSpan& bscans) {
    const std::int64_t first = bscans.first % m_shape.bscans;
    const std::int64_t count = bscans.count();
    beginWrite();
    try {
        m_written.blockStream(exec);
        m_read.blockStream(exec);
        const auto put = m_asked.turned ? storeTurnedBscans : storeBscans;
        put(exec, m_voxels.as<Half>(), m_shape, pixels, first, count);
        if (m_viewChanged) {
            project(exec);
        } else {
            projectBscans(exec, m_voxels.as<Half>(), m_shape, m_projection, m_window, first, count,
                          m_rows.as<float>());
            m_unpublished = true;
        }
        m_held.put(bscans);
        followFilling();
        m_side.outdate();
        if (Clock::now() - m_published >= kPublishPeriod) {
            publishEnFace(exec);
            if (m_side.isDue()) m_side.publish(exec, m_voxels.as<Half>(), m_newest);
        }
        m_written.record(exec);
    } catch (...) {
        endWrite(first, count);
        throw;
    }
    endWrite(first, count);
}

/// Limits found in the first B-scans are found again whenever the number of B-scans has doubled.
/// Once the volume is full they stay, whatever is edited or played.
void VolumeStore::followFilling() {
    const std::int64_t filled = m_held.filled();
    if (filled < m_nextFilling) return;
    m_nextFilling = filled < m_shape.bscans ? std::min(2 * filled, m_shape.bscans) : filled + 1;
    ++m_fillings;
    ++m_exposure.version;
}

bool VolumeStore::catchUp() {
    if (m_shape.count() == 0) m_viewChanged = false;
    const bool side = m_side.hasMoved() || m_side.isDue();
    if (!m_viewChanged && !m_unpublished && !side) return false;
    const Exec exec{m_backend, m_stream.get()};
    m_written.blockStream(exec);
    if (m_viewChanged) project(exec);
    if (m_unpublished) publishEnFace(exec);
    if (side) m_side.publish(exec, m_voxels.as<Half>(), m_newest);
    m_written.record(exec);
    announce();
    return true;
}

void VolumeStore::project(const Exec& exec) {
    m_viewChanged = false;
    const EnFaceView view = enFaceView();
    m_projection = view.projection;
    m_window = binWindow(view);
    m_exposure = {static_cast<int>(view.projection), m_exposure.version + 1};
    projectBscans(exec, m_voxels.as<Half>(), m_shape, m_projection, m_window, 0, m_shape.bscans,
                  m_rows.as<float>());
    m_unpublished = true;
}

void VolumeStore::publishEnFace(const Exec& exec) {
    Image* image = m_enFace.beginWrite();
    try {
        image->consumed.blockStream(exec);
        copyWithin(exec, image->pixels.data(), m_rows.data(), m_rows.bytes());
        image->ready.record(exec);
    } catch (...) {
        m_enFace.abandon(image);
        throw;
    }
    const auto middle = 0.5 * static_cast<double>(m_window.first + m_window.last - 1);
    movePlane(m_enFaceSpec, m_spec, AxisName::Depth, middle);
    image->spec = m_enFaceSpec;
    image->exposure = m_exposure;
    image->origin = {m_newest, ++m_enFaceSerial, Clock::now(), {}, {}};
    m_enFace.publish(image);
    m_unpublished = false;
    m_published = Clock::now();
}

BinWindow VolumeStore::binWindow(const EnFaceView& view) const {
    const Axis& depth = m_spec.axes.back();
    if (!(view.nearest <= view.deepest)) return {0, depth.size};
    const auto bin = [&depth](double at) {
        const double index = std::round((at - depth.origin) / depth.spacing);
        return static_cast<std::int64_t>(
            std::clamp(index, 0.0, static_cast<double>(depth.size - 1)));
    };
    return {bin(view.nearest), bin(view.deepest) + 1};
}

void VolumeStore::setEnFace(const EnFaceView& view) {
    {
        const std::lock_guard lock(m_mutex);
        if (view == m_view) return;
        m_view = view;
        m_viewChanged = true;
    }
    if (m_onWish) m_onWish();
}

void VolumeStore::showSide(std::optional<double> lateral) {
    m_side.show(lateral);
    if (m_onWish) m_onWish();
}

EnFaceView VolumeStore::enFaceView() const {
    const std::lock_guard lock(m_mutex);
    return m_view;
}

bool VolumeStore::active() const {
    const std::lock_guard lock(m_mutex);
    return m_active;
}

std::optional<FrameSpec> VolumeStore::spec() const {
    const std::lock_guard lock(m_mutex);
    return m_active && m_display.spec.axes.size() == 3 ? std::optional(m_display.spec)
                                                       : std::nullopt;
}

std::string VolumeStore::problem() const {
    const std::lock_guard lock(m_mutex);
    return m_problem;
}

const DisplayVolume* VolumeStore::acquire() {
    const std::lock_guard lock(m_mutex);
    if (m_writing || !m_anyDirty || m_display.shape.count() == 0) return nullptr;
    m_reading = true;
    m_changed.clear();
    for (std::size_t i = 0; i < m_dirty.size(); ++i) {
        if (!m_dirty[i]) continue;
        const bool joins =
            i > 0 && !m_changed.empty() &&
            m_changed.back().first + m_changed.back().count == static_cast<std::int64_t>(i);
        if (joins) {
            ++m_changed.back().count;
        } else {
            m_changed.push_back({static_cast<std::int64_t>(i), 1});
        }
        m_dirty[i] = false;
    }
    m_anyDirty = false;
    m_display.changed = m_changed;
    return &m_display;
}

void VolumeStore::release(device::Stream stream) {
    {
        const std::lock_guard lock(m_mutex);
        m_reading = false;
        try {
            m_read.record({m_backend, stream});
        } catch (const Error&) { // the device has failed; the pipeline's next call reports it
        }
    }
    m_readDone.notify_all();
}

void VolumeStore::offerAgain() {
    const std::lock_guard lock(m_mutex);
    m_dirty.assign(m_dirty.size(), true);
    m_anyDirty = !m_dirty.empty();
}

} // namespace echolux
