// SPDX-License-Identifier: GPL-3.0-or-later
// Per view a sink, a thread and a file.
#include "app/export/image_recorder.hpp"

#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/recording/thread_name.hpp"
#include "app/export/frame_flow.hpp"
#include "app/export/pixels.hpp"
#include "app/pipeline/view_number.hpp"
#include "app/session/publish/staged_images.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace echolux {
namespace {

constexpr std::size_t kPlaces = 16;
constexpr int kMostFiles = 99;
constexpr std::string_view kEnding = ".echolux.h5";

/// The order in which images are stored: [elevation][depth][lateral].
constexpr std::array kOrder{AxisName::Elevation, AxisName::Depth, AxisName::Lateral};

bool isInSpace(const FrameSpec& image) {
    return image.find(AxisName::Depth) != nullptr && image.find(AxisName::Lateral) != nullptr;
}

FrameSpec storedSpec(const FrameSpec& image) {
    FrameSpec stored = image;
    if (!isInSpace(image)) return stored;
    stored.axes.clear();
    for (const AxisName name : kOrder)
        if (const Axis* axis = image.find(name)) stored.axes.push_back(*axis);
    return stored;
}

bool sameLines(const Sector* a, const Sector* b) {
    if (a == nullptr || b == nullptr) return a == b;
    const auto same = [](const Point& p, const Point& q) {
        return p.x == q.x && p.y == q.y && p.z == q.z;
    };
    return a->apexXM == b->apexXM && a->apexZM == b->apexZM && a->radiusM == b->radiusM &&
           a->anglesRad == b->anglesRad && std::ranges::equal(a->starts, b->starts, same);
}

/// True where one file can hold images of both kinds. The range in which they are shown may differ.
bool sameKind(const FrameSpec& a, const FrameSpec& b) {
    const auto unit = [](const FrameSpec& spec) {
        return spec.valueRange ? spec.valueRange->unit : std::string();
    };
    return a.axes == b.axes && a.recordedForm == b.recordedForm && unit(a) == unit(b) &&
           sameLines(a.sector.get(), b.sector.get());
}

std::vector<std::string> viewsOf(const Snapshot& pipeline, const ImageRecorderSetup& setup) {
    std::vector<std::string> names = setup.views;
    if (names.empty())
        for (const ViewState& view : pipeline.views) names.push_back(nameOf(view));
    return names;
}

NativeWriterOptions optionsFor(const RecorderSetup& raw) {
    NativeWriterOptions options{raw.overwrite, raw.inUse, raw.deflateLevel};
    options.inUse.push_back(raw.file);
    options.rawFile = raw.file.filename().string();
    return options;
}

} // namespace

std::filesystem::path imagesBeside(const std::filesystem::path& recording, const std::string& view,
                                   int part) {
    std::string name = recording.string();
    if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
    const std::string number = part == 1 ? "" : fmt::format("-{}", part);
    return fmt::format("{}.{}{}{}", name, view, number, kEnding);
}

class ImageRecorder::View final : public StagedImages {
public:
    View(Backend backend, const Recorder& raw, const RecorderSetup& setup, const Snapshot& pipeline,
         double rateHz, const std::string& name)
        : StagedImages(backend, kPlaces), m_raw(raw), m_setup(setup),
          m_number(viewNumber(pipeline, name)),
          m_rateHz(rateHz / static_cast<double>(pipeline.ensemble())),
          m_pipeline(pipeline.name), m_images{.view = name} {
        m_thread = std::jthread([this](const std::stop_token& stop) {
            nameThisThread("echolux-images");
            work(stop);
        });
    }

    std::size_t number() const { return m_number; }
    std::int64_t latest() const { return m_latest; } ///< frame that was imaged
    RecordedImages state() const {
        const std::lock_guard lock(m_mutex);
        RecordedImages now = m_images;
        now.leftOut = leftOut();
        return now;
    }
    void close() {
        m_thread = {};
        try {
            if (m_writer) m_writer->close();
        } catch (const std::exception& error) {
            fail(failureText(error));
        }
        m_writer.reset();
    }

private:
    bool wants(const FrameRun& frames) override {
        const bool isNew = !frames.again && frames.last() > m_latest;
        if (isNew) m_latest = frames.last();
        return isNew && m_isOpen;
    }
    std::shared_ptr<const FrameSpec> specOf(const ImageFormat& format) const override {
        const Snapshot& pipeline = *format.snapshot;
        if (m_number >= pipeline.views.size() || nameOf(pipeline.views[m_number]) != m_images.view)
            return nullptr;
        auto spec = std::make_shared<FrameSpec>(*format.image);
        const RecordedForm form = formOf(pipeline, m_number);
        spec->recordedForm = form == RecordedForm::Signals ? RecordedForm::Picture : form;
        spec->acquisition = nullptr;
        spec->spectrometer = nullptr;
        spec->converterRange = {};
        return spec;
    }

