// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house that a program can check by reading the tree. Each returns one sentence
// per violation, so that an empty list is a pass.
#pragma once

#include "tests/arch/source_tree.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::arch {

using Violations = std::vector<std::string>;

/// gpu <- render <- ui <- app, and nothing but tests uses tests.
Violations layersPointDown(const SourceTree& tree);
/// dataset <- session, pipeline <- calibration <- session <- desktop <- commands, dataset <- source
/// <- commands, desktop <- tools.
Violations appFoldersPointDown(const SourceTree& tree);

/// A tool is a folder below app/tools: it includes no desk, window, engine or other tool.
Violations toolsSeeTheWorkbench(const SourceTree& tree);
/// Between the rooms of gpu, render, ui, app/dataset and app/session.
Violations roomsUseWhatIsListed(const SourceTree& tree);
/// No folder includes, by whatever way round, one that includes it.
Violations foldersHaveNoCycle(const SourceTree& tree);
/// CUDA headers only in gpu/ and render/interop/, and never in a .hpp.
Violations cudaStaysInside(const SourceTree& tree);
/// OpenGL headers only in render/ and the one widget that hosts it.
Violations openGlStaysInside(const SourceTree& tree);
/// Qt Widgets (`widgetHeaders`, the names of the module's headers) and QCustomPlot only in ui/ and
/// app/desktop/.
Violations widgetsStayInside(const SourceTree& tree, const std::set<std::string>& widgetHeaders);
/// gpu/ uses no Qt and, but for whole_file, no files.
Violations gpuIsPureCompute(const SourceTree& tree);
/// Published kernels are for benches and tests alone.
Violations laddersStayInBenches(const SourceTree& tree);
/// Texts become TOML in app/toml alone, and files are replaced by gpu/core/whole_file alone.
Violations oneRoomEach(const SourceTree& tree);
/// Each row of the page `trust` says a promise, tests that exist, and a figure (or -).
Violations promisesAreTested(const SourceTree& tree, std::string_view page);
/// Every source file names its licence in its first lines.
Violations sourcesNameTheirLicence(const SourceTree& tree);
Violations sourcesAreShort(const SourceTree& tree);
/// Tests, which run beside each other, write into folders of their own.
Violations testsShareNoFolder(const SourceTree& tree);
/// No calls of library functions that write a global variable, as std::cyl_bessel_i does.
Violations libraryCallsAreThreadSafe(const SourceTree& tree);
Violations nothingIsLeftForLater(const SourceTree& tree);
/// The top level holds the fixed entries only.
Violations topLevelIsFixed(const SourceTree& tree);
Violations foldersHaveReadmes(const SourceTree& tree);
/// gpu/stages/stages.def and the files beside it name the same stages.
Violations stagesAreListed(const SourceTree& tree);
/// Outside gpu/ and app/pipeline no stage is looked up by its id: Snapshot::findWith(), findRole()
/// and findTap() ask for what a stage declares.
Violations stagesAreNotNamed(const SourceTree& tree);
/// The window (app/desktop, app/tools, ui) names no stage's parameter struct. It looks for roles
/// and for what ShownParts holds, and reads values by their keys, so that stages of plugins count,
/// too.
Violations windowAsksNoParameters(const SourceTree& tree);
/// Desks and tools take the panels and the services that they use: none names the window or the
/// engine.
Violations desksTakeParts(const SourceTree& tree);
/// tools.def names the folders below app/tools.
Violations toolsAreListed(const SourceTree& tree);
/// The product names a tool in its folder and in tools.def alone, so that a tool can be taken out.
Violations toolsAreNamedOnce(const SourceTree& tree);

} // namespace echolux::arch
