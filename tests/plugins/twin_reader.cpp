// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin with readers alone: one that recognises every file, under the name of the build.
#include "app/dataset/recording/file_reader.hpp"
#include "gpu/stage/plugin.hpp"

#include <memory>

namespace {

using namespace echolux;

constexpr FileReader kReader{
    .recognises = [](const InputFile&) { return true; },
    .open = [](std::shared_ptr<const InputFile>, const OpenOptions&) -> std::unique_ptr<Recording> {
        return nullptr;
    },
    .name = READER_NAME,
};

} // namespace

ECHOLUX_PLUGIN_PARTS("Rival", "1.0", .readers = {&kReader})
