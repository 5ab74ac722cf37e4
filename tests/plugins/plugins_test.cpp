// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins from the pipeline's file to the image: loading, refusing, failing and loading anew.
#include "app/pipeline/plugins.hpp"

#include "app/pipeline/plugin_consents.hpp"
#include "app/pipeline/runner.hpp"
#include "gpu/check/plausible_frames.hpp"
#include "gpu/check/stage_check.hpp"
#include "gpu/stage/plugin.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace echolux {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::refusal;

const fs::path kLee = ECHOLUX_LEE_PLUGIN;

std::string contentsOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& contents) {
    std::ofstream(file, std::ios::binary) << contents;
}

/// Whatever is named may run.
class Plugins : public testing::Test {
protected:
    Plugins() {
        setPluginConsent([](const PluginFile&) { return true; });
    }
    ~Plugins() override { setPluginConsent(rememberedConsent()); }
    test::TemporaryFolder m_folder;
};

PipelineConfig naming(const fs::path& library, const std::string& stage) {
    return parsePipeline("version = 3\n[[plugin]]\nlibrary = \"" + library.string() +
                             "\"\n[[stage]]\ntype = \"" + stage + "\"\n",
                         "test.toml");
}

/// What the pipeline's only stage makes of an image of ones with one bright pixel.
std::vector<float> imageOf(const PipelineConfig& config) {
    const FrameSpec spec = check::imageSpec(5, 5);
    std::vector<float> frame(25, 1.0F);
    frame[12] = 9.0F;
    Runner runner(Backend::Cpu, 1);
    runner.apply(instantiate(config, spec));
    std::vector<float> out(frame.size());
    runner.wait(runner.enqueue({.raw = reinterpret_cast<const std::byte*>(frame.data()),
                                .targets = {ViewTarget{out.data()}}}));
    return out;
}

TEST_F(Plugins, AStageOfAPluginRunsWithItsParameters) {
    const PipelineConfig config = naming(kLee, "lee_filter");
    EXPECT_THAT(config.plugins, ElementsAre(PluginConfig{kLee}));
    EXPECT_THAT(knownStages(), Contains(&stageType("lee_filter")));
    const SnapshotPtr usual = instantiate(config, check::imageSpec(5, 5));
    const SnapshotPtr edited = withValue(*usual, "lee_filter", "window", std::int64_t{3});
    EXPECT_EQ(imageOf(toConfig(*edited))[0], 1.0F); // the window does not reach the bright pixel
    EXPECT_THAT(refusal([&] { withValue(*usual, "lee_filter", "window", std::int64_t{4}); }),
                HasSubstr("window"));
}

TEST_F(Plugins, AWrittenPipelineNamesThePluginsThatItUses) {
    const SnapshotPtr snapshot = instantiate(naming(kLee, "lee_filter"), check::imageSpec(5, 5));
    EXPECT_THAT(toToml(toConfig(*snapshot)), HasSubstr("library = \"" + kLee.string() + "\""));
    const PipelineConfig read = parsePipeline(toToml(toConfig(*snapshot)), "again.toml");
    EXPECT_EQ(read.plugins, toConfig(*snapshot).plugins);
}

TEST_F(Plugins, ALibraryLiesBesideThePipeline) {
    fs::copy(kLee, m_folder / "libbeside.so");
    write(m_folder / "pipeline.toml",
          "version = 3\n[[plugin]]\nlibrary = \"beside\"\n[[stage]]\ntype = \"lee_filter\"\n");
    EXPECT_EQ(loadPipeline(m_folder / "pipeline.toml").stages.at(0).type, "lee_filter");
    EXPECT_THAT(pluginsInUse(),
                ElementsAre(testing::Field(&Plugin::sha256, readPlugin(kLee).sha256)));
}

TEST_F(Plugins, AFilterTextImportsALibrary) {
    const PipelineConfig config = parsePipeline("environment cpu\nimport " + kLee.string() +
                                                    "\nfilter type lee_filter name lee\n"
                                                    "link source frame@environment dest in@lee\n",
                                                "listing.cfg");
    EXPECT_EQ(config.stages.back().type, "lee_filter");
    EXPECT_THAT(config.plugins, ElementsAre(PluginConfig{kLee}));
}

TEST_F(Plugins, NothingRunsThatIsNotAllowed) {
    setPluginConsent([](const PluginFile&) { return false; });
    const auto known = knownStages().size();
    EXPECT_THAT(refusal([] { naming(kLee, "lee_filter"); }),
                AllOf(HasSubstr("test.toml, line 3"), HasSubstr("plugins allow " + kLee.string())));
    EXPECT_EQ(knownStages().size(), known);
}

