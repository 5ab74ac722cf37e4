// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration language of a published framework: Y. van Bavel, "Advanced ultrasound beam
// forming using GPGPU technology", Master's thesis, Eindhoven University of Technology, 2013,
// section 4.3.
#pragma once

#include "app/pipeline/pipeline_config.hpp"

#include <string>
#include <string_view>

namespace echolux {

/// The first word is `environment`.
bool isFilterText(std::string_view text);

/// One statement per line:
///
///     environment cuda
///     import esaote_cuda
///     filter type T name N
///     view type T name N
///     set param P@N value TYPE COUNT [v v ...]
///     link source PORT@A dest PORT@B
///
/// A line that begins with # is a comment; the first line, where it is one, names the pipeline.
/// The source of frames is frame@environment. Its filters dc_removal, filtfilt, hilbert and its
/// view colormap are built in; the libraries that its listings import hold these and nothing else.
/// Any other library is a plugin, relative to `folder`. Throws Error naming `origin`, line and
/// column.
PipelineConfig parseFilterText(std::string_view text, const std::string& origin,
                               const std::filesystem::path& folder = {});

} // namespace echolux
