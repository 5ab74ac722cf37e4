// SPDX-License-Identifier: GPL-3.0-or-later
// TOML to and from measurements.
#include "app/measure/measurement_file.hpp"

#include "app/toml/toml_text.hpp"
#include "embedded/phantomFiles.hpp"
#include "gpu/core/embedded_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace echolux::measure {
namespace {

constexpr std::uintmax_t kMostBytes = 1U << 20U;
constexpr const char* kFileKind = "file of measurements";
constexpr std::size_t kMostMeasurements = 1000;
constexpr const char* kPeaks = "peaks";
constexpr const char* kEdges = "edges";

class MeasurementReader {
public:
    explicit MeasurementReader(std::string origin) : m_origin(std::move(origin)) {}

    std::vector<Measurement> read(const toml::table& root) const {
        checkKeys(root, {"measurement", "title", "source"});
        const toml::node* list = root.get("measurement");
        std::vector<Measurement> all;
        if (list == nullptr) return all;
        const bool empty = list->is_array() && list->as_array()->empty();
        if (!empty && !list->is_array_of_tables())
            refuse(*list,
                   "'measurement' must be a list of tables; write [[measurement]] above each.");
        if (list->as_array()->size() > kMostMeasurements)
            refuse(*list, "there are more than {} measurements; divide them among files.",
                   kMostMeasurements);
        for (const toml::node& each : *list->as_array()) {
            Measurement made = readOne(*each.as_table());
            if (std::ranges::find(all, made.name, &Measurement::name) != all.end())
                refuse(each, "two measurements are called '{}'; rename one.", made.name);
            all.push_back(std::move(made));
        }
        for (std::size_t n = 0; n < all.size(); ++n)
            checkNamed(*list->as_array()->get(n), all[n], all);
        return all;
    }

private:
    template <class... Args> [[noreturn]] void
    refuse(const toml::node& at, fmt::format_string<Args...> sentence, Args&&... args) const {
        throw Error(fmt::format("{}, line {}: {}", m_origin, at.source().begin.line,
                                fmt::format(sentence, std::forward<Args>(args)...)));
    }

    void checkKeys(const toml::table& table, const std::vector<std::string>& allowed) const {
        for (const auto& [key, value] : table)
            if (std::ranges::find(allowed, key.str()) == allowed.end())
                refuse(value, "the key '{}' is not known{}; use {}.", std::string(key.str()),
                       didYouMean(key.str(), allowed), fmt::join(allowed, ", "));
    }

    std::string text(const toml::table& table, const char* key) const {
        const toml::node* node = table.get(key);
        if (node == nullptr) refuse(table, "the measurement has no '{}'.", key);
        const auto value = node->value_exact<std::string>();
        if (!value || value->empty()) refuse(*node, "'{}' must be text in quotes.", key);
        return *value;
    }

    Kind kindOf(const toml::table& table) const {
        const std::string kind = text(table, "kind");
        const auto* found =
            std::ranges::find(kAllKinds, kind, [](Kind each) { return nameOf(each); });
        if (found != kAllKinds.end()) return *found;
        std::vector<std::string_view> names;
        for (const Kind each : kAllKinds) names.push_back(nameOf(each));
        refuse(*table.get("kind"), "'{}' is no kind of measurement; use {}.", kind,
               fmt::join(names, ", "));
    }

    double number(const toml::node& node, const char* what) const {
        const auto value = node.value<double>();
        if (!value || !std::isfinite(*value) || std::abs(*value) > 1e9)
            refuse(node, "'{}' must be finite numbers.", what);
        return *value;
    }

    Place placeOf(const toml::node& node, const char* what) const {
        const toml::array* pair = node.as_array();
        if (pair == nullptr || pair->size() < 2 || pair->size() > 3)
            refuse(node, "'{}' must be a pair of numbers, as in [0.0, 20.0].", what);
        return {number(*pair->get(0), what), number(*pair->get(1), what),
                pair->size() == 3 ? number(*pair->get(2), what) : 0.0};
    }

    std::vector<Place> placesOf(const toml::table& table) const {
        const toml::node* node = table.get("places");
        if (node == nullptr)
            refuse(table, "the measurement has no 'places'; write [[lateral, depth], ...].");
        const toml::array* list = node->as_array();
        std::vector<Place> places;
        const auto pairs = [](const toml::node& each) {
            return each.is_array() &&
                   (each.as_array()->size() == 2 || each.as_array()->size() == 3);
        };
        if (list == nullptr || !std::ranges::all_of(*list, pairs))
            refuse(*node, "'places' must be pairs of numbers, as in [[0.0, 20.0]].");
        for (const toml::node& each : *list) places.push_back(placeOf(each, "places"));
        return places;
    }

