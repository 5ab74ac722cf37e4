// SPDX-License-Identifier: GPL-3.0-or-later
// What is imaged next, by whom, and what becomes of it.
#include "app/desktop/transmits_desk.hpp"

#include "app/desktop/background.hpp"
#include "app/desktop/label_text.hpp"
#include "app/desktop/parameter_desk.hpp"
#include "app/desktop/recording_text.hpp"
#include "app/session/session.hpp"
#include "app/session/transmit_imager.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/error.hpp"
#include "ui/lab/transmit_thumbnails.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace echolux {
namespace {

constexpr qint64 kLeastPauseMs = 200;
constexpr qint64 kPausePerWork = 3;
constexpr qint64 kBatchMs = 250; ///< that one takes, about
constexpr std::size_t kFewestAtOnce = 4;
constexpr double kUsualRangeDb = 60.0;
constexpr const char* kTransmitMask = "transmits";
constexpr const char* kTransmitAperture = "transmit_aperture";

/// Half decibels below the image's own peak.
TransmitPicture pictureOf(const TransmitImage& image, const TransmitImages& all) {
    TransmitPicture picture{QImage(static_cast<int>(all.lateral.size),
                                   static_cast<int>(all.depth.size), QImage::Format_Grayscale8),
                            0.0};
    const float peak = *std::ranges::max_element(image.magnitude);
    picture.levels.fill(0);
    picture.peakDb = peak > 0.0F ? 20.0 * std::log10(static_cast<double>(peak)) : -1e3;
    if (!(peak > 0.0F)) return picture;
    const float perDecade = static_cast<float>(20.0 / TransmitPicture::kDbPerLevel);
    const float* pixel = image.magnitude.data();
    for (int row = 0; row < picture.levels.height(); ++row) {
        uchar* line = picture.levels.scanLine(row);
        for (int column = 0; column < picture.levels.width(); ++column, ++pixel) {
            const float level =
                *pixel > 0.0F ? 255.0F + perDecade * std::log10(*pixel / peak) : 0.0F;
            line[column] = static_cast<uchar>(std::lround(std::clamp(level, 0.0F, 255.0F)));
        }
    }
    return picture;
}

/// Of what pixels cover, not of their middles.
double aspectOf(const TransmitImages& images) {
    return static_cast<double>(images.lateral.size) * images.lateral.spacing /
           (static_cast<double>(images.depth.size) * images.depth.spacing);
}

double shownRangeDb(const Snapshot& snapshot) {
    const auto& range = snapshot.output().valueRange;
    const bool decibels = range && range->unit == "dB" && range->max > range->min;
    return decibels ? range->max - range->min : kUsualRangeDb;
}

} // namespace

TransmitsDesk::TransmitsDesk(MainWindow& window, const ImageView& image, Session& session,
                             ParameterDesk& parameters, Background& background)
    : m_panel(window.transmits()), m_session(session), m_parameters(parameters),
      m_background(background), m_door(std::make_shared<Door>()),
      m_imager(std::make_shared<TransmitImager>()) {
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &TransmitsDesk::ask);
    connect(&image, &ImageView::framePresented, this, &TransmitsDesk::wait);
    connect(&m_panel, &TransmitThumbnails::cameIntoSight, this, &TransmitsDesk::follow);
    connect(&m_panel.grid(), &ThumbnailGrid::sightChanged, this, &TransmitsDesk::wait);
    connect(&m_panel.grid(), &ThumbnailGrid::edited, this, &TransmitsDesk::edit);
    connect(&m_panel, &TransmitThumbnails::remedyChosen, this, &TransmitsDesk::imageEverywhere);
}

TransmitsDesk::~TransmitsDesk() {
    const std::lock_guard lock(m_door->mutex);
    m_door->closed = true;
}

void TransmitsDesk::recordingOpened() {
    ++m_recording;
    m_chain = nullptr;
    m_made.clear();
    m_atOnce = kMostAtOnce;
    m_panel.grid().setNames({});
}

void TransmitsDesk::followPipeline() {
    if (isSeen()) follow();
}

/// What is not seen follows when it comes into sight.
bool TransmitsDesk::isSeen() {
    if (!m_panel.isSeen()) m_chain = nullptr;
    return m_panel.isSeen();
}

void TransmitsDesk::follow() {
    if (!m_session.isOpen()) return;
    const SnapshotPtr snapshot = m_session.snapshot();
    m_slice = m_session.engine().mailbox().chosenBscan();
    try {
        m_chain = std::make_shared<const TransmitChain>(transmitChain(*snapshot, m_slice));
    } catch (const OwnLinesAlone& refusal) {
        m_chain = nullptr;
        m_panel.setReason(inLabels(refusal.what(), *snapshot),
                          "Image all pixels with each transmit");
        return;
    } catch (const Error& error) {
        m_chain = nullptr;
        m_panel.setReason(inLabels(error.what(), *snapshot));
        return;
    }
    const StageState& beamform = snapshot->stage(m_chain->beamform);
    const QStringList names = transmitNames(*beamform.input.acquisition);
    if (std::ssize(m_made) != names.size()) {
        m_panel.grid().setNames(names);
        m_made.assign(static_cast<std::size_t>(names.size()), {});
    }
    const Mask& mask = beamform.params.as<BeamformParams>().transmits;
    std::vector<bool> states;
    for (qsizetype i = 0; i < names.size(); ++i) states.push_back(mask.isOn(i, names.size()));
    m_panel.setReason({});
    m_panel.setStates(std::move(states));
    m_panel.setRange(shownRangeDb(*snapshot));
    wait();
}