TEST_F(Plugins, OtherFilesAreRefusedBeforeTheyRun) {
    const std::string own = contentsOf(kLee);
    write(m_folder / "text.so", "This is no library.");
    write(m_folder / "empty.so", "");
    write(m_folder / "cut.so", own.substr(0, own.find(ECHOLUX_BUILD_TAG) + 100));
    std::string other = own;
    other.replace(other.find(ECHOLUX_BUILD_TAG), 5, "9.9.9");
    write(m_folder / "other.so", other);
    const auto refused = [&](const std::string& name) {
        return refusal([&] { naming(m_folder / name, "lee_filter"); });
    };
    EXPECT_THAT(refused("text.so"), HasSubstr("is no Echolux plugin"));
    EXPECT_THAT(refused("empty.so"), HasSubstr("is empty"));
    EXPECT_THAT(refused("cut.so"), HasSubstr("is damaged"));
    EXPECT_THAT(refused("other.so"), AllOf(HasSubstr("tag=9.9.9"), HasSubstr(ECHOLUX_BUILD_TAG)));
    EXPECT_THAT(refused("missing.so"), HasSubstr("There is no plugin"));
    EXPECT_THAT(refusal([&] { naming(m_folder.path(), "lee_filter"); }),
                HasSubstr("There is no plugin"));
}

TEST_F(Plugins, TwoStagesDoNotShareAnId) {
    usePlugin(kLee);
    const auto known = knownStages();
    EXPECT_THAT(refusal([] { usePlugin(ECHOLUX_TWIN_PLUGIN); }),
                AllOf(HasSubstr("lee_filter"), HasSubstr(kLee.string())));
    EXPECT_THAT(refusal([] { usePlugin(ECHOLUX_BUILTIN_ID_PLUGIN); }),
                AllOf(HasSubstr("'median'"), HasSubstr("built-in")));
    EXPECT_EQ(knownStages(), known);
}

TEST_F(Plugins, APluginThatThrowsWhenItStartsIsRefused) {
    EXPECT_THAT(refusal([] { usePlugin(ECHOLUX_THROWING_PLUGIN); }), HasSubstr("no licence"));
}

TEST_F(Plugins, WhatAStageThrowsNamesStageAndPlugin) {
    const fs::path faulty = ECHOLUX_FAULTY_PLUGIN;
    const auto refused = [&](const std::string& stage) {
        return refusal([&] { imageOf(naming(faulty, stage)); });
    };
    EXPECT_THAT(refused("throws_in_plan"), AllOf(HasSubstr("'throws_in_plan'"),
                                                 HasSubstr("no plan"), HasSubstr(faulty.string())));
    EXPECT_THAT(refused("throws_in_prepare"), HasSubstr("not ready"));
    EXPECT_THAT(refused("throws_in_run"), HasSubstr("run()"));
#if !defined(ECHOLUX_ADDRESS_SANITIZER) // which ends the program where so much is wanted
    EXPECT_THAT(refused("wants_too_much"), AllOf(Not(HasSubstr("accepted")), HasSubstr("memory")));
#endif
    EXPECT_THAT(refused("plans_nothing"), HasSubstr("has 1 outputs, but planned 0"));
}

TEST_F(Plugins, ARunningPipelineGoesOn) {
    const FrameSpec spec = check::imageSpec(5, 5);
    const SnapshotPtr good = instantiate(naming(kLee, "lee_filter"), spec);
    Runner runner(Backend::Cpu, 1);
    runner.apply(good);
    EXPECT_THAT(refusal([&] {
                    runner.apply(
                        instantiate(naming(ECHOLUX_FAULTY_PLUGIN, "throws_in_prepare"), spec));
                }),
                HasSubstr("not ready"));
    EXPECT_EQ(runner.snapshot(), good);
    const std::vector<float> frame(25, 2.0F);
    std::vector<float> out(frame.size());
    runner.wait(runner.enqueue({.raw = reinterpret_cast<const std::byte*>(frame.data()),
                                .targets = {ViewTarget{out.data()}}}));
    EXPECT_THAT(out, testing::Each(2.0F));
}

