// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the house on the tree itself; and, on made-up trees, that each rule can fail.
#include "tests/arch/name_rules.hpp"
#include "tests/arch/qt_rules.hpp"
#include "tests/arch/rules.hpp"

#include <gmock/gmock.h>

namespace echolux::arch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const SourceTree& house() {
    static const SourceTree kTree = readTree(ECHOLUX_SOURCE_DIR);
    return kTree;
}

const std::set<std::string>& widgetHeaders() {
    static const std::set<std::string> kHeaders = [] {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(ECHOLUX_QT_WIDGETS_HEADERS))
            names.insert(entry.path().filename().string());
        return names;
    }();
    return kHeaders;
}

SourceTree including(const std::string& path, const std::string& include) {
    return {{path, "// purpose\n#include " + include + "\n"}};
}

TEST(House, LayersPointDown) { EXPECT_THAT(layersPointDown(house()), IsEmpty()); }
TEST(House, ToolsSeeTheWorkbench) { EXPECT_THAT(toolsSeeTheWorkbench(house()), IsEmpty()); }
TEST(House, AppFoldersPointDown) { EXPECT_THAT(appFoldersPointDown(house()), IsEmpty()); }
TEST(House, RoomsUseWhatIsListed) { EXPECT_THAT(roomsUseWhatIsListed(house()), IsEmpty()); }
TEST(House, FoldersHaveNoCycle) { EXPECT_THAT(foldersHaveNoCycle(house()), IsEmpty()); }
TEST(House, CudaStaysInside) { EXPECT_THAT(cudaStaysInside(house()), IsEmpty()); }
TEST(House, OpenGlStaysInside) { EXPECT_THAT(openGlStaysInside(house()), IsEmpty()); }
TEST(House, WidgetsStayInside) {
    EXPECT_THAT(widgetsStayInside(house(), widgetHeaders()), IsEmpty());
}
TEST(House, GpuIsPureCompute) { EXPECT_THAT(gpuIsPureCompute(house()), IsEmpty()); }
TEST(House, LaddersStayInBenches) { EXPECT_THAT(laddersStayInBenches(house()), IsEmpty()); }
TEST(House, OneRoomEach) { EXPECT_THAT(oneRoomEach(house()), IsEmpty()); }
TEST(House, PromisesAreTested) {
    const SourceTree lists{
        {"tests/CMakeLists.txt",
         contentsOf(std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/CMakeLists.txt")}};
    SourceTree all = house();
    all.insert(all.end(), lists.begin(), lists.end());
    EXPECT_THAT(promisesAreTested(all, contentsOf(std::filesystem::path(ECHOLUX_SOURCE_DIR) /
                                                  "resources/help/trust.md")),
                IsEmpty());
}
TEST(House, SourcesNameTheirLicence) { EXPECT_THAT(sourcesNameTheirLicence(house()), IsEmpty()); }
TEST(House, SourcesAreShort) { EXPECT_THAT(sourcesAreShort(house()), IsEmpty()); }
TEST(House, TestsShareNoFolder) { EXPECT_THAT(testsShareNoFolder(house()), IsEmpty()); }
TEST(House, LibraryCallsAreThreadSafe) {
    EXPECT_THAT(libraryCallsAreThreadSafe(house()), IsEmpty());
}
TEST(House, NothingIsLeftForLater) { EXPECT_THAT(nothingIsLeftForLater(house()), IsEmpty()); }
TEST(House, TopLevelIsFixed) { EXPECT_THAT(topLevelIsFixed(house()), IsEmpty()); }
TEST(House, FoldersHaveReadmes) { EXPECT_THAT(foldersHaveReadmes(house()), IsEmpty()); }
TEST(House, StagesAreListed) { EXPECT_THAT(stagesAreListed(house()), IsEmpty()); }
TEST(House, StagesAreNotNamed) { EXPECT_THAT(stagesAreNotNamed(house()), IsEmpty()); }
TEST(House, WindowAsksNoParameters) { EXPECT_THAT(windowAsksNoParameters(house()), IsEmpty()); }
TEST(House, DesksTakeParts) { EXPECT_THAT(desksTakeParts(house()), IsEmpty()); }
TEST(House, ToolsAreListed) { EXPECT_THAT(toolsAreListed(house()), IsEmpty()); }
TEST(House, ToolsAreNamedOnce) { EXPECT_THAT(toolsAreNamedOnce(house()), IsEmpty()); }

TEST(House, OwnTypesAreIncluded) { EXPECT_THAT(ownTypesAreIncluded(house()), IsEmpty()); }
TEST(House, StandardNamesAreIncluded) { EXPECT_THAT(standardNamesAreIncluded(house()), IsEmpty()); }
TEST(House, NeighboursShareNoName) { EXPECT_THAT(neighboursShareNoName(house()), IsEmpty()); }

TEST(House, QtClassesAreIncluded) {
    const SourceTree headers =
        readQtHeaders(ECHOLUX_QT_WIDGETS_HEADERS, ECHOLUX_QCUSTOMPLOT_HEADER);
    ASSERT_GT(headers.size(), 1000U);
    EXPECT_THAT(qtClassesAreIncluded(house(), headers), IsEmpty());
}

TEST(House, WasRead) {
    const auto holds = [](std::string_view path) {
        return std::ranges::any_of(house(), [&](const SourceFile& file) {
            return file.path == path && !file.text.empty();
        });
    };
    EXPECT_TRUE(holds("gpu/stage/stage.hpp"));
    EXPECT_TRUE(holds("app/CMakeLists.txt"));
    EXPECT_TRUE(holds("gpu/stages/stages.def"));
    EXPECT_TRUE(holds("app/tools/tools.def"));
    EXPECT_TRUE(widgetHeaders().contains("QLabel"));
}

TEST(Rules, LayersThatPointUp) {
    EXPECT_THAT(layersPointDown(including("gpu/core/a.hpp", "\"render/gl/b.hpp\"")),
                ElementsAre(HasSubstr("gpu/core/a.hpp includes render/gl/b.hpp")));
    EXPECT_EQ(layersPointDown(including("ui/a.cpp", "\"app/session/b.hpp\"")).size(), 1U);
    EXPECT_EQ(layersPointDown(including("app/main.cpp", "\"tests/support/b.hpp\"")).size(), 1U);
    EXPECT_EQ(layersPointDown(including("ui/a.cpp", "\"../gpu/core/b.hpp\"")).size(), 1U);
    EXPECT_THAT(layersPointDown(including("ui/a.cpp", "\"gpu/core/b.hpp\"")), IsEmpty());
}

TEST(Rules, AppFoldersThatPointUp) {
    EXPECT_EQ(appFoldersPointDown(including("app/pipeline/a.cpp", "\"app/dataset/b.hpp\"")).size(),
              1U);
    EXPECT_EQ(appFoldersPointDown(including("app/desktop/a.cpp", "\"app/commands/b.hpp\"")).size(),
              1U);
    EXPECT_EQ(appFoldersPointDown(including("app/commands/a.cpp", "\"app/bench/b.hpp\"")).size(),
              1U);
    EXPECT_EQ(appFoldersPointDown(including("app/bench/a.cpp", "\"app/desktop/b.hpp\"")).size(),
              1U);
    EXPECT_EQ(appFoldersPointDown(including("app/extra/a.cpp", "\"app/dataset/b.hpp\"")).size(),
              1U);
    EXPECT_EQ(appFoldersPointDown(including("app/session/a.cpp", "\"app/source/b.hpp\"")).size(),
              1U);
    EXPECT_THAT(appFoldersPointDown(including("app/commands/a.cpp", "\"app/source/b.hpp\"")),
                IsEmpty());
}

TEST(Rules, AToolThatReachesBeyondItsWorkbench) {
    const auto reaches = [](const char* include) {
        return toolsSeeTheWorkbench(including("app/tools/some/tool.cpp", include)).size();
    };
    EXPECT_EQ(reaches("\"app/tools/other/panel.hpp\""), 1U);
    EXPECT_EQ(reaches("\"app/desktop/edit_desk.hpp\""), 1U);
    EXPECT_EQ(reaches("\"ui/window/main_window.hpp\""), 1U);
    EXPECT_EQ(reaches("\"app/session/engine.hpp\""), 1U);
    EXPECT_EQ(reaches("\"app/session/session.hpp\""), 1U);
    EXPECT_EQ(reaches("\"app/desktop/workbench/workbench.hpp\""), 0U);
    EXPECT_EQ(reaches("\"app/tools/some/panel.hpp\""), 0U);
    EXPECT_EQ(reaches("\"app/session/transmit_imager.hpp\""), 0U);
    EXPECT_EQ(reaches("\"ui/plots/b.hpp\""), 0U);
}

TEST(Rules, ARoomBesideThePlan) {
    const auto arrow = [](const char* path, const char* include) {
        return roomsUseWhatIsListed(including(path, include)).size();
    };
    EXPECT_EQ(arrow("app/dataset/container/a.cpp", "\"app/dataset/formats/b.hpp\""), 1U);
    EXPECT_EQ(arrow("app/dataset/extra/a.cpp", "\"app/dataset/recording/b.hpp\""), 1U);
    EXPECT_EQ(arrow("ui/plots/a.cpp", "\"ui/views/b.hpp\""), 1U);
    EXPECT_EQ(arrow("app/dataset/open.cpp", "\"app/dataset/formats/b.hpp\""), 0U);
    EXPECT_EQ(arrow("ui/plots/a.cpp", "\"ui/controls/b.hpp\""), 0U);
    EXPECT_EQ(arrow("ui/plots/a.cpp", "\"gpu/core/b.hpp\""), 0U);
}

TEST(Rules, ACycleOfFolders) {
    SourceTree tree{{"gpu/core/a.hpp", "#include \"gpu/exec/b.hpp\"\n"},
                    {"gpu/exec/b.hpp", "#include \"gpu/memory/c.hpp\"\n"},
                    {"gpu/memory/c.hpp", ""}};
    EXPECT_THAT(foldersHaveNoCycle(tree), IsEmpty());
    tree.back().text = "#include \"gpu/core/a.hpp\"\n";
    EXPECT_THAT(foldersHaveNoCycle(tree),
                ElementsAre(HasSubstr("gpu/core -> gpu/exec -> gpu/memory -> gpu/core")));
}

TEST(Rules, CudaOutside) {
    EXPECT_EQ(cudaStaysInside(including("app/session/a.cpp", "<cuda_runtime.h>")).size(), 1U);
    EXPECT_EQ(cudaStaysInside(including("render/gl/a.cpp", "<cuda_gl_interop.h>")).size(), 1U);
    EXPECT_EQ(cudaStaysInside(including("gpu/fft/a.hpp", "<cufft.h>")).size(), 1U);
    EXPECT_THAT(cudaStaysInside(including("gpu/fft/a.cu", "<cufft.h>")), IsEmpty());
    EXPECT_THAT(cudaStaysInside(including("render/interop/a.cpp", "<cuda_gl_interop.h>")),
                IsEmpty());
}

TEST(Rules, OpenGlOutside) {
    EXPECT_EQ(openGlStaysInside(including("ui/panel.cpp", "<GL/glew.h>")).size(), 1U);
    EXPECT_EQ(openGlStaysInside(including("ui/views/image_view.cpp", "<QOpenGLWidget>")).size(),
              1U);
    EXPECT_EQ(openGlStaysInside(including("app/desktop/a.cpp", "<QOpenGLWidget>")).size(), 1U);
    EXPECT_THAT(openGlStaysInside(including("ui/views/gl_surface.hpp", "<QOpenGLWidget>")),
                IsEmpty());
}

TEST(Rules, WidgetsOutside) {
    const std::set<std::string> headers{"QLabel", "QApplication"};
    const auto check = [&](const char* path, const char* include) {
        return widgetsStayInside(including(path, include), headers).size();
    };
    EXPECT_EQ(check("app/commands/view.cpp", "<QApplication>"), 1U);
    EXPECT_EQ(check("render/view/a.cpp", "<QtWidgets/QLabel>"), 1U);
    EXPECT_EQ(check("app/session/a.cpp", "<qcustomplot.h>"), 1U);
    EXPECT_EQ(check("app/commands/render.cpp", "<QImage>"), 0U);
    EXPECT_EQ(check("app/desktop/a.cpp", "<QLabel>"), 0U);
}

TEST(Rules, AClassOfQtThatIsNotIncluded) {
    const SourceTree qt{{"QLabel", "#include \"qlabel.h\"\n"},
                        {"qlabel.h", "#include <QtWidgets/qframe.h>\n"},
                        {"QFrame", "#include \"qframe.h\"\n"},
                        {"qframe.h", ""}};
    const auto check = [&](const std::string& text) {
        return qtClassesAreIncluded({{"ui/plots/a.cpp", "#include \"ui/plots/a.hpp\"\n" + text},
                                     {"ui/plots/a.hpp", "class QTimer;\n"},
                                     {"app/session/b.cpp", "QLabel label;\n"}},
                                    qt);
    };
    EXPECT_THAT(check("QLabel label;\n"), ElementsAre(HasSubstr("ui/plots/a.cpp uses QLabel")));
    EXPECT_THAT(check("#include <QFrame>\nQLabel label;\n"), testing::SizeIs(1));
    EXPECT_THAT(check("#include <QLabel>\nQLabel label;\nQFrame frame;\n"), IsEmpty());
    EXPECT_THAT(check("class QLabel;\nQLabel* label;\n"), IsEmpty());
    EXPECT_THAT(check("QTimer* timer;\nQStrange strange;\n"), IsEmpty());
    EXPECT_THAT(check("auto text = \"QLabel\"; // a QLabel\n"), IsEmpty());
}

TEST(Rules, AnOwnTypeThatIsNotIncluded) {
    const auto check = [](const std::string& text, const char* path = "app/session/b.cpp") {
        return ownTypesAreIncluded({{"gpu/core/a.hpp", "#pragma once\nstruct Frame {\n"},
                                    {"gpu/core/c.hpp", "#include \"gpu/core/a.hpp\"\n"},
                                    {"gpu/core/two.hpp", "class Twice {\n"},
                                    {"gpu/core/three.hpp", "class Twice {\n"},
                                    {"tests/support/d.hpp", "struct Chooser {\n"},
                                    {path, text}});
    };
    EXPECT_THAT(check("Frame frame;\n"),
                ElementsAre("app/session/b.cpp uses Frame and does not include gpu/core/a.hpp."));
    EXPECT_THAT(check("#include \"gpu/core/a.hpp\"\nFrame frame;\n"), IsEmpty());
    EXPECT_THAT(check("#include \"gpu/core/c.hpp\"\nFrame frame;\n"), IsEmpty());
    EXPECT_THAT(check("struct Frame;\nvoid take(Frame&);\n"), IsEmpty());
    EXPECT_THAT(check("enum class Kind { Frame, Line };\nauto kind = Kind::Frame;\n"), IsEmpty());
    EXPECT_THAT(check("template <typename Frame> void take(Frame);\n"), IsEmpty());
    EXPECT_THAT(check("auto text = \"Frame\"; // a Frame\n"), IsEmpty());
    EXPECT_THAT(check("Twice twice;\nChooser chooser;\n"), IsEmpty());
    EXPECT_THAT(check("Chooser chooser;\n", "tests/gpu/a_test.cpp"), testing::SizeIs(1));
}

TEST(Rules, AStandardNameThatIsNotIncluded) {
    const auto check = [](const std::string& text) {
        return standardNamesAreIncluded(
            {{"gpu/core/a.hpp", "#include <vector>\n"}, {"gpu/core/a.cpp", text}});
    };
    EXPECT_THAT(check("std::vector<int> all;\n"),
                ElementsAre("gpu/core/a.cpp uses std::vector and does not include <vector>."));
    EXPECT_THAT(check("#include \"gpu/core/a.hpp\"\nstd::vector<int> all;\n"), IsEmpty());
    EXPECT_THAT(check("std::ranges::sort(all);\n"), ElementsAre(HasSubstr("<algorithm>")));
    EXPECT_THAT(check("#include <algorithm>\nstd::ranges::sort(all);\n"), IsEmpty());
    EXPECT_THAT(check("int vector = 0; // a std::vector\n"), IsEmpty());
}

TEST(Rules, ANameOfANeighbour) {
    const auto check = [](const std::string& first, const std::string& second) {
        const std::string open = "namespace echolux {\nnamespace {\n";
        const std::string close = "} // namespace\n} // namespace echolux\n";
        return neighboursShareNoName({{"app/live/a.cpp", open + first + close},
                                      {"app/live/camera/b.cpp", open + second + close}});
    };
    EXPECT_THAT(check("const std::string kName = \"a\";\n", "constexpr int kName{1};\n"),
                ElementsAre(HasSubstr("app/live/camera/b.cpp has a name of app/live/a.cpp")));
    EXPECT_EQ(check("struct Part {\n};\n", "class Part final : public Whole {\n};\n").size(), 1U);
    EXPECT_THAT(check("constexpr int kName = 1;\n", "constexpr int kOther = 1;\n"), IsEmpty());
    EXPECT_THAT(check("constexpr int kName = 1;\n",
                      "namespace part {\nconstexpr int kName = 1;\n} // namespace part\n"),
                IsEmpty());
    EXPECT_THAT(check("struct Part {\n};\n", "struct Part;\n"), IsEmpty());
}

TEST(Rules, GpuWithQtOrFiles) {
    EXPECT_EQ(gpuIsPureCompute(including("gpu/core/a.hpp", "<QString>")).size(), 1U);
    EXPECT_EQ(gpuIsPureCompute(including("gpu/core/a.hpp", "<fstream>")).size(), 1U);
    EXPECT_THAT(gpuIsPureCompute(including("gpu/core/a.hpp", "<vector>")), IsEmpty());
}

TEST(Rules, LadderOutsideBenches) {
    const char* kernel = "\"gpu/ladder/course.hpp\"";
    EXPECT_EQ(laddersStayInBenches(including("gpu/stages/beamform.cu", kernel)).size(), 1U);
    EXPECT_EQ(laddersStayInBenches(including("app/commands/run.cpp", kernel)).size(), 1U);
    EXPECT_THAT(laddersStayInBenches(including("app/bench/course.cpp", kernel)), IsEmpty());
}

TEST(Rules, MissingLicence) {
    EXPECT_EQ(sourcesNameTheirLicence({{"gpu/core/a.hpp", "#pragma once\n"}}).size(), 1U);
    EXPECT_EQ(sourcesNameTheirLicence({{"tests/run.sh", "#!/bin/sh\n"}}).size(), 1U);
    EXPECT_THAT(sourcesNameTheirLicence(
                    {{"a.sh", "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n"}}),
                IsEmpty());
}

TEST(Rules, LongFile) {
    EXPECT_EQ(sourcesAreShort({{"a.cpp", std::string(801, '\n')}}).size(), 1U);
    EXPECT_THAT(sourcesAreShort({{"a.cpp", std::string(800, '\n')}}), IsEmpty());
}

TEST(Rules, TestsThatShareAFolder) {
    for (const char* shared : {"testing::Temp"
                               "Dir() + name",
                               "QDir::temp"
                               "Path()",
                               "\"/t"
                               "mp/a\""})
        EXPECT_EQ(testsShareNoFolder({{"tests/ui/a_test.cpp", shared}}).size(), 1U) << shared;
    EXPECT_THAT(testsShareNoFolder({{"app/a.cpp", "QDir::temp"
                                                  "Path()"}}),
                IsEmpty());
    EXPECT_THAT(testsShareNoFolder({{"tests/ui/a_test.cpp", "TemporaryFolder folder;"}}),
                IsEmpty());
}

TEST(Rules, FilesAndTextsPastTheirRooms) {
    for (const char* call :
         {"toml::parse(text)", "toml::parse_file(path)", "QSaveFile file(path);"}) {
        EXPECT_EQ(oneRoomEach({{"app/a.cpp", call}}).size(), 1U) << call;
        EXPECT_THAT(oneRoomEach({{"app/toml/toml_text.cpp", call}}), IsEmpty());
    }
    EXPECT_THAT(oneRoomEach({{"app/a.cpp", "toml::parse_error"}}), IsEmpty());
}

TEST(Rules, PromisesWithoutATest) {
    const SourceTree tree{{"tests/a_test.cpp", "TEST_F(Files, AreKept) {"}};
    const auto wrong = [&](const char* row) { return promisesAreTested(tree, row).size(); };
    EXPECT_EQ(wrong("| files are kept | `Files.AreKept` | 3 of 3 |\n"), 0U);
    EXPECT_EQ(wrong("| files are kept | `Files.AreLost` | 3 of 3 |\n"), 1U);
    EXPECT_EQ(wrong("| files are kept | by hand | 3 of 3 |\n"), 1U);
    EXPECT_EQ(wrong("| files are kept | `Files.AreKept` | |\n"), 1U);
    EXPECT_EQ(wrong("no table\n"), 1U);
}

TEST(Rules, CallsThatWriteAGlobalVariable) {
    for (const char* call : {"std::cyl_bessel_i(0.0, x)", "lgamma(x)", "strtok(text, \" \")"})
        EXPECT_EQ(libraryCallsAreThreadSafe({{"gpu/a.cpp", call}}).size(), 1U) << call;
    EXPECT_THAT(libraryCallsAreThreadSafe({{"gpu/a.cpp", "besselI0(x); tgamma(x);"}}), IsEmpty());
}

TEST(Rules, SomethingLeftForLater) {
    EXPECT_EQ(nothingIsLeftForLater({{"a.cpp", "// TO"
                                               "DO: more\n"}})
                  .size(),
              1U);
    EXPECT_EQ(nothingIsLeftForLater({{"a.py", "# FIX"
                                              "ME\n"}})
                  .size(),
              1U);
    EXPECT_THAT(nothingIsLeftForLater({{"a.cpp", "int todos;\n"}}), IsEmpty());
}

TEST(Rules, TopLevelWithMoreOrLess) {
    SourceTree tree;
    for (const char* path :
         {"CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "CHANGELOG.md",
          "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "pyproject.toml",
          "app/a", "gpu/a", "render/a", "ui/a", "resources/a", "testdata/a", "tests/a", ".ci/run",
          ".clang-format"})
        tree.push_back({path, ""});
    tree.push_back({"manual/a", ""});
    EXPECT_THAT(topLevelIsFixed(tree), IsEmpty());
    tree.push_back({"docs/a.md", ""});
    EXPECT_THAT(topLevelIsFixed(tree), ElementsAre(HasSubstr("docs does not belong")));
    tree.back().path = "gpu/b";
    tree.front().path = "gpu/c";
    EXPECT_THAT(topLevelIsFixed(tree), ElementsAre(HasSubstr("CMakeLists.txt is missing")));
}

TEST(Rules, FolderWithoutReadme) {
    EXPECT_THAT(foldersHaveReadmes({{"README.md", ""}}),
                testing::Contains(HasSubstr("gpu/README.md")));
}

TEST(Rules, StageWithoutLineOrFile) {
    const SourceTree tree{{"gpu/stages/stages.def", "// stages\nECHOLUX_STAGE(tgc)\n"},
                          {"gpu/stages/median.cu", ""},
                          {"gpu/beamform/tuned.cu", ""}};
    EXPECT_THAT(stagesAreListed(tree),
                ElementsAre(HasSubstr("names tgc"), HasSubstr("median is not")));
}

TEST(Rules, StageLookedUpByItsId) {
    const auto check = [](const char* path, const char* text) {
        return stagesAreNotNamed(
            {{"gpu/stages/stages.def", "// stages\nECHOLUX_STAGE(tgc)\n"}, {path, text}});
    };
    EXPECT_THAT(check("app/session/a.cpp", "stageType(\"tgc\").label"),
                ElementsAre(AllOf(HasSubstr("app/session/a.cpp"), HasSubstr("stageType("))));
    EXPECT_THAT(check("ui/a.cpp", "if (stage.type->id == \"tgc\") return;"),
                ElementsAre(HasSubstr("compares with the stage tgc")));
    for (const char* text :
         {"stageType(\"tgc\").label", "stage.type !=\n    \"tgc\"",
          "find(stages, std::string(\"tgc\"), &StageConfig::type)", "type.starts_with(\"tgc\")"})
        EXPECT_EQ(check("app/tools/some/tool.cpp", text).size(), 1U) << text;
    EXPECT_THAT(check("app/tools/some/tool.cpp", "stageType(stage.type); unit == \"dB\""),
                IsEmpty());
    EXPECT_THAT(check("app/pipeline/a.cpp", "stageType(\"tgc\").label"), IsEmpty());
}

} // namespace
} // namespace echolux::arch
