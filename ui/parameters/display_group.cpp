// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the section "Display".
#include "ui/parameters/display_group.hpp"

#include "render/view/colour_map.hpp"
#include "render/view/display_settings.hpp"
#include "ui/controls/combo_box.hpp"
#include "ui/controls/small_buttons.hpp"
#include "ui/parameters/simple_editors.hpp"
#include "ui/theme/theme.hpp"

#include <QImage>
#include <QPixmap>
#include <QVBoxLayout>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace echolux {
namespace {

constexpr QSize kPreview(48, 10);
const QString kTitle = QStringLiteral("Display");
// Rows of views that are drawn over another one.
constexpr const char* kOpacity = "opacity";
constexpr const char* kPriority = "priority";
// Rows of views that particles are drawn in.
constexpr const char* kParticles = "particles";
constexpr const char* kParticleCount = "particle_count";
constexpr const char* kParticlePace = "particle_pace";

QIcon preview(const ColourMap& map, bool inverted) {
    QImage image(kPreview, QImage::Format_RGB32);
    const int last = static_cast<int>(ColourMap::kEntries) - 1;
    for (int x = 0; x < kPreview.width(); ++x) {
        const int place = x * last / (kPreview.width() - 1);
        const auto entry = static_cast<std::size_t>(inverted ? last - place : place);
        for (int y = 0; y < kPreview.height(); ++y) image.setPixel(x, y, map.colour[entry]);
    }
    return QPixmap::fromImage(image);
}

std::string capitalised(std::string_view name) {
    std::string text(name);
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

struct Field {
    const char* key;
    ParamValue (*read)(const DisplayChoice&);
};

const Field kFields[] = {
    {"colour_map", [](const DisplayChoice& s) -> ParamValue { return s.colourMap.toStdString(); }},
    {"inverted", [](const DisplayChoice& s) -> ParamValue { return s.inverted; }},
    {"max", [](const DisplayChoice& s) -> ParamValue { return s.max; }},
    {"min", [](const DisplayChoice& s) -> ParamValue { return s.min; }},
    {"gamma", [](const DisplayChoice& s) -> ParamValue { return s.gamma; }},
    {"smooth", [](const DisplayChoice& s) -> ParamValue { return s.smooth; }},
    {kOpacity, [](const DisplayChoice& s) -> ParamValue { return s.opacity; }},
    {kPriority, [](const DisplayChoice& s) -> ParamValue { return s.priority; }},
    {kParticles, [](const DisplayChoice& s) -> ParamValue { return s.particles; }},
    {kParticleCount,
     [](const DisplayChoice& s) -> ParamValue { return std::int64_t{s.particleCount}; }},
    {kParticlePace, [](const DisplayChoice& s) -> ParamValue { return s.particlePace; }},
};

} // namespace

DisplayGroup::DisplayGroup(const RowColumns& columns, QWidget* parent)
    : CollapsibleGroup(kTitle, parent), m_columns(columns) {
    connect(dot(), &ResetDot::clicked, this, [this] {
        setSettings(m_defaults);
        emit edited(m_settings);
    });
    rebuild();
}

void DisplayGroup::setRangeLimits(double lowest, double highest, const QString& unit) {
    if (lowest == m_lowest && highest == m_highest && unit == m_unit) return;
    m_lowest = lowest;
    m_highest = highest;
    m_unit = unit;
    rebuild();
}

void DisplayGroup::rebuild() {
    for (ParamRowWidget* each : m_rows) {
        body()->removeWidget(each);
        each->hide();
        each->disconnect(this);
        each->deleteLater();
    }
    m_rows.clear();
    const double step = m_unit == "dB" ? 1.0 : (m_highest - m_lowest) / 100.0;
    const auto number = [&](const char* key, const char* label, const char* help) {
        return ParamRow{.key = key,
                        .label = label,
                        .unit = m_unit.toStdString(),
                        .min = m_lowest,
                        .max = m_highest,
                        .step = step,
                        .help = help};
    };
    ParamRow map{.key = "colour_map",
                 .label = "Colour map",
                 .help = "Colours from the lowest value to the highest. Next one: M."};
    map.type = ParamType::Choice;
    for (const ColourMap& each : colourMaps()) {
        map.choices.push_back({std::string(each.name), capitalised(each.name)});
    }
    ParamRow inverted{
        .key = "inverted", .label = "Inverted", .help = "Swaps the ends of the colour map."};
    ParamRow smooth{.key = "smooth",
                    .label = "Smooth",
                    .help = "Interpolates between pixels; off shows each pixel as a rectangle."};
    const ParamRow gamma{
        .key = "gamma",
        .label = "Gamma",
        .min = 0.2,
        .max = 5.0,
        .step = 0.01,
        .scale = ParamScale::Log,
        .help = "Exponent between Minimum and Maximum; below 1 brightens dark values."};
    const ParamRow opacity{
        .key = kOpacity,
        .label = "Overlay opacity",
        .min = 0.0,
        .max = 1.0,
        .step = 0.01,
        .help = "Of colours that are drawn over another image: 1 hides it, 0 shows it alone."};
    const ParamRow priority{
        .key = kPriority,
        .label = "Overlay priority",
        .min = 0.0,
        .max = 1.0,
        .step = 0.01,
        .help = "Colours are drawn where the image beneath is at most this bright; 1 is its "
                "brightest grey. Lower it to keep colours off bright walls."};
    ParamRow particles{.key = kParticles,
                       .label = "Particles",
                       .help = "Draws particles that the flow carries, over the colours of its "
                               "speed. They stand still while playback is frozen."};
    ParamRow count{.key = kParticleCount,
                   .label = "Particle count",
                   .min = 1.0,
                   .max = ParticleSettings::kMost,
                   .step = 1.0,
                   .scale = ParamScale::Log,
                   .help = "Particles in the whole image. All are where something flows."};
    const ParamRow pace{
        .key = kParticlePace,
        .label = "Particle pace",
        .min = 0.01,
        .max = 1.0,
        .step = 0.01,
        .scale = ParamScale::Log,
        .help = "At 1 a particle moves from picture to picture as far as the blood did; at 0.1 a "
                "tenth of it, which the eye follows more easily."};
    count.type = ParamType::Integer;
    inverted.type = smooth.type = particles.type = ParamType::Flag;
    for (const ParamRow& row :
         {map, inverted,
          number("max", "Maximum",
                 "Value shown in the brightest colour. It changes only colours; the dynamic range "
                 "of the logarithm limits the values themselves. A fits Minimum and Maximum to the "
                 "image."),
          number("min", "Minimum",
                 "Value shown in the darkest colour; fainter values look the same. It changes only "
                 "colours; the dynamic range of the logarithm limits how faint values can be."),
          gamma, smooth, opacity, priority, particles, count, pace}) {
        auto* widget = new ParamRowWidget("display", row, {}, m_columns, this);
        body()->addWidget(widget);
        m_rows.push_back(widget);
        connect(widget, &ParamRowWidget::edited, this, &DisplayGroup::take);
    }
    setDefaults(m_defaults);
    setSettings(m_settings);
    showRows();
}

bool DisplayGroup::filter(const QString& needle) {
    m_needle = kTitle.contains(needle, Qt::CaseInsensitive) ? QString() : needle;
    const bool any = showRows();
    setForcedOpen(!needle.isEmpty() && any);
    setVisible(any);
    return any;
}

void DisplayGroup::setBlends(bool blends) {
    if (std::exchange(m_blends, blends) != blends) showRows();
}

void DisplayGroup::setMoves(bool moves) {
    if (std::exchange(m_moves, moves) != moves) showRows();
}

bool DisplayGroup::showRows() {
    bool any = false;
    for (ParamRowWidget* each : m_rows) {
        const bool blends = each->key() == kOpacity || each->key() == kPriority;
        const bool moves = each->key() == kParticles || each->key() == kParticleCount ||
                           each->key() == kParticlePace;
        const bool shown = (m_needle.isEmpty() || each->matches(m_needle)) &&
                           (m_blends || !blends) && (m_moves || !moves);
        each->setVisible(shown);
        any = any || shown;
    }
    return any;
}

ParamRowWidget* DisplayGroup::row(const QString& key) const {
    const auto at = std::ranges::find(m_rows, key, &ParamRowWidget::key);
    return at == m_rows.end() ? nullptr : *at;
}

void DisplayGroup::setSettings(const DisplayChoice& settings) {
    m_settings = settings;
    for (const Field& field : kFields) row(field.key)->setValue(field.read(settings));
    showPreviews();
    refreshDot();
}

void DisplayGroup::setDefaults(const DisplayChoice& settings) {
    m_defaults = settings;
    for (const Field& field : kFields) row(field.key)->setDefault(field.read(settings));
    refreshDot();
}

void DisplayGroup::setRange(double min, double max) {
    DisplayChoice next = m_settings;
    next.min = min;
    next.max = max;
    setSettings(next);
}

void DisplayGroup::refreshDot() {
    dot()->setShown(std::ranges::any_of(m_rows, &ParamRowWidget::differs));
}

void DisplayGroup::showPreviews() {
    const auto* editor = qobject_cast<ChoiceEditor*>(row("colour_map")->editor());
    editor->control()->setIconSize(kPreview);
    int index = 0;
    for (const ColourMap& map : colourMaps()) {
        editor->control()->setItemIcon(index++, preview(map, m_settings.inverted));
    }
}

void DisplayGroup::take(const QString& key, const ParamValue& value) {
    const double gap = (m_highest - m_lowest) / 1000.0;
    DisplayChoice next = m_settings;
    if (key == "colour_map") next.colourMap = QString::fromStdString(std::get<std::string>(value));
    if (key == "inverted") next.inverted = std::get<bool>(value);
    if (key == "gamma") next.gamma = std::get<double>(value);
    if (key == "smooth") next.smooth = std::get<bool>(value);
    if (key == kOpacity) next.opacity = std::get<double>(value);
    if (key == kPriority) next.priority = std::get<double>(value);
    if (key == kParticles) next.particles = std::get<bool>(value);
    if (key == kParticleCount) next.particleCount = static_cast<int>(std::get<std::int64_t>(value));
    if (key == kParticlePace) next.particlePace = std::get<double>(value);
    // Each end moves the other where they meet, so that the range is never reversed.
    if (key == "min") {
        next.min = std::min(std::get<double>(value), m_highest - gap);
        next.max = std::max(next.max, next.min + gap);
    }
    if (key == "max") {
        next.max = std::max(std::get<double>(value), m_lowest + gap);
        next.min = std::min(next.min, next.max - gap);
    }
    setSettings(next);
    emit edited(m_settings);
}

void DisplayGroup::nextColourMap() {
    const auto maps = colourMaps();
    const std::string current = m_settings.colourMap.toStdString();
    const auto at = std::ranges::find(maps, std::string_view(current), &ColourMap::name);
    const auto next = at == maps.end() ? 0 : (at - maps.begin() + 1) % std::ssize(maps);
    take("colour_map", std::string(maps[static_cast<std::size_t>(next)].name));
}

} // namespace echolux
