// SPDX-License-Identifier: GPL-3.0-or-later
// On made-up trees: each rule about the window, its desks and its tools can fail.
#include "tests/arch/rules.hpp"

#include <gmock/gmock.h>

namespace echolux::arch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Rules, WindowThatAsksForParameters) {
    const auto check = [](const char* path, const char* text) {
        return windowAsksNoParameters({{path, text}});
    };
    EXPECT_THAT(check("app/tools/some/tool.cpp", "snapshot.findWith<GainParams>()"),
                ElementsAre(AllOf(HasSubstr("app/tools/some/tool.cpp"),
                                  HasSubstr("findWith<GainParams>"))));
    for (const char* text : {"stage.type->has<oct::WindowParams>()", "stageTypeWith<P>()",
                             "stage.params.as<GainParams>().gain", "table.isOf<GainParams>()"})
        for (const char* path : {"app/desktop/some_desk.cpp", "ui/parameters/some.hpp"})
            EXPECT_EQ(check(path, text).size(), 1U) << text;
    EXPECT_THAT(check("app/desktop/some_desk.cpp",
                      "findRole(Role::Beamforms); view.as<float>(); params.get(\"gain\")"),
                IsEmpty());
    EXPECT_THAT(check("app/lab/some.cpp", "stage.params.as<GainParams>().gain"), IsEmpty());
}

TEST(Rules, DeskThatTakesTheWhole) {
    const auto check = [](const char* path, const char* text) {
        return desksTakeParts({{path, text}});
    };
    for (const char* text : {"class MainWindow;", "#include \"ui/window/main_window.hpp\"",
                             "m_session.engine().info()", "m_session.shared()->info()"})
        for (const char* path : {"app/desktop/some_desk.cpp", "app/desktop/some_desk.hpp",
                                 "app/desktop/workbench/workbench.cpp", "app/tools/some/tool.cpp"})
            EXPECT_THAT(check(path, text), ElementsAre(HasSubstr(path))) << text;
    EXPECT_THAT(check("app/desktop/some_desk.cpp", "m_session.recording(); m_session.shared();"),
                IsEmpty());
    EXPECT_THAT(check("app/desktop/desktop.cpp", "std::make_unique<MainWindow>()"), IsEmpty());
}

TEST(Rules, ToolNamedElsewhere) {
    const auto check = [](const char* path, const char* text) {
        return toolsAreNamedOnce({{"app/tools/beam/tool.cpp", "ToolType echolux::tools::beam() {"},
                                  {"app/tools/tools.def", "ECHOLUX_TOOL(beam)\n"},
                                  {path, text}});
    };
    EXPECT_THAT(check("app/desktop/some_desk.cpp", "#include \"app/tools/beam/tool.hpp\""),
                ElementsAre(HasSubstr("app/desktop/some_desk.cpp names the tool beam")));
    EXPECT_EQ(check("ui/window/docks.cpp", "tools::beam().id").size(), 1U);
    EXPECT_EQ(check("app/tools/other/tool.cpp", "tools::beam()").size(), 1U);
    EXPECT_THAT(check("app/tools/tools.cpp", "tools::id()"), IsEmpty());
    EXPECT_THAT(check("tests/desktop/beam_test.cpp", "#include \"app/tools/beam/tool.hpp\""),
                IsEmpty());
}

TEST(Rules, ToolWithoutLineOrFolder) {
    const SourceTree tree{{"app/tools/tools.def", "// tools\nECHOLUX_TOOL(beam)\n"},
                          {"app/tools/column/tool.cpp", ""},
                          {"app/tools/tools.cpp", ""}};
    EXPECT_THAT(toolsAreListed(tree),
                ElementsAre(HasSubstr("names beam"), HasSubstr("column is not")));
}

} // namespace
} // namespace echolux::arch
