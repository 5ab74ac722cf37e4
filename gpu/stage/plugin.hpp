// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin is a shared library with stages, readers of files, live sources or views that are not
// part of this program. A source file of it ends with one line: ECHOLUX_PLUGIN("name", "1.0",
// &firstType(), &secondType()) for stages alone, else ECHOLUX_PLUGIN_PARTS.
#pragma once

#include "gpu/stage/stage.hpp"

#include <echolux_build_tag.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace echolux {

struct FileReader;     ///< app/dataset/recording/file_reader.hpp
struct LiveSourceType; ///< app/live/source_type.hpp
struct ViewType;       ///< app/session/view_type.hpp

/// What a plugin offers. All pointers stay valid as long as the library is loaded.
struct PluginContents {
    const char* name = nullptr;               ///< on screen
    const char* version = nullptr;            ///< its own
    const StageType* const* stages = nullptr; ///< `stageCount` of them
    std::size_t stageCount = 0;               ///< may be 0
    bool hasCuda = false;                     ///< compiled by nvcc; else its stages run on the CPU
    std::span<const FileReader* const> readers = {};     ///< of files
    std::span<const LiveSourceType* const> sources = {}; ///< of frames
    std::span<const ViewType* const> views = {};         ///< of shown images
};

/// The same, as the author of a plugin writes it.
struct PluginParts {
    std::vector<const StageType*> stages = {};       ///< in the order of lists
    std::vector<const FileReader*> readers = {};     ///< asked in this order
    std::vector<const LiveSourceType*> sources = {}; ///< of frames
    std::vector<const ViewType*> views = {};         ///< of shown images
};

} // namespace echolux

/// Stands in each plugin as text. The program reads it from the file, before anything of the plugin
/// runs. The number after "abi" counts changes of PluginContents.
#define ECHOLUX_PLUGIN_MARK "ECHOLUX-PLUGIN abi=4 tag="
#define ECHOLUX_PLUGIN_TAG ECHOLUX_PLUGIN_MARK ECHOLUX_BUILD_TAG ";"
/// The symbol of the function that gives the contents.
#define ECHOLUX_PLUGIN_FUNCTION "echolux_plugin"

#if defined(__CUDACC__)
#define ECHOLUX_PLUGIN_HAS_CUDA true
#else
#define ECHOLUX_PLUGIN_HAS_CUDA false
#endif

/// `plugin` and `number` are texts, then follow members of PluginParts:
/// ECHOLUX_PLUGIN_PARTS("name", "1.0", .readers = {&firstReader()}).
#define ECHOLUX_PLUGIN_PARTS(plugin, number, ...)                                                  \
    __attribute__((used)) static const char echolux_plugin_tag[] = ECHOLUX_PLUGIN_TAG;             \
    extern "C" __attribute__((visibility("default"))) const echolux::PluginContents*               \
    echolux_plugin() {                                                                             \
        static const echolux::PluginParts kEcholuxParts{__VA_ARGS__};                              \
        static const echolux::PluginContents kEcholuxContents{plugin,                              \
                                                              number,                              \
                                                              kEcholuxParts.stages.data(),         \
                                                              kEcholuxParts.stages.size(),         \
                                                              ECHOLUX_PLUGIN_HAS_CUDA,             \
                                                              kEcholuxParts.readers,               \
                                                              kEcholuxParts.sources,               \
                                                              kEcholuxParts.views};                \
        return &kEcholuxContents;                                                                  \
    }

/// `plugin` and `number` are texts, then follow pointers to the types of the stages.
#define ECHOLUX_PLUGIN(plugin, number, ...)                                                        \
    ECHOLUX_PLUGIN_PARTS(plugin, number, .stages = {__VA_ARGS__})
