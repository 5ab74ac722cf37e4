// SPDX-License-Identifier: GPL-3.0-or-later
// Calibrating on CUDA: the search finds what it finds on the CPU, and the running pipeline follows.
#include "app/desktop/calibration_desk.hpp"
#include "app/desktop/desktop.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/recording_desk.hpp"
#include "app/session/session.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/dialogs/calibration_menu.hpp"
#include "ui/dialogs/dispersion_dialog.hpp"
#include "ui/views/image_view.hpp"
#include "ui/window/main_window.hpp"

#include <QSignalSpy>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace echolux {
namespace {

using testing_support::comesTrue;

struct Result {
    DispersionTerms terms{};
    std::vector<float> background;
};

/// Captures the background of the first frame, then looks for its dispersion.
void calibrate(Backend backend, Result& result) {
    Desktop desktop(chooseBackend(backend == Backend::Cuda ? "cuda" : "cpu"), false);
    desktop.window().resize(1280, 800);
    desktop.window().show();
    const QSignalSpy presented(&desktop.view(), &ImageView::framePresented);
    const OpenRequest request{ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5"};
    desktop.recordings().adopt(prepareRecording(request, backend), request);
    Session& session = desktop.session();
    session.engine().player().freeze();
    session.engine().player().seek(0);
    ASSERT_TRUE(comesTrue(
        [&] { return presented.count() > 0 && session.engine().mailbox().shownFrame() == 0; }));
    const auto former = session.spectrometer();
    const qsizetype shown = presented.count();
    emit desktop.window().calibration().captureRequested(1);
    ASSERT_TRUE(comesTrue([&] { return session.spectrometer() != former; }));
    ASSERT_TRUE(comesTrue([&] { return presented.count() > shown; }));
    result.background = session.spectrometer()->background;

    emit desktop.window().calibration().dispersionRequested();
    DispersionDialog* dialog = desktop.calibration().dispersionDialog();
    emit dialog->startRequested();
    ASSERT_TRUE(comesTrue([&] { return !dialog->isBusy(); }));
    ASSERT_TRUE(dialog->note().startsWith("Found")) << dialog->note().toStdString();
    const Params& params = session.snapshot()->stage("dispersion").params;
    result.terms = {std::get<double>(params.get("c1")), std::get<double>(params.get("c2")), 0.0};
    desktop.edits().undo();
    desktop.edits().undo();
    EXPECT_EQ(session.spectrometer(), former);
}

TEST(CalibrationDeskGpu, FindsWhatTheCpuFinds) {
    ECHOLUX_NEED_GPU();
    testing_support::application();
    Result cpu;
    Result gpu;
    ASSERT_NO_FATAL_FAILURE(calibrate(Backend::Cpu, cpu));
    ASSERT_NO_FATAL_FAILURE(calibrate(Backend::Cuda, gpu));
    EXPECT_EQ(cpu.background, gpu.background);
    EXPECT_GT(std::abs(cpu.terms[0]), 50.0);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(gpu.terms[i], cpu.terms[i], 2.0) << i;
}

} // namespace
} // namespace echolux
