// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes device files.
#include "app/prediction/device_file.hpp"

#include "app/prediction/toml_reader.hpp"
#include "app/toml/toml_text.hpp"
#include "embedded/deviceFiles.hpp"
#include "gpu/core/embedded_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace echolux {
namespace {

using model::Device;
using model::Rates;
using model::Row;

constexpr const char* kGpu = "gpu";
constexpr const char* kCpu = "cpu";
constexpr const char* kOverlaps = "overlaps_copies";
constexpr const char* kAtBeginning = "at its beginning";
constexpr std::string_view kEnding = ".toml";

/// Reads one file.
class Reader : TomlReader {
public:
    using TomlReader::TomlReader;

    Device read(const toml::table& root) const {
        checkKeys(root,
                  {"name", "kind", kOverlaps, "sources", "chip", "limits", "theory", "measured"});
        Device device;
        device.id = std::filesystem::path(origin()).stem().string();
        device.name = text(root, "name", "the name that the driver reports", kAtBeginning);
        const std::string kind = text(root, "kind", "\"gpu\" or \"cpu\"", kAtBeginning);
        if (kind != kGpu && kind != kCpu)
            refuse(*root.get("kind"), "'kind' is \"{}\"; write \"gpu\" or \"cpu\".", kind);
        device.isCpu = kind == kCpu;
        if (const toml::node* overlaps = root.get(kOverlaps)) {
            const auto value = overlaps->value_exact<bool>();
            if (!value) refuse(*overlaps, "'{}' must be true or false.", kOverlaps);
            device.overlapsCopies = *value;
        }
        device.sources = sourcesOf(root);
        readNumbers(root, "chip", model::chipRows(), device.chip);
        readNumbers(root, "limits", model::limitRows(), device.limits);
        Rates given;
        readNumbers(root, "theory", model::rateRows(), given);
        readNumbers(root, "measured", model::rateRows(), device.measured);
        for (const auto& row : model::chipRows().first(2))
            if (device.chip.*row.member <= 0.0) missing("chip", row);
        device.theory = completed(given, theoryOf(device.chip));
        for (const Row<Rates>& row : model::rateRows())
            if (isNeeded(row) && device.theory.*row.member <= 0.0) missing("theory", row);
        return device;
    }

private:
    template <class S> [[noreturn]] void missing(std::string_view table, const Row<S>& row) const {
        throw Error(fmt::format(
            "{} gives no '{}'; write '{} = ...'{} ({}) below [{}].", origin(), row.key, row.key,
            *row.unit == '\0' ? "" : " in " + std::string(row.unit), row.help, table));
    }

    /// Copies, the last cache, launch and latency may be unknown.
    static bool isNeeded(const Row<Rates>& row) {
        for (const auto rate :
             {&Rates::ffma, &Rates::fmul, &Rates::fadd, &Rates::special, &Rates::offsetHigh,
              &Rates::offsetLow, &Rates::global, &Rates::shared})
            if (row.member == rate) return true;
        return false;
    }

    std::vector<std::string> sourcesOf(const toml::table& root) const {
        const toml::node* node = root.get("sources");
        if (node == nullptr)
            throw Error(fmt::format("{} gives no 'sources'; write 'sources = [\"...\"]' with where "
                                    "its figures come from.",
                                    origin()));
        const toml::array* list = node->as_array();
        if (list == nullptr || list->empty())
            refuse(*node, "'sources' must be a list of at least one text in quotes.");
        std::vector<std::string> sources;
        for (const toml::node& each : *list) {
            const auto value = each.value_exact<std::string>();
            if (!value) refuse(each, "each of the 'sources' must be text in quotes.");
            sources.push_back(*value);
        }
        return sources;
    }
};

template <class S>
std::string numbersToml(const char* table, std::span<const Row<S>> rows, const S& from) {
    std::string lines;
    for (const Row<S>& row : rows) {
        if (from.*row.member <= 0.0) continue;
        const std::string unit = *row.unit == '\0' ? "" : std::string(row.unit) + "; ";
        lines += fmt::format("{} = {:.6g} # {}{}\n", row.key, from.*row.member, unit, row.help);
    }
    return lines.empty() ? "" : fmt::format("\n[{}]\n{}", table, lines);
}

/// `text` as a TOML string.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + "\"";
}

std::string_view withoutVendor(std::string_view name) {
    constexpr std::string_view kVendor = "NVIDIA ";
    return name.starts_with(kVendor) ? name.substr(kVendor.size()) : name;
}

} // namespace

Device parseDevice(std::string_view text, const std::string& origin) {
    return Reader(origin).read(tomlOf(text, origin, "device file"));
}

Device readDevice(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw Error(fmt::format("The device file '{}' cannot be read; check its name, or write one "
                                "with 'echolux microbench -o {}'.",
                                path, path));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return parseDevice(text, path);
}

std::string toToml(const Device& device) {
    std::string text =
        fmt::format("name = {}\nkind = \"{}\"\n", quoted(device.name), device.isCpu ? kCpu : kGpu);
    if (!device.overlapsCopies) text += fmt::format("{} = false\n", kOverlaps);
    text += "sources = [\n";
    for (const std::string& source : device.sources) text += "    " + quoted(source) + ",\n";
    return text + "]\n" + numbersToml("chip", model::chipRows(), device.chip) +
           numbersToml("limits", model::limitRows(), device.limits) +
           numbersToml("theory", model::rateRows(), device.theory) +
           numbersToml("measured", model::rateRows(), device.measured);
}

std::span<const Device> shippedDevices() {
    static const std::vector<Device> kDevices = [] {
        std::vector<Device> devices;
        for (const EmbeddedFile& file : deviceFiles())
            devices.push_back(parseDevice(file.text, std::string(file.name)));
        std::ranges::sort(devices, {}, &Device::id);
        return devices;
    }();
    return kDevices;
}

Device deviceBy(const std::string& nameOrPath) {
    std::vector<std::string> ids;
    for (const Device& device : shippedDevices()) {
        if (device.id == nameOrPath) return device;
        ids.push_back(device.id);
    }
    if (nameOrPath.ends_with(kEnding)) return readDevice(nameOrPath);
    throw Error(fmt::format("There is no device '{}'{}; choose one of {}, or name a device file "
                            "with the ending {}.",
                            nameOrPath, didYouMean(nameOrPath, ids), fmt::join(ids, ", "),
                            kEnding));
}

bool isCalled(const Device& device, std::string_view name) {
    return withoutVendor(device.name) == withoutVendor(name);
}

const Device* shippedDeviceCalled(std::string_view name) {
    const auto devices = shippedDevices();
    const auto at =
        std::ranges::find_if(devices, [&](const Device& device) { return isCalled(device, name); });
    return at == devices.end() ? nullptr : &*at;
}

} // namespace echolux
