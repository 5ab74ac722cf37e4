// SPDX-License-Identifier: GPL-3.0-or-later
// A StageType holds plain functions and a plain struct. So each stage takes one of 64 slots with
// functions of their own, and the struct has a fixed number of fields of each type.
#include "app/pipeline/python/python_stages.hpp"

#include "app/pipeline/python/interpreter.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace echolux {
namespace {

using Json = nlohmann::json;
/// What is wrong, as a clause. The guard around plugins makes a sentence of it.
using Failure = std::runtime_error;

constexpr std::size_t kMostStages = 64;
constexpr std::size_t kFieldsPerType = 16;
constexpr std::int64_t kLargestAxis = std::int64_t{1} << 32;
constexpr double kLargestFrame = 1e10; // samples

// ---- Parameters -------------------------------------------------------------------------------

enum class Pick : std::uint8_t { First };

template <class T, std::size_t I> struct Field { T value{}; };
template <class T, class Indices> struct FieldsOf;
template <class T, std::size_t... I> struct FieldsOf<T, std::index_sequence<I...>>
    : Field<T, I>... {
    template <class P> static constexpr std::array<T P::*, sizeof...(I)> in() {
        return {static_cast<T P::*>(&Field<T, I>::value)...};
    }
};
template <class T> using Fields = FieldsOf<T, std::make_index_sequence<kFieldsPerType>>;

struct PythonParams : Fields<bool>,
                      Fields<std::int64_t>,
                      Fields<double>,
                      Fields<std::string>,
                      Fields<Pick> {};

/// Sets the default of the next free field of the type T. Returns the field.
template <class T>
T PythonParams::*placed(PythonParams& defaults, std::size_t& taken, const T& value) {
    static constexpr auto kFields = Fields<T>::template in<PythonParams>();
    if (taken >= kFields.size())
        throw Failure(fmt::format("it has more than {} parameters of one type", kFields.size()));
    T PythonParams::*field = kFields[taken++];
    defaults.*field = value;
    return field;
}

/// A parameter without its place in the struct.
ParamRow rowOf(const std::string& key, const Json& described) {
    ParamRow row;
    row.key = key;
    row.label = described.at("label").get<std::string>();
    row.help = described.value("help", "");
    row.unit = described.value("unit", "");
    row.min = described.value("minimum", 0.0);
    row.max = described.value("maximum", 1.0);
    row.step = described.value("step", 0.01);
    if (!(row.min < row.max) || !(row.step > 0.0))
        throw Failure(
            fmt::format("parameter '{}' needs minimum < maximum, and a step above 0", key));
    if (described.value("structural", false)) row.kind = ParamKind::Structural;
    return row;
}

/// The rows of a stage, and their defaults.
ParamTable tableOf(const Json& parameters, PythonParams& defaults) {
    auto builder = ParamTable::of<PythonParams>();
    std::array<std::size_t, 5> taken{};
    for (const auto& parameter : parameters.items()) {
        const std::string& key = parameter.key();
        const Json& described = parameter.value();
        const ParamRow row = rowOf(key, described);
        const Json& value = described.at("default");
        const auto type = described.at("type").get<std::string>();
        if (type == "flag") {
            builder.flag(placed(defaults, taken[0], value.get<bool>()), row);
        } else if (type == "integer") {
            builder.integer(placed(defaults, taken[1], value.get<std::int64_t>()), row);
        } else if (type == "real") {
            builder.real(placed(defaults, taken[2], value.get<double>()), row);
        } else if (type == "text") {
            builder.text(placed(defaults, taken[3], value.get<std::string>()), row);
        } else {
            std::vector<ParamChoice> choices;
            std::size_t chosen = 0;
            for (const Json& choice : described.at("choices")) {
                if (choice == value) chosen = choices.size();
                choices.push_back({choice.get<std::string>(), choice.get<std::string>()});
            }
            if (choices.empty()) throw Failure(fmt::format("parameter '{}' has no choices", key));
            builder.choice(placed(defaults, taken[4], static_cast<Pick>(chosen)),
                           std::move(choices), row);
        }
    }
    return builder.build();
}

std::string textOf(const Params& params) {
    Json values = Json::object();
    for (const ParamRow& row : params.table().rows())
        std::visit([&](const auto& value) { values[row.key] = value; }, params.get(row.key));
    return values.dump();
}

// ---- Frames -----------------------------------------------------------------------------------

constexpr std::array kDTypes = {DType::U8, DType::I16, DType::U16, DType::F32, DType::ComplexF32};

template <class T, class All> T named(std::string_view name, const All& all, const char* what) {
    for (const T each : all)
        if (nameOf(each) == name) return each;
    throw Failure(fmt::format("there is no {} '{}'", what, name));
}

DType dtypeNamed(std::string_view name) { return named<DType>(name, kDTypes, "sample type"); }

AxisName axisNamed(std::string_view name) {
    static constexpr std::array kAll = {
        AxisName::Frame,     AxisName::Transmit, AxisName::Channel,  AxisName::Sample,
        AxisName::Elevation, AxisName::Depth,    AxisName::Lateral,  AxisName::Velocity,
        AxisName::SlowTime,  AxisName::Bubble,   AxisName::Property,
    };
    return named<AxisName>(name, kAll, "axis");
}

std::string textOf(const FrameSpec& spec) {
    Json axes = Json::array();
    for (const Axis& axis : spec.axes) {
        axes.push_back({{"name", nameOf(axis.name)},
                        {"size", axis.size},
                        {"spacing", axis.spacing},
                        {"origin", axis.origin},
                        {"unit", axis.unit}});
    }
    const Json facts = {{"centre_frequency_hz", spec.centreFrequencyHz},
                        {"demodulation_frequency_hz", spec.demodulationFrequencyHz},
                        {"sampling_frequency_hz", spec.samplingFrequencyHz()},
                        {"frame_interval_s", spec.frameIntervalS},
                        {"code_offset", spec.codeOffset},
                        {"code_scale", spec.codeScale}};
    return Json{{"dtype", nameOf(spec.dtype)}, {"axes", axes}, {"facts", facts}}.dump();
}

/// The input with the axes and samples that plan() of the stage gave. Facts that belong to the
/// former axes are dropped.
FrameSpec planned(FrameSpec spec, const Json& answer) {
    if (!answer.contains("axes")) return spec;
    spec.dtype = dtypeNamed(answer.at("dtype").get<std::string>());
    spec.axes.clear();
    double samples = 1.0;
    for (const Json& axis : answer.at("axes")) {
        const auto size = axis.at("size").get<std::int64_t>();
        if (size < 1 || size > kLargestAxis)
            throw Failure(fmt::format("its plan gives an axis of size {}", size));
        samples *= static_cast<double>(size);
        spec.axes.push_back({axisNamed(axis.at("name").get<std::string>()), size,
                             axis.at("spacing").get<double>(), axis.at("origin").get<double>(),
                             axis.at("unit").get<std::string>()});
    }
    if (spec.axes.empty() || samples > kLargestFrame)
        throw Failure("its plan gives no axes, or a frame of more than 10^10 samples");
    spec.valueRange.reset();
    spec.converterRange.reset();
    spec.acquisition.reset();
    spec.spectrometer.reset();
    spec.sector.reset();
    spec.within.reset();
    return spec;
}

// ---- Stages -----------------------------------------------------------------------------------

struct Described {
    std::int64_t handle = 0; ///< in Python
    PythonParams defaults;
    std::vector<std::string> warnings; ///< see StagePlan
};

/// Which stage a slot has. A slot is taken once and keeps its stage.
struct Slots {
    std::mutex mutex;
    std::array<Described, kMostStages> stages;
    std::size_t taken = 0;
};
Slots& slots() {
    static Slots kSlots;
    return kSlots;
}

Json answerOf(const char* text) {
    Json answer = text == nullptr ? Json() : Json::parse(text, nullptr, false);
    if (!answer.is_object()) throw Failure("Python gave no answer");
    if (answer.contains("error")) throw Failure(answer.at("error").get<std::string>());
    return answer;
}

class PythonStage final : public Filter {
public:
    explicit PythonStage(std::int64_t handle) : m_handle(handle) {}

