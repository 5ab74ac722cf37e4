// SPDX-License-Identifier: GPL-3.0-or-later
// Reads work files.
#include "app/prediction/work_file.hpp"

#include "app/prediction/toml_reader.hpp"
#include "app/toml/toml_text.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace echolux {
namespace {

using model::Kernel;
using model::Launch;
using model::Part;
using model::Row;

std::span<const Row<Launch>> launchRows() {
    static constexpr std::array kRows{
        Row<Launch>{"blocks", &Launch::blocks, "", "blocks of the launch"},
        Row<Launch>{"threads", &Launch::threads, "", "threads of a block"},
        Row<Launch>{"registers", &Launch::registers, "", "registers of a thread"},
        Row<Launch>{"shared", &Launch::sharedBytes, "B", "shared memory of a block"},
    };
    return kRows;
}

std::span<const Row<Part>> partRows() {
    static constexpr std::array kRows{
        Row<Part>{"global", &Part::globalBytes, "B", "accesses to global memory"},
        Row<Part>{"distinct", &Part::distinctBytes, "B", "bytes of them that differ"},
        Row<Part>{"shared", &Part::sharedBytes, "B", "accesses to shared memory"},
        Row<Part>{"ffma", &Part::ffma, "", "multiply-adds"},
        Row<Part>{"fmul", &Part::fmul, "", "multiplications"},
        Row<Part>{"fadd", &Part::fadd, "", "additions"},
        Row<Part>{"special", &Part::special, "", "special functions"},
        Row<Part>{"offsets", &Part::offsets, "", "all other instructions"},
        Row<Part>{"barriers", &Part::barriers, "", "barriers of a block"},
        Row<Part>{"stores_per_load", &Part::storesPerLoad, "",
                  "shared stores per load from global memory"},
        Row<Part>{"independent", &Part::independent, "",
                  "instructions of a thread that do not wait for each other"},
    };
    return kRows;
}

class WorkReader : TomlReader {
public:
    using TomlReader::TomlReader;

    std::vector<CountedStep> read(const toml::table& root) const {
        checkKeys(root, {kKernel});
        std::vector<CountedStep> steps;
        for (const toml::table* table : tablesOf(root, kKernel)) {
            const std::string name =
                text(*table, "step", "the step whose kernels it counts", "below [[kernel]]");
            auto step = std::ranges::find(steps, name, &CountedStep::step);
            if (step == steps.end()) step = steps.insert(steps.end(), {name, {}});
            step->kernels.push_back(kernelOf(*table));
        }
        return steps;
    }

private:
    Kernel kernelOf(const toml::table& table) const {
        std::vector<std::string> keys = keysOf(launchRows());
        keys.insert(keys.end(), {"step", "name", kPart});
        checkKeys(table, keys);
        Kernel kernel{text(table, "name", "the kernel's name", "below [[kernel]]")};
        readRows(table, kKernel, launchRows(), true, kernel.launch);
        for (const toml::table* part : tablesOf(table, kPart)) {
            keys = keysOf(partRows());
            keys.emplace_back("name");
            checkKeys(*part, keys);
            Part& read = kernel.parts.emplace_back();
            read.name =
                text(*part, "name", "\"fetch\", \"compute\" or the like", "below [[kernel.part]]");
            readRows(*part, "kernel.part", partRows(), true, read);
            if (read.distinctBytes > read.globalBytes)
                refuse(*part->get("distinct"),
                       "'distinct' is more than 'global'; give the bytes of 'global' that differ.");
        }
        return kernel;
    }

    /// The tables of the list `key`, at least one.
    std::vector<const toml::table*> tablesOf(const toml::table& root, const char* key) const {
        std::vector<const toml::table*> tables;
        const toml::array* list = root.get_as<toml::array>(key);
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
            if (const toml::table* table = list->get_as<toml::table>(i)) tables.push_back(table);
        if (list == nullptr || tables.empty() || tables.size() != list->size())
            refuse(root, "there must be at least one table [[{}]], and nothing else of that name.",
                   key == kPart ? "kernel.part" : key);
        return tables;
    }

    static constexpr const char* kKernel = "kernel";
    static constexpr const char* kPart = "part";
};

} // namespace

std::vector<CountedStep> parseWork(std::string_view text, const std::string& origin) {
    return WorkReader(origin).read(tomlOf(text, origin, "work file"));
}

std::vector<CountedStep> readWork(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw Error(fmt::format("The work file '{}' cannot be read; check its name.", path));
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return parseWork(text, path);
}

} // namespace echolux
