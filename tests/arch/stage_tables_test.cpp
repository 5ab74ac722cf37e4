// SPDX-License-Identifier: GPL-3.0-or-later
// Every stage describes itself and its parameters well enough for sliders, files and help texts;
// and the check can fail.
#include "gpu/stage/registry.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <set>

namespace echolux::arch {
namespace {

using Violations = std::vector<std::string>;
using testing::HasSubstr;
using testing::IsEmpty;

bool isSnakeCase(const std::string& name) {
    static const std::regex kSnake("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    return std::regex_match(name, kSnake);
}

bool isSentence(const std::string& text) { return text.size() > 8 && text.ends_with('.'); }

/// "Of the bins." says something only together with the label.
bool isWhole(const std::string& text) { return isSentence(text) && !text.starts_with("Of "); }

/// Light makes A-scans, sound A-lines.
void checkWords(const std::string& text, const std::string& name, Violations& found) {
    if (text.find("A-line") != std::string::npos)
        found.push_back(name + ": says A-line, where stages of spectra make A-scans.");
}

bool isNumeric(const ParamRow& row) {
    return row.type == ParamType::Integer || row.type == ParamType::Real ||
           row.type == ParamType::RealList;
}

void checkRange(const ParamRow& row, const std::string& name, Violations& found) {
    if (!(row.min < row.max)) found.push_back(name + ": min is not below max.");
    if (!(row.step > 0.0) || row.step > row.max - row.min)
        found.push_back(name + ": step does not fit the range.");
    if (row.scale == ParamScale::Log && row.min <= 0.0)
        found.push_back(name + ": a logarithmic scale needs a positive min.");
    if (!(row.displayFactor > 0.0)) found.push_back(name + ": displayFactor is not positive.");
}

void checkChoices(const ParamRow& row, const std::string& name, Violations& found) {
    std::set<std::string> ids;
    for (const ParamChoice& choice : row.choices) {
        if (!isSnakeCase(choice.id)) found.push_back(name + ": choice id " + choice.id + ".");
        if (choice.label.empty()) found.push_back(name + ": a choice has no label.");
        if (!ids.insert(choice.id).second) found.push_back(name + ": choice twice.");
    }
    if (row.choices.size() < 2) found.push_back(name + ": nothing to choose from.");
}

void checkCondition(const StageType& type, const ParamRow& row, const std::string& name,
                    Violations& found) {
    if (row.onlyWith.key.empty()) return;
    const ParamRow* choice = type.table.find(row.onlyWith.key);
    if (choice == nullptr || std::ranges::find(choice->choices, row.onlyWith.id,
                                               &ParamChoice::id) == choice->choices.end()) {
        found.push_back(name + ": matters only with a choice that does not exist.");
    }
}

Violations checkStage(const StageType& type) {
    Violations found;
    if (!isSnakeCase(type.id)) found.push_back(type.id + ": id is not snake_case.");
    if (type.label.empty()) found.push_back(type.id + ": no label.");
    checkWords(type.label + ' ' + type.help, type.id, found);
    if (!isSentence(type.help)) found.push_back(type.id + ": help is no sentence.");
    if (type.inputs.empty()) found.push_back(type.id + ": has no port.");
    for (const Port& port : type.inputs)
        if (port.dtypes.empty()) found.push_back(type.id + ": takes no sample type.");
    if (type.code.create == nullptr || type.code.plan == nullptr)
        found.push_back(type.id + ": cannot be created.");
    std::set<std::string> keys;
    const Params defaults(type.table);
    for (const ParamRow& row : type.table.rows()) {
        const std::string name = type.id + "." + row.key;
        if (!isSnakeCase(row.key)) found.push_back(name + ": key is not snake_case.");
        if (!keys.insert(row.key).second) found.push_back(name + ": key twice.");
        if (row.label.empty()) found.push_back(name + ": no label.");
        checkWords(row.label + ' ' + row.help, name, found);
        if (!isWhole(row.help)) found.push_back(name + ": help is no sentence.");
        if (isNumeric(row)) checkRange(row, name, found);
        if (row.type == ParamType::Choice) checkChoices(row, name, found);
        checkCondition(type, row, name, found);
        try {
            type.table.validated(type.id, row, defaults.get(row.key));
        } catch (const Error& error) {
            found.push_back(name + ": default refused: " + error.what());
        }
    }
    return found;
}

TEST(StageTables, AreComplete) {
    std::set<std::string> ids;
    for (const StageType* type : builtinStages()) {
        EXPECT_THAT(checkStage(*type), IsEmpty());
        EXPECT_TRUE(ids.insert(type->id).second) << type->id << " twice";
    }
    EXPECT_FALSE(ids.empty());
}

/// stageTypeWith() takes the first stage with a role, so there is no second one. Nobody asks it for
/// a stage that watches motion.
TEST(StageTables, EachRoleStandsOnce) {
    std::set<Role> roles;
    for (const StageType* type : builtinStages()) {
        if (type->role == Role::None || type->role == Role::WatchesMotion) continue;
        EXPECT_TRUE(roles.insert(type->role).second) << type->id;
    }
    for (const Role role : roles) EXPECT_EQ(stageTypeWith(role).role, role);
}

struct Bad {
    double value = 5.0;
    bool flag = false;
};

TEST(StageTables, EachFaultIsFound) {
    StageType type;
    type.id = "Bad Id";
    type.help = "short";
    EXPECT_THAT(checkStage(type), testing::Contains(HasSubstr("has no port")));
    type.inputs = {Port{}};
    type.table =
        ParamTable::of<Bad>()
            .real(&Bad::value, {.key = "value", .label = "Value", .min = 1.0, .max = 0.0})
            .real(&Bad::value,
                  {.key = "part", .label = "Part", .max = 9.0, .help = "Of the A-lines, a part."})
            .flag(&Bad::flag, {.key = "value",
                               .label = "Flag",
                               .help = "It is a flag.",
                               .onlyWith = {"value", "nowhere"}})
            .build();
    const Violations found = checkStage(type);
    for (const char* fault : {"id is not", "no label", "help is no sentence", "no sample type",
                              "cannot be created", "min is not", "step does not", "key twice",
                              "default refused", "choice that does not exist",
                              "Bad Id.part: help is no sentence", "Bad Id.part: says A-line"})
        EXPECT_THAT(found, testing::Contains(HasSubstr(fault)));
}

} // namespace
} // namespace echolux::arch