    static StagePlan plan(const Described& stage, const FrameSpec& input, const Params& params) {
        const std::string spec = textOf(input);
        const char* text =
            pythonFunctions().plan(stage.handle, spec.c_str(), textOf(params).c_str());
        return {.outputs = {planned(input, answerOf(text))}, .warnings = stage.warnings};
    }

    void prepare(const Exec& exec, const FrameSpec& input, const StagePlan& plan,
                 const Params&) override {
        m_input = textOf(input);
        m_output = textOf(plan.outputs.front());
        if (exec.backend != Backend::Cuda) return;
        m_device = device::current().ordinal;
        answerOf(pythonFunctions().useGpu(m_device)); // earlier frames may have had another size
    }
    void follow(const Exec&, const FrameSpec& input) override { m_input = textOf(input); }
    void update(const Exec&, const Params& params) override { m_values = textOf(params); }
    /// NOTE: on CUDA the function takes memory for its results from CuPy's pool.
    void run(const Exec& exec, const ConstTensorView& input, const TensorView& output,
             const Workspace&) override {
        const PythonFunctions& python = pythonFunctions();
        answerOf(exec.backend == Backend::Cuda
                     ? python.runOnGpu(m_handle, m_input.c_str(), m_output.c_str(),
                                       m_values.c_str(), input.data, output.data, m_device,
                                       exec.stream)
                     : python.run(m_handle, m_input.c_str(), m_output.c_str(), m_values.c_str(),
                                  input.data, output.data));
    }

private:
    std::int64_t m_handle;
    std::int64_t m_device = 0; ///< number of the GPU
    std::string m_input;
    std::string m_output;
    std::string m_values;
};

/// The struct of a slot: its defaults are those of the stage.
template <std::size_t I> struct SlotParams : PythonParams {
    SlotParams() : PythonParams(slots().stages[I].defaults) {}
};

/// The functions of a slot.
struct SlotCode {
    StageCode code;
    ParamTable (*table)(const ParamTable& rows) = nullptr;
};

template <std::size_t I> SlotCode slotCode() {
    return {{[](InputSpecs inputs, const Params& params) {
                 return PythonStage::plan(slots().stages[I], inputs[0], params);
             },
             [] { return stageOf(std::make_unique<PythonStage>(slots().stages[I].handle)); }},
            [](const ParamTable& rows) { return rows.in<SlotParams<I>>(); }};
}

SlotCode slotCode(std::size_t slot) {
    return [slot]<std::size_t... I>(std::index_sequence<I...>) {
        static const std::array kCodes = {slotCode<I>()...};
        return kCodes[slot];
    }
    (std::make_index_sequence<kMostStages>());
}

bool isId(std::string_view id) {
    return !id.empty() && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// Why stages cannot run on the GPU, as a clause; empty where they can, or where there is no GPU.
std::string failureOfGpu() {
    if (device::probe().empty()) return {};
    return Json::parse(pythonFunctions().useGpu(-1)).value("error", "");
}

StageType typeOf(const Json& described) {
    StageType type;
    type.id = described.at("id").get<std::string>();
    if (!isId(type.id)) {
        throw Failure(fmt::format("the name '{}' of a stage has other characters than a to z, 0 to "
                                  "9 and _",
                                  type.id));
    }
    type.label = described.at("label").get<std::string>();
    type.help = described.at("help").get<std::string>();
    type.bypassable = !described.at("plans").get<bool>();
    const std::string failure = described.at("gpu").get<bool>() ? failureOfGpu() : "";
    type.hasCuda = described.at("gpu").get<bool>() && failure.empty();
    Port& port = type.inputs.emplace_back();
    for (const Json& name : described.at("dtypes"))
        port.dtypes.push_back(dtypeNamed(name.get<std::string>()));
    for (const Json& name : described.at("axes"))
        port.axes.push_back(axisNamed(name.get<std::string>()));
    const std::scoped_lock lock(slots().mutex);
    if (slots().taken == kMostStages)
        throw Failure(fmt::format("{} stages in Python were loaded before it; start Echolux anew",
                                  kMostStages));
    const std::size_t slot = slots().taken++;
    Described& stage = slots().stages[slot];
    stage.handle = described.at("handle").get<std::int64_t>();
    if (!failure.empty()) {
        stage.warnings = {
            fmt::format("Stage '{}' could compute on the GPU but runs on the CPU: {}; for CUDA 13, "
                        "pip install cupy-cuda13x.",
                        type.id, failure)};
    }
    const SlotCode code = slotCode(slot);
    type.code = code.code;
    type.table = code.table(tableOf(described.at("parameters"), stage.defaults));
    const Params made(type.table);
    for (const ParamRow& row : type.table.rows())
        type.table.validated("its default", row, made.get(row.key));
    return type;
}

} // namespace

std::vector<StageType> pythonStages(const std::filesystem::path& path, const std::string& source) {
    try {
        const Json answer = answerOf(pythonFunctions().load(source.c_str(), path.c_str()));
        std::vector<StageType> types;
        for (const Json& stage : answer.at("stages")) types.push_back(typeOf(stage));
        return types;
    } catch (const std::exception& error) {
        std::string reason = error.what();
        if (reason.ends_with('.')) reason.pop_back();
        throw Error(
            fmt::format("The plugin {} cannot be used: {}; correct it.", path.string(), reason));
    }
}

} // namespace echolux