    void work(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            Image* image = next(stop, std::chrono::hours(1));
            if (image == nullptr) continue;
            try {
                const auto row = m_isOpen ? m_raw.rowOf(image->frame, stop) : std::nullopt;
                if (row) write(*image, *row);
            } catch (const std::exception& error) {
                fail(failureText(error));
            }
            giveBack(image);
        }
    }

    void write(const Image& image, std::int64_t row) {
        const FrameSpec spec = storedSpec(*image.spec);
        if (!m_writer || !sameKind(m_spec, spec)) open(spec);
        const auto values = std::as_bytes(image.values());
        if (spec.axes == image.spec->axes)
            m_writer->append(values, row);
        else
            m_writer->append(rowsOf(*image.spec, values), row);
        const std::lock_guard lock(m_mutex);
        ++m_images.images;
    }

    void open(const FrameSpec& spec) {
        if (m_writer) m_writer->close();
        m_writer.reset();
        if (++m_files > kMostFiles)
            throw Error(fmt::format("The images of '{}' have had more than {} sizes, so no more "
                                    "of them are recorded; start another recording.",
                                    m_images.view, kMostFiles));
        Provenance provenance;
        provenance.program = m_setup.program;
        provenance.created = m_setup.created;
        provenance.source = fmt::format("images of {}", m_setup.file.filename().string());
        provenance.notes = {{"view", m_images.view}, {"pipeline", m_pipeline}};
        const auto path = imagesBeside(m_setup.file, m_images.view, m_files);
        m_writer.emplace(path, spec, m_rateHz, provenance, optionsFor(m_setup));
        m_spec = spec;
        const std::lock_guard lock(m_mutex);
        m_images.files.push_back(path);
    }

    void fail(const std::string& sentence) {
        m_isOpen = false;
        const std::lock_guard lock(m_mutex);
        if (m_images.failure.empty()) m_images.failure = sentence;
    }

    const Recorder& m_raw;
    RecorderSetup m_setup;
    std::size_t m_number;
    double m_rateHz;
    std::string m_pipeline;
    std::atomic<std::int64_t> m_latest = -1;
    std::atomic<bool> m_isOpen = true;
    // The thread alone, and close() after it.
    std::optional<NativeWriter> m_writer;
    FrameSpec m_spec; ///< of the writer
    int m_files = 0;

    mutable std::mutex m_mutex; ///< guards what follows; the name of the view never changes
    RecordedImages m_images;
    std::jthread m_thread; ///< last member
};

void ImageRecorder::check(const Snapshot& pipeline, const ImageRecorderSetup& setup) {
    for (const std::string& view : viewsOf(pipeline, setup)) {
        viewNumber(pipeline, view);
        checkWritable(imagesBeside(setup.raw.file, view), optionsFor(setup.raw));
    }
}

ImageRecorder::ImageRecorder(Engine& engine, Backend backend, const Recorder& raw,
                             const ImageRecorderSetup& setup)
    : m_engine(engine), m_raw(raw), m_ensemble(engine.snapshot()->ensemble()) {
    const SnapshotPtr pipeline = engine.snapshot();
    check(*pipeline, setup);
    for (const std::string& name : viewsOf(*pipeline, setup)) {
        m_views.push_back(std::make_unique<View>(backend, raw, setup.raw, *pipeline,
                                                 engine.info().frameRateHz, name));
        engine.addSink(*m_views.back(), m_views.back()->number());
    }
}

ImageRecorder::~ImageRecorder() { finish(); }

bool ImageRecorder::isComplete() const {
    if (!m_raw.state().finished) return false;
    const std::int64_t last = m_raw.next() - m_ensemble;
    return std::ranges::all_of(m_views, [&](const auto& view) { return view->latest() >= last; });
}

std::vector<RecordedImages> ImageRecorder::state() const {
    std::vector<RecordedImages> all;
    for (const auto& view : m_views) all.push_back(view->state());
    return all;
}

std::vector<RecordedImages> ImageRecorder::finish() {
    std::vector<RecordedImages> all;
    for (const auto& view : m_views) {
        m_engine.removeSink(*view);
        view->close();
        all.push_back(view->state());
    }
    m_views.clear();
    return all;
}

} // namespace echolux
