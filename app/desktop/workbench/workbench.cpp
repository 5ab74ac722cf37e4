// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the workbench to the session, the views and the desks.
#include "app/desktop/workbench/workbench.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/session/session.hpp"
#include "ui/views/drawn_region.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/image_view.hpp"
#include "ui/views/view_area.hpp"

#include <utility>

namespace echolux {

Workbench::Workbench(Session& session, Background& background, ViewArea& views, Document& document,
                     Means means)
    : m_session(session), m_background(background), m_views(views), m_document(document),
      m_means(std::move(means)) {
    connect(&views.bscan(), &ImageView::framePresented, this, &Workbench::framePresented);
    connect(&views.bscan(), &ImageView::placePicked, this, &Workbench::placePicked);
    const auto tellRange = [this](const ImageView& view) {
        connect(&view, &ImageView::displayRangeChanged, this, &Workbench::displayRangeChanged);
    };
    const auto tellPlaces = [this](const ImageView& view, std::size_t number) {
        connect(&view, &ImageView::placePicked, this,
                [this, number](const Vec2& place) { emit placePickedOn(number, place); });
    };
    tellRange(views.bscan());
    tellPlaces(views.bscan(), 0);
    for (int i = 0; i < FurtherViews::kMost; ++i) {
        tellRange(views.further().view(i));
        tellPlaces(views.further().view(i), static_cast<std::size_t>(i) + 1);
    }
}

bool Workbench::isOpen() const { return m_session.isOpen(); }

const BackendChoice& Workbench::backend() const { return m_session.backend(); }

const RecordingInfo& Workbench::recording() const { return m_session.recording(); }

SnapshotPtr Workbench::snapshot() const { return m_session.snapshot(); }

std::int64_t Workbench::shownFrame() const { return m_session.mailbox().shownFrame(); }

std::int64_t Workbench::chosenBscan() const { return m_session.mailbox().chosenBscan(); }

bool Workbench::isPlaying() const { return m_session.isPlaying(); }

bool Workbench::showsVolume() const { return m_views.hasVolume(); }

std::vector<FrameTrace> Workbench::traces() const { return m_session.traces().latest(); }

Look& Workbench::look(const LookType& type) const { return m_session.look(type); }

std::vector<LiveParameter> Workbench::liveParameters() const {
    LiveRecording* live = m_session.live();
    return live != nullptr ? live->source().parameters() : std::vector<LiveParameter>{};
}

std::vector<std::pair<std::string, std::string>> Workbench::liveReadouts() const {
    LiveRecording* live = m_session.live();
    if (live == nullptr) return {};
    return live->source().readouts();
}

void Workbench::setLiveParameter(const std::string& key, double value) {
    LiveRecording* live = m_session.live();
    if (live == nullptr) return;
    live->source().setParameter(key, value);
    emit liveParameterSet(key, value);
}

std::function<Workbench::RawFrame()> Workbench::rawFrameReader() const {
    return [engine = m_session.shared()] {
        Engine::RawCopy shown = engine->copyShownRaw();
        return RawFrame{shown.frame, std::move(shown.bytes)};
    };
}

std::optional<Region> Workbench::drawnRegion(std::size_t view) const {
    return view == 0 ? m_views.region().region() : std::nullopt;
}

ImageView* Workbench::viewOf(std::size_t number) const {
    if (number == 0) return &m_views.bscan();
    const int further = static_cast<int>(number) - 1;
    return further < m_views.further().count() ? &m_views.further().view(further) : nullptr;
}

std::optional<Workbench::DisplayRange> Workbench::displayRange(std::size_t view) const {
    const ImageView* image = viewOf(view);
    if (image == nullptr || !image->hasImage()) return std::nullopt;
    const auto [scaleMin, scaleMax] = image->scale();
    DisplayRange range{image->displayMin(), image->displayMax(), scaleMin, scaleMax};
    if (const auto& meant = image->spec().valueRange) {
        range.unit = meant->unit;
        range.reference = meant->reference;
    }
    range.colourMap = image->colourMapName().toStdString();
    range.gamma = image->gamma();
    range.inverted = image->inverted();
    return range;
}

QString Workbench::inLabels(const std::string& sentence) const {
    return echolux::inLabels(sentence, *m_session.snapshot());
}

void Workbench::timeSeparately(bool separately) {
    if (isOpen()) m_session.timeSeparately(separately);
}

void Workbench::traceFrames(bool on) {
    if (isOpen()) m_session.traces().turn(on);
}

void Workbench::editDisplayRange(std::size_t view, double min, double max) {
    if (ImageView* image = viewOf(view); image != nullptr && image->hasImage())
        image->editDisplayRange(min, max);
}

void Workbench::edit(const std::string& stage, const std::string& key, const ParamValue& value) {
    emit setValue(QString::fromStdString(stage), QString::fromStdString(key), value);
}

QString Workbench::edit(const StepName& step, const std::vector<Value>& values) {
    return isOpen() ? m_means.step(step, [&] { set(values); }) : QString();
}

QString Workbench::show(const std::vector<Value>& values) {
    return isOpen() ? m_means.attempt([&] { set(values); }) : QString();
}

QString Workbench::edit(const StepName& step, const PipelineConfig& pipeline) {
    return isOpen() ? m_means.step(step, [&] { m_session.applyPipeline(pipeline); }) : QString();
}

void Workbench::set(const std::vector<Value>& values) {
    for (const Value& each : values) m_session.setValue(each.stage, each.key, each.value);
}

bool Workbench::editPipeline(const QString& what,
                             const std::function<PipelineConfig(const Snapshot& now)>& make) {
    if (!isOpen()) return false;
    return m_means.editPipeline(what, [this, &make] { return make(*m_session.snapshot()); });
}

void Workbench::focusImage() { m_views.bscan().setFocus(Qt::OtherFocusReason); }

void Workbench::throwAway(std::shared_ptr<void> held) { m_background.throwAway(std::move(held)); }

void Workbench::compute(Background::Work work) {
    m_background.start(Background::Kind::Quiet, {}, std::move(work));
}

void Workbench::showOver(std::size_t view, Overlay& overlay) {
    const auto show = [&](std::size_t number, ImageView& image) {
        if (number == view) {
            image.add(overlay);
        } else {
            image.remove(overlay);
        }
    };
    show(0, m_views.bscan());
    for (int i = 0; i < FurtherViews::kMost; ++i)
        show(static_cast<std::size_t>(i) + 1, m_views.further().view(i));
}

} // namespace echolux
