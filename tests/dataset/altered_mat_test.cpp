// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever one variable or field of a MAT-file is replaced by, the file opens with facts that agree
// or a sentence names it.
#include "tests/dataset/altered_mat.hpp"
#include "tests/dataset/uff_samples.hpp"
#include "tests/dataset/verasonics_workspace.hpp"

namespace echolux::test {
namespace {

class AlteredMatVector : public testing::TestWithParam<const char*> {};

TEST_P(AlteredMatVector, OpensOrSaysWhy) {
    const TemporaryFolder folder;
    for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73})
        EXPECT_GT(AlteredMat(uffCopy(folder, GetParam()), version).alterEach(), 0);
}
INSTANTIATE_TEST_SUITE_P(Files, AlteredMatVector,
                         testing::Values("must_apodized_plane.mat", "must_cells.mat",
                                         "must_matrix_waves.mat", "must_curved_waves.mat",
                                         "must_walking_steered.mat"));

TEST(AlteredWorkspaces, OpenOrSayWhy) {
    const TemporaryFolder folder;
    Workspace workspace;
    workspace.trans["name"] = Workspace::text("L-test");
    workspace.trans["spacingMm"] = Workspace::number(0.3);
    workspace.trans["elementWidth"] = Workspace::number(0.25);
    workspace.trans["Bandwidth"] = Workspace::row({3, 7});
    workspace.trans["Connector"] = Workspace::row({1, 2, 3, 4});
    workspace.trans["lensCorrection"] = Workspace::number(1);
    for (auto& transmit : workspace.tx) {
        transmit["Apod"] = Workspace::row({1, 1, 1, 1});
        transmit["focus"] = Workspace::number(0);
        transmit["Steer"] = Workspace::row({0, 0});
        transmit["Origin"] = Workspace::row({0, 0, 0});
        transmit["waveform"] = Workspace::number(1);
    }
    for (auto& receive : workspace.receive) {
        receive["bufnum"] = Workspace::number(1);
        receive["acqNum"] = Workspace::number(1);
        receive["mode"] = Workspace::number(0);
        receive["Apod"] = Workspace::row({1, 1, 1, 1});
    }
    EXPECT_GT(AlteredMat(workspace.write(folder), MAT_FT_MAT5).alterEach(), 20);
}

} // namespace
} // namespace echolux::test
