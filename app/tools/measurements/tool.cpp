// SPDX-License-Identifier: GPL-3.0-or-later
// From clicks and regions to measurements, and from pixels to figures.
#include "app/tools/measurements/tool.hpp"

#include "app/measure/measurement_file.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/session/document/document.hpp"
#include "app/tools/measurements/boxes.hpp"
#include "app/tools/measurements/panel.hpp"
#include "app/tools/measurements/pixels_measured.hpp"
#include "app/tools/measurements/shown_figures.hpp"
#include "gpu/core/error.hpp"
#include "ui/views/overlay/named_shapes.hpp"

#include <QSettings>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace echolux {
namespace {

using measure::Kind;
using measure::Measurement;

QString worded(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

/// Shapes whose places are moved one by one.
bool hasHandles(Kind kind) {
    return kind == Kind::Line || kind == Kind::Polyline || kind == Kind::Angle ||
           kind == Kind::Outline;
}

constexpr double kMmPerM = 1e3;
constexpr const char* kInEachViewKey = "measurements/figures_in_each_view";

} // namespace

namespace tools {

ToolType measurements();
ToolType measurements() {
    ToolType type = toolType<MeasurementsPanel, MeasurementsTool>("measurements", "Measurements");
    type.menu = ToolType::Menu::Measure;
    return type;
}

} // namespace tools

MeasurementsTool::MeasurementsTool(MeasurementsPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_sweep(panel.sweep(), bench), m_histogram(panel),
      m_sideBySide(bench), m_paper(new MeasurementPaper(panel, bench)),
      m_keeper(new MeasurementKeeper(panel, bench)) {
    connect(&bench, &Workbench::measured, this, &MeasurementsTool::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &MeasurementsTool::follow);
    connect(&bench, &Workbench::recordingChanged, this, &MeasurementsTool::readFile);
    connect(&bench, &Workbench::pipelineChanged, this, &MeasurementsTool::offerViews);
    connect(&bench, &Workbench::placePickedOn, this, &MeasurementsTool::chooseView);
    connect(&panel, &MeasurementsPanel::viewChosen, this,
            [this](int view) { chooseView(static_cast<std::size_t>(view)); });
    connect(&panel, &SeenWidget::cameIntoSight, this, &MeasurementsTool::follow);
    connect(&panel, &MeasurementsPanel::toolWanted, this, &MeasurementsTool::take);
    connect(&panel, &MeasurementsPanel::removeWanted, this, &MeasurementsTool::remove);
    bench.document().add(documentPart<std::vector<Measurement>>(
        [this] { return m_measurements; },
        [this](const auto& /*from*/, const auto& to) {
            m_measurements = to;
            changed();
            return std::string();
        },
        std::equal_to<>(),
        {"measurements", [this] { return textOfAll(); },
         [this](const std::string& text) { takeText(text); }}));
    bench.showOver(0, m_box);
    for (std::size_t view = 0; view < kMostViews; ++view) {
        m_drawings.push_back(std::make_unique<DrawingOverlay>(DrawingOverlay::Told{
            [this, view](const std::vector<Vec2>& places) { drawn(view, places); },
            [this] { take(std::nullopt); }}));
        bench.showOver(view, *m_drawings.back());
    }
    connect(&panel, &MeasurementsPanel::saveWanted, this, &MeasurementsTool::save);
    connect(&panel, &MeasurementsPanel::comparingWanted, this, &MeasurementsTool::compare);
    connect(&panel, &MeasurementsPanel::figureWanted, this,
            [this] { onNextImage(&MeasurementPaper::askFigure); });
    connect(&panel, &MeasurementsPanel::reportWanted, this,
            [this] { onNextImage(&MeasurementPaper::askReport); });
    connect(&panel, &MeasurementsPanel::renamed, this, &MeasurementsTool::rename);
    keepHabits();
    connect(&panel, &MeasurementsPanel::selectionChanged, this, &MeasurementsTool::showShapes);
}

void MeasurementsTool::keepHabits() {
    connect(&m_panel, &MeasurementsPanel::inEachViewWanted, &m_sideBySide, &SideBySide::setShown);
    connect(&m_bench, &Workbench::habitsRestored, this, [this](const QSettings& store) {
        m_panel.setInEachView(store.value(kInEachViewKey, true).toBool());
    });
    connect(&m_bench, &Workbench::habitsKept, this,
            [this](QSettings& store) { store.setValue(kInEachViewKey, m_sideBySide.isShown()); });
}

void MeasurementsTool::readFile() {
    m_measurements = m_keeper->take();
    m_asked = nullptr;
    take(std::nullopt);
    m_measured.reset();
    m_sweep.forget();
    measureNow();
}

std::string MeasurementsTool::textOfAll() const {
    return m_measurements.empty() ? std::string() : measure::toToml(m_measurements);
}

void MeasurementsTool::takeText(const std::string& text) {
    m_measurements = measure::parseMeasurements(text, "the measurements below this line");
    changed();
}

void MeasurementsTool::offerViews() {
    if (!m_bench.isOpen()) return;
    QStringList names;
    for (const ViewState& view : m_bench.snapshot()->views)
        names += worded(view.label.empty() ? view.id : view.label);
    if (m_view >= static_cast<std::size_t>(names.size())) chooseView(0);
    m_panel.setViews(names, static_cast<int>(m_view));
    followView();
}

/// An envelope is measured on sonograms alone.
void MeasurementsTool::followView() {
    const SnapshotPtr snapshot = m_bench.snapshot();
    m_panel.setOnSonogram(
        m_view < snapshot->views.size() &&
        snapshot->outputOf(snapshot->views[m_view].source).find(AxisName::Velocity) != nullptr);
}

void MeasurementsTool::chooseView(std::size_t view) {
    if (view == m_view) return;
    m_view = view;
    m_panel.chooseView(static_cast<int>(view));
    if (m_bench.isOpen()) followView();
    measureNow();
    follow();
}

std::string MeasurementsTool::viewName() const {
    if (m_view == 0 || !m_bench.isOpen()) return {};
    const SnapshotPtr snapshot = m_bench.snapshot();
    return m_view < snapshot->views.size() ? snapshot->views[m_view].id : std::string();
}

std::vector<Measurement> MeasurementsTool::onThisView() const {
    return onView(m_measurements, viewName(), m_view == 0);
}

MeasuredPlaces MeasurementsTool::places() const {
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (m_view >= snapshot->views.size()) return {};
    const FrameSpec& image = snapshot->outputOf(snapshot->views[m_view].source);
    return image.axes.size() == 2 ? MeasuredPlaces(image) : MeasuredPlaces();
}

measure::Place MeasurementsTool::measured(const Vec2& place) const {
    measure::Place found = places().measured(place);
    const SnapshotPtr snapshot = m_bench.snapshot();
    if (m_view >= snapshot->views.size()) return found;
    const FrameSpec& image = snapshot->outputOf(snapshot->views[m_view].source);
    if (const Axis* planes = image.find(AxisName::Elevation))
        found.elevation =
            measure::measuredPerAxis(*planes) *
            (planes->origin + planes->spacing * static_cast<double>(m_bench.chosenBscan()));
    return found;
}

void MeasurementsTool::save() {
    if (m_bench.isOpen()) m_keeper->save(m_measurements);
}

void MeasurementsTool::edit(const std::string& what, const std::function<void()>& change,
                            const std::string& gesture) {
    Document& document = m_bench.document();
    const Document::States before = document.states();
    change();
    document.done({.what = what, .detail = "Measurements: " + what, .gesture = gesture}, before);
    changed();
}

void MeasurementsTool::changed() {
    m_keeper->follow(m_measurements);
    measureNow();
}

std::string MeasurementsTool::freeName(const std::string& kind) const {
    for (std::size_t n = 1;; ++n) {
        std::string name = kind + ' ' + std::to_string(n);
        if (std::ranges::find(m_measurements, name, &Measurement::name) == m_measurements.end())
            return name;
    }
}

void MeasurementsTool::add(Measurement made) {
    made.name = freeName(std::string(nameOf(made.kind)));
    made.view = viewName();
    const std::string name = made.name;
    edit(name, [&] { m_measurements.push_back(std::move(made)); });
    m_panel.select(worded(name));
}

/// What compares a removed region goes with it.
void MeasurementsTool::remove() {
    edit("removing " + m_panel.selected().join(", ").toStdString(), [this] {
        for (const QString& chosen : m_panel.selected()) {
            const std::string name = chosen.toStdString();
            std::erase_if(m_measurements, [&](const Measurement& each) {
                return each.name == name || each.inside == name || each.outside == name;
            });
        }
    });
}

void MeasurementsTool::move(const std::function<void(Measurement&)>& change) {
    const QStringList selected = m_panel.selected();
    if (selected.size() != 1) return;
    const auto shape =
        std::ranges::find(m_measurements, selected[0].toStdString(), &Measurement::name);
    if (shape == m_measurements.end() || !isShape(shape->kind)) return;
    const std::string what = "moving " + shape->name;
    edit(
        what, [&] { change(*shape); }, what);
}

void MeasurementsTool::drag(const Rect& box) {
    move([&](Measurement& shape) {
        moveTo(shape,
               {box.left * kMmPerM, box.top * kMmPerM, box.right * kMmPerM, box.bottom * kMmPerM},
               m_axes);
    });
}

void MeasurementsTool::moveHandle(std::size_t handle, Vec2 to) {
    move([&](Measurement& shape) {
        if (handle < shape.places.size()) shape.places[handle] = measured(to);
    });
}

void MeasurementsTool::rename(const QString& from, const QString& to) {
    const std::string former = from.toStdString();
    const std::string name = to.toStdString();
    const bool taken =
        std::ranges::find(m_measurements, name, &Measurement::name) != m_measurements.end();
    if (taken) m_bench.inform(QString("Another measurement is called '%1'.").arg(to));
    if (name.empty() || taken) return measureNow();
    for (measure::Measured& each : m_reference)
        if (each.name == former) each.name = name;
    edit("renaming " + former, [&] {
        for (Measurement& each : m_measurements)
            for (std::string* part : {&each.name, &each.inside, &each.outside})
                if (*part == former) *part = name;
    });
}

void MeasurementsTool::compare(bool on) {
    if (on && m_figures.empty())
        m_bench.inform("Measure something first: its figures become the reference.");
    m_reference = on ? m_figures : std::vector<measure::Measured>();
    m_panel.setComparing(!m_reference.empty());
    measureNow();
}

void MeasurementsTool::onNextImage(void (MeasurementPaper::*ask)()) {
    if (!m_bench.isOpen()) return m_bench.inform("Open a recording first: its image is drawn.");
    m_asked = ask;
    m_askedBefore = false;
    follow();
}

/// Measures what has been copied since, and asks for the next copy.
void MeasurementsTool::follow() {
    if (!m_bench.isOpen()) return;
    const bool measures = m_panel.isSeen() && !onThisView().empty();
    if (!measures) m_box.show(std::nullopt);
    if (!measures && m_asked == nullptr) return;
    auto& look = m_bench.look<PixelsLook>();
    if (look.latest(m_view) != m_measured) measureNow();
    look.want(m_view);
    // The first call has asked for a copy; the next one has it.
    if (m_asked != nullptr && std::exchange(m_askedBefore, true) && m_measured != nullptr)
        (m_paper->*std::exchange(m_asked, nullptr))();
}

void MeasurementsTool::measureNow() {
    m_measured = m_bench.isOpen() ? m_bench.look<PixelsLook>().latest(m_view) : nullptr;
    const std::vector<Measurement> here = onThisView();
    QList<ShownMeasurement> shown;
    m_figures.clear();
    std::optional<measure::MeasuredImage> image;
    try {
        if (m_measured == nullptr) throw Error("No image has been measured yet.");
        image = measuredImage(*m_measured);
        m_axes = {image->lateral, image->depth};
        m_figures = measure::measureAll(*image, here);
        shown = shownFigures(m_figures, m_reference);
    } catch (const Error& error) {
        for (const Measurement& each : here)
            shown += ShownMeasurement{
                worded(each.name), worded(nameOf(each.kind)), {}, QString::fromUtf8(error.what())};
    }
    m_panel.setMeasurements(shown);
    m_sideBySide.setMeasurements(m_view, here);
    showShapes();
    m_histogram.setMeasurements(std::move(image), here);
    m_paper->setMeasurements(m_measured, here, m_figures);
    if (m_view == 0) m_sweep.setMeasurements(here, m_figures);
}

std::vector<Vec2> MeasurementsTool::outlineInView(const Measurement& made,
                                                  const MeasuredPlaces& inView) {
    std::vector<Vec2> outline;
    for (const measure::Place& place : outlineOf(made)) outline.push_back(inView.inView(place));
    return outline;
}

/// The name of the selected shape stands at its box.
void MeasurementsTool::showShapes() {
    const QStringList selected = m_panel.selected();
    const Measurement* boxed = boxedShape();
    const MeasuredPlaces inView = m_bench.isOpen() ? places() : MeasuredPlaces();
    std::vector<NamedShape> shapes;
    for (const Measurement& each : measure::asDrawn(onThisView(), m_figures)) {
        if (!isShape(each.kind)) continue;
        const QString name = worded(each.name);
        shapes.push_back(
            {name, outlineInView(each, inView), isRegion(each.kind), selected.contains(name)});
    }
    m_sideBySide.setShapes(shapes);
    for (NamedShape& each : shapes)
        if (boxed != nullptr && each.name == worded(boxed->name)) each.name.clear();
    std::vector<Vec2> handles;
    for (const Measurement& each : onThisView())
        if (selected == QStringList{worded(each.name)} && hasHandles(each.kind))
            for (const measure::Place& place : each.places) handles.push_back(inView.inView(place));
    m_bench.showOver(m_view, m_handles);
    m_handles.show(std::move(handles));
    m_bench.showOver(m_view, m_shapes);
    m_shapes.show(std::move(shapes));
    if (boxed == nullptr) return m_box.show(std::nullopt);
    const Rect box = boxOf(*boxed, m_axes);
    m_box.show(
        Rect{box.left / kMmPerM, box.top / kMmPerM, box.right / kMmPerM, box.bottom / kMmPerM},
        worded(boxed->name));
}

const Measurement* MeasurementsTool::boxedShape() const {
    const QStringList selected = m_panel.selected();
    if (selected.size() != 1) return nullptr;
    const auto shape =
        std::ranges::find(m_measurements, selected[0].toStdString(), &Measurement::name);
    const bool scaled = m_view == 0 && m_measured != nullptr && !m_measured->spec.axes.empty() &&
                        m_measured->spec.axes.back().unit == "m";
    const bool none = shape == m_measurements.end() || !isShape(shape->kind) || !scaled;
    return none ? nullptr : &*shape;
}

} // namespace echolux