void TransmitsDesk::edit() {
    if (m_chain == nullptr) return;
    std::vector<double> entries;
    for (const bool on : m_panel.grid().states()) entries.push_back(on ? 1.0 : 0.0);
    const bool all = std::ranges::find(entries, 0.0) == entries.end();
    const ParamValue value = all ? ParamValue(std::string("all")) : ParamValue(std::move(entries));
    m_parameters.edit(QString::fromStdString(m_chain->beamform), kTransmitMask, value);
    follow(); // a refused one, too
}

void TransmitsDesk::imageEverywhere() {
    if (!m_session.isOpen()) return;
    const StageState* beamform = m_session.snapshot()->findType("beamform");
    if (beamform == nullptr) return;
    m_parameters.edit(QString::fromStdString(beamform->id), kTransmitAperture,
                      std::string("everywhere"));
}

void TransmitsDesk::wait() {
    m_again = m_busy;
    if (m_busy || m_soon.isActive() || m_chain == nullptr || !isSeen()) return;
    const qint64 rest = m_sinceBatch.isValid() ? m_pauseMs - m_sinceBatch.elapsed() : 0;
    m_soon.start(static_cast<int>(std::max<qint64>(rest, 0)));
}

void TransmitsDesk::ask() {
    if (m_busy || !m_session.isOpen() || m_chain == nullptr || !isSeen()) return;
    if (m_session.engine().mailbox().chosenBscan() != m_slice) follow();
    if (m_chain == nullptr) return;
    std::vector<std::int64_t> transmits = wanted(m_session.engine().mailbox().shownFrame());
    if (transmits.empty()) return;
    if (transmits.size() > m_atOnce) transmits.resize(m_atOnce);
    std::ranges::sort(transmits);
    start(std::move(transmits));
}

/// Those in sight whose images are not of that frame, the oldest ones first.
std::vector<std::int64_t> TransmitsDesk::wanted(std::int64_t frame) const {
    std::vector<std::int64_t> stale;
    for (const int transmit : m_panel.grid().inSight()) {
        const Made& made = m_made[static_cast<std::size_t>(transmit)];
        if (made.frame != frame || made.key != m_chain->key) stale.push_back(transmit);
    }
    std::ranges::stable_sort(stale, {}, [this](std::int64_t transmit) {
        return m_made[static_cast<std::size_t>(transmit)].turn;
    });
    return stale;
}

void TransmitsDesk::start(std::vector<std::int64_t> transmits) {
    m_busy = true;
    m_again = false;
    ++m_batches;
    m_background.start(Background::Kind::Quiet, {},
                       [this, door = m_door, imager = m_imager, chain = m_chain,
                        engine = std::weak_ptr(m_session.shared()),
                        transmits = std::move(transmits),
                        recording = m_recording](const std::stop_token&) -> Background::Finish {
                           Batch batch{.recording = recording, .key = chain->key};
                           try {
                               QElapsedTimer clock;
                               clock.start();
                               imager->prepare(*chain, transmits);
                               batch.ms = clock.elapsed();
                               // Between the two it waits for the pipeline.
                               if (takeShown(*door, engine, *imager, batch.frame)) {
                                   clock.start();
                                   addPictures(batch, imager->image());
                                   batch.ms += clock.elapsed();
                               }
                           } catch (const std::exception& error) {
                               batch.problem = error.what();
                           }
                           return [this, batch = std::move(batch)] { take(batch); };
                       });
}

/// False where the window or the recording has been closed.
bool TransmitsDesk::takeShown(Door& door, const std::weak_ptr<Engine>& from, TransmitImager& imager,
                              std::int64_t& frame) {
    const std::lock_guard lock(door.mutex);
    const std::shared_ptr<Engine> engine = door.closed ? nullptr : from.lock();
    if (engine == nullptr) return false;
    const RawPlace raw = engine->shownRaw();
    imager.take(raw.samples());
    frame = raw.index();
    return true;
}

void TransmitsDesk::addPictures(Batch& batch, const TransmitImages& images) {
    batch.aspect = aspectOf(images);
    for (const TransmitImage& image : images.images)
        batch.pictures.emplace_back(static_cast<int>(image.transmit), pictureOf(image, images));
}

void TransmitsDesk::take(const Batch& batch) {
    m_busy = false;
    m_sinceBatch.start();
    const bool playing = m_session.isOpen() && m_session.engine().player().state().playing;
    m_pauseMs = playing ? std::max(kLeastPauseMs, kPausePerWork * batch.ms) : 0;
    if (batch.recording != m_recording || m_chain == nullptr) return wait();
    show(batch);
    // What is not of the shown frame by now waits for the next one that is presented.
    if (m_again || (batch.problem.empty() && !wanted(batch.frame).empty())) wait();
}

void TransmitsDesk::show(const Batch& batch) {
    m_panel.setProblem(batch.problem.empty() ? QString()
                                             : inLabels(batch.problem, *m_session.snapshot()));
    if (batch.pictures.empty()) return;
    ++m_turn;
    m_panel.grid().setAspect(batch.aspect);
    for (const auto& [transmit, picture] : batch.pictures) {
        m_panel.grid().setPicture(transmit, picture);
        m_made[static_cast<std::size_t>(transmit)] = {batch.frame, batch.key, m_turn};
    }
    const qint64 fitting =
        static_cast<qint64>(batch.pictures.size()) * kBatchMs / std::max<qint64>(batch.ms, 1);
    m_atOnce = std::clamp(static_cast<std::size_t>(fitting), kFewestAtOnce, kMostAtOnce);
}

} // namespace echolux