TEST_F(Plugins, ALibraryThatWasBuiltAnewIsTakenUpWithItsParameters) {
    const fs::path path = m_folder / "changing.so";
    write(path, contentsOf(kLee));
    setenv("XDG_CONFIG_HOME", m_folder.path().c_str(), 1); // NOLINT: one thread
    SnapshotPtr snapshot = instantiate(naming(path, "lee_filter"), check::imageSpec(5, 5));
    snapshot = withValue(*snapshot, "lee_filter", "window", std::int64_t{3});
    const StageType* former = snapshot->stages[0].type;
    EXPECT_THAT(reloadPlugins(), IsEmpty());

    std::string renewed = contentsOf(kLee);
    renewed.replace(renewed.find("Reduces speckle"), 15, "Removes speckle");
    fs::remove(path);
    write(path, renewed);
    EXPECT_EQ(usePlugin(path).sha256, readPlugin(kLee).sha256); // not without being asked
    EXPECT_EQ(reloadPlugins().size(), 1U);
    EXPECT_TRUE(PluginConsents().allows({readPlugin(path).sha256, path}));
    const SnapshotPtr next = instantiate(toConfig(*snapshot), check::imageSpec(5, 5));
    EXPECT_NE(next->stages[0].type, former);
    EXPECT_THAT(next->stages[0].type->help, HasSubstr("Removes speckle"));
    EXPECT_EQ(next->stages[0].params.get("window"), ParamValue(std::int64_t{3}));
    EXPECT_EQ(imageOf(toConfig(*snapshot))[0], 1.0F);
}

TEST_F(Plugins, TheExamplePassesItsChecks) {
    naming(kLee, "lee_filter");
    for (const check::NamedCheck& each : check::hostChecks())
        EXPECT_THAT(each.run(stageType("lee_filter")), IsEmpty()) << each.name;
}

TEST_F(Plugins, ChecksFindAStageThatWritesTooFar) {
    usePlugin(ECHOLUX_FAULTY_PLUGIN);
    EXPECT_THAT(check::isFiniteAndRepeatable(stageType("writes_too_far")),
                ElementsAre(HasSubstr("written past its end")));
    EXPECT_THAT(check::isFiniteAndRepeatable(stageType("throws_in_run")),
                ElementsAre(HasSubstr("failed in run()")));
}

TEST(PluginConsents, AreRememberedByPathAndContent) {
    const test::TemporaryFolder folder;
    const PluginConsents consents(folder / "settings/plugins.sha256");
    const PluginConsentEntry entry{std::string(64, 'a'), "/a b/x.so"};
    EXPECT_FALSE(consents.allows(entry));
    consents.allow(entry);
    EXPECT_TRUE(consents.allows(entry));
    EXPECT_FALSE(consents.allows({std::string(64, 'b'), entry.path}));
    EXPECT_FALSE(consents.allows({entry.sha256, "/a b/y.so"}));
    consents.allow({std::string(64, 'b'), entry.path});
    EXPECT_THAT(consents.all(), ElementsAre(PluginConsentEntry{std::string(64, 'b'), entry.path}));
    EXPECT_TRUE(consents.forget(entry.path));
    EXPECT_FALSE(consents.forget(entry.path));
    EXPECT_THAT(consents.all(), IsEmpty());
}

TEST(PluginConsents, APathOfTwoLinesAllowsNothing) {
    const test::TemporaryFolder folder;
    const PluginConsents consents(folder / "plugins.sha256");
    const std::string hash(64, 'a');
    EXPECT_THAT(refusal([&] {
                    consents.allow({hash, "/x.so\n" + hash + "  /y.so"});
                }),
                HasSubstr("line break"));
    EXPECT_THAT(consents.all(), IsEmpty());
}

TEST(PluginConsents, AListThatCannotBeWrittenIsAnError) {
    const PluginConsents consents("/proc/no/such/place/plugins.sha256");
    EXPECT_THAT(refusal([&] {
                    consents.allow({std::string(64, 'a'), "/x.so"});
                }),
                HasSubstr("cannot be written"));
}

TEST(PluginFile, TheHashIsThatOfSha256sum) {
    const test::TemporaryFolder folder;
    const PluginFile file = readPlugin(kLee);
    FILE* sum = popen(("sha256sum " + kLee.string()).c_str(), "r"); // NOLINT
    char digits[65] = {};
    ASSERT_EQ(std::fread(digits, 1, 64, sum), 64U);
    pclose(sum);
    EXPECT_EQ(file.sha256, digits);
    write(folder / "longer.so", contentsOf(kLee) + "x");
    EXPECT_NE(readPlugin(folder / "longer.so").sha256, file.sha256);
}

} // namespace
} // namespace echolux