    void checkPlaces(const toml::node& at, const Measurement& made) const {
        const std::size_t count = made.places.size();
        const auto need = [&](bool enough, const char* what) {
            if (!enough) refuse(at, "{} needs {}, not {}.", nameOf(made.kind), what, count);
        };
        switch (made.kind) {
        case Kind::Point:
        case Kind::Blob:
        case Kind::Calliper: return need(count == 1, "one place");
        case Kind::Line: return need(count == 2, "two places");
        case Kind::Envelope: return need(count == 2 || count == 0, "two opposite corners or none");
        case Kind::Rectangle: return need(count == 2, "two opposite corners");
        case Kind::Polyline: return need(count >= 2, "two places or more");
        case Kind::Angle: return need(count == 3, "three places");
        case Kind::Outline: return need(count >= 3, "three places or more");
        case Kind::Ellipse:
            need(count == 2, "its centre and two half axes");
            if (made.places[1].lateral <= 0.0 || made.places[1].depth <= 0.0)
                refuse(at, "the half axes of an ellipse must be above 0.");
            return;
        case Kind::Contrast:
        case Kind::Sensitivity: return;
        }
    }

    static std::vector<std::string> keysOf(Kind kind) {
        if (kind == Kind::Contrast) return {"name", "kind", "view", "inside", "outside"};
        if (kind == Kind::Sensitivity)
            return {"name", "kind", "view", "mirror", "noise", "attenuation"};
        std::vector<std::string> keys{"name", "kind", "view", "places"};
        if (kind == Kind::Point) keys.insert(keys.end(), {"search", "nominal"});
        if (kind == Kind::Blob) keys.insert(keys.end(), {"search", "threshold"});
        if (kind == Kind::Calliper) keys.insert(keys.end(), {"surfaces", "span", "width", "index"});
        return keys;
    }

    /// Leaves `value` where the key is missing.
    void positive(const toml::table& table, const char* key, double& value) const {
        const toml::node* node = table.get(key);
        if (node == nullptr) return;
        value = number(*node, key);
        if (value <= 0.0) refuse(*node, "'{}' must be above 0.", key);
    }

    void readSurfaces(const toml::table& table, Surfaces& surfaces) const {
        positive(table, "width", surfaces.width);
        positive(table, "index", surfaces.index);
        if (const toml::node* of = table.get("surfaces")) {
            const std::string name = text(table, "surfaces");
            if (name != kPeaks && name != kEdges)
                refuse(*of, "'surfaces' must be \"{}\" or \"{}\".", kPeaks, kEdges);
            if (name == kEdges) surfaces.of = Surfaces::Of::Edges;
        }
        const toml::node* span = table.get("span");
        if (span == nullptr) return;
        const toml::array* ends = span->as_array();
        if (ends == nullptr || ends->size() != 2)
            refuse(*span, "'span' must be two depths, as in [18.0, 22.0].");
        surfaces.span = {number(*ends->get(0), "span"), number(*ends->get(1), "span")};
        if (!(surfaces.span->from < surfaces.span->to))
            refuse(*span, "'span' must begin above where it ends.");
    }

    Measurement readOne(const toml::table& table) const {
        Measurement made{.name = text(table, "name"), .kind = kindOf(table)};
        if (table.contains("view")) made.view = text(table, "view");
        checkKeys(table, keysOf(made.kind));
        if (made.kind == Kind::Contrast) {
            made.inside = text(table, "inside");
            made.outside = text(table, "outside");
            return made;
        }
        if (made.kind == Kind::Sensitivity) {
            made.inside = text(table, "mirror");
            made.outside = text(table, "noise");
            if (const toml::node* loss = table.get("attenuation"))
                made.attenuationDb = number(*loss, "attenuation");
            return made;
        }
        made.places = placesOf(table);
        checkPlaces(table, made);
        positive(table, "search", made.search);
        positive(table, "threshold", made.threshold);
        if (const toml::node* nominal = table.get("nominal"))
            made.nominal = placeOf(*nominal, "nominal");
        if (made.kind == Kind::Calliper) readSurfaces(table, made.surfaces);
        return made;
    }

    /// What a contrast or a sensitivity names.
    void checkNamed(const toml::node& at, const Measurement& made,
                    const std::vector<Measurement>& all) const {
        if (isShape(made.kind)) return;
        if (made.inside == made.outside)
            refuse(at, "'{}' compares a region with itself; name two.", made.name);
        const auto check = [&](const std::string& name, bool isPoint) {
            const auto found = std::ranges::find(all, name, &Measurement::name);
            const bool fits = found != all.end() &&
                              (isPoint ? found->kind == Kind::Point : isRegion(found->kind));
            if (!fits)
                refuse(at, "'{}' names the {} '{}', which the file does not have.", made.name,
                       isPoint ? "point" : "region", name);
        };
        check(made.inside, made.kind == Kind::Sensitivity);
        check(made.outside, false);
    }

