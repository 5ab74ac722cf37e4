// SPDX-License-Identifier: GPL-3.0-or-later
// Changes to small Verasonics workspaces, and what is told of each.
#pragma once

#include "tests/dataset/told_of_files.hpp"
#include "tests/dataset/verasonics_workspace.hpp"

namespace echolux::test {

using ToldWorkspace = Told<std::function<void(Workspace&)>>;

inline void expectToldOfWorkspace(const std::vector<ToldWorkspace>& all) {
    for (const ToldWorkspace& each : all) {
        SCOPED_TRACE(each.name);
        const TemporaryFolder folder;
        Workspace workspace;
        each.change(workspace);
        EXPECT_THAT(toldOf(workspace.write(folder)), each.says);
    }
}
inline std::function<matvar_t*(const char*)> samplesOf(std::vector<std::size_t> dims) {
    return [=](const char* name) {
        std::size_t count = 1;
        for (const std::size_t extent : dims) count *= extent;
        return MatBuilder::array(name, dims, countedUp<std::int16_t>(count));
    };
}
inline std::function<matvar_t*()> tableOf(std::vector<std::size_t> dims,
                                          std::vector<double> values) {
    return [=] { return MatBuilder::array<double>(nullptr, dims, values); };
}

} // namespace echolux::test