    std::string m_origin;
};

void insertSurfaces(toml::table& one, const Surfaces& surfaces) {
    one.insert("surfaces", surfaces.of == Surfaces::Of::Edges ? kEdges : kPeaks);
    if (surfaces.span) one.insert("span", toml::array{surfaces.span->from, surfaces.span->to});
    if (surfaces.width > 0.0) one.insert("width", surfaces.width);
    one.insert("index", surfaces.index);
}

toml::array pairOf(const Place& place) {
    toml::array pair{place.lateral, place.depth};
    if (place.elevation != 0.0) pair.push_back(place.elevation);
    return pair;
}

std::string textOf(const std::filesystem::path& path) {
    std::error_code failure;
    const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
    if (failure)
        throw Error(fmt::format("Cannot read '{}': {}; check the path and its spelling.",
                                path.string(), failure.message()));
    if (bytes > kMostBytes)
        throw Error(fmt::format("'{}' is larger than any file of measurements; choose another.",
                                path.string()));
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw Error(fmt::format("Cannot read '{}'.", path.string()));
    return text;
}

Phantom phantomOf(std::string_view text, const std::string& origin) {
    Phantom phantom{{}, {}, parseMeasurements(text, origin)};
    const toml::table root = tomlOf(text, origin, kFileKind);
    phantom.title = root["title"].value_or(std::string());
    phantom.source = root["source"].value_or(std::string());
    if (phantom.targets.empty() || phantom.targets.front().places.empty())
        throw Error(fmt::format("{} begins with no shape; name a first target.", origin));
    for (Measurement& each : phantom.targets)
        if (each.kind == Kind::Point) each.nominal = each.places.front();
    return phantom;
}

} // namespace

std::filesystem::path measurementsBeside(const std::filesystem::path& recording) {
    return recording.string() + ".echolux-measurements.toml";
}

std::vector<Measurement> parseMeasurements(std::string_view text, const std::string& origin) {
    return MeasurementReader(origin).read(tomlOf(text, origin, kFileKind));
}

std::vector<Measurement> readMeasurements(const std::filesystem::path& path) {
    return parseMeasurements(textOf(path), path.string());
}

std::vector<std::string> shippedPhantoms() {
    std::vector<std::string> names;
    for (const EmbeddedFile& file : phantomFiles())
        names.emplace_back(file.name.substr(0, file.name.rfind('.')));
    return names;
}

Phantom phantomNamed(const std::string& name) {
    if (name.ends_with(".toml")) return phantomOf(textOf(name), name);
    for (const EmbeddedFile& file : phantomFiles())
        if (file.name.substr(0, file.name.rfind('.')) == name)
            return phantomOf(file.text, std::string(file.name));
    throw Error(fmt::format("There is no phantom '{}'; choose one of {}, or give a file (.toml).",
                            name, fmt::join(shippedPhantoms(), ", ")));
}

std::vector<Measurement> targetsAt(const Phantom& phantom, const std::optional<Place>& first) {
    std::vector<Measurement> targets = phantom.targets;
    if (!first || targets.empty()) return targets;
    const Place from = targets.front().places.front();
    const auto move = [&](Place& place) {
        place.lateral += first->lateral - from.lateral;
        place.depth += first->depth - from.depth;
    };
    for (Measurement& each : targets) {
        for (Place& place : each.places) {
            move(place);
            if (each.kind == Kind::Ellipse) break; // its half axes follow
        }
        if (each.nominal) move(*each.nominal);
        if (each.surfaces.span) {
            each.surfaces.span->from += first->depth - from.depth;
            each.surfaces.span->to += first->depth - from.depth;
        }
    }
    return targets;
}

std::string toToml(const std::vector<Measurement>& measurements) {
    toml::array list;
    for (const Measurement& each : measurements) {
        toml::table one{{"name", each.name}, {"kind", std::string(nameOf(each.kind))}};
        if (!each.view.empty()) one.insert("view", each.view);
        if (each.kind == Kind::Contrast) {
            one.insert("inside", each.inside);
            one.insert("outside", each.outside);
        } else if (each.kind == Kind::Sensitivity) {
            one.insert("mirror", each.inside);
            one.insert("noise", each.outside);
            one.insert("attenuation", each.attenuationDb);
        } else {
            toml::array places;
            for (const Place& place : each.places) places.push_back(pairOf(place));
            one.insert("places", std::move(places));
            const bool searches = each.kind == Kind::Point || each.kind == Kind::Blob;
            if (searches) one.insert("search", each.search);
            if (each.kind == Kind::Blob) one.insert("threshold", each.threshold);
            if (each.nominal) one.insert("nominal", pairOf(*each.nominal));
            if (each.kind == Kind::Calliper) insertSurfaces(one, each.surfaces);
        }
        list.push_back(std::move(one));
    }
    std::ostringstream text;
    text
        << "# Measurements of Echolux. Places are lateral and depth in mm, or in pixels where the\n"
           "# image has no scale; over time ms, then mm or cm/s. See 'echolux help measure'.\n";
    text << toml::table{{"measurement", std::move(list)}} << '\n';
    return text.str();
}

} // namespace echolux::measure
