// SPDX-License-Identifier: GPL-3.0-or-later
// Singular parts of an ensemble, found on a backend and copied to the host.
#pragma once

#include "gpu/flow/singular_parts.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <vector>

namespace echolux::test {

struct FoundParts {
    std::vector<flow::SingularValue> values;
    flow::SingularRange range = {};
};

inline FoundParts findParts(Backend backend, const HostFrame& ensemble,
                            const flow::SingularRule& rule) {
    const auto frames = static_cast<int>(ensemble.spec.axes.front().size);
    const std::int64_t pixels = ensemble.spec.count() / frames;
    const auto count = static_cast<std::size_t>(frames);
    const Stream stream(backend, "test");
    const Exec exec{backend, stream.get()};
    const GuardedBuffer in(exec, ensemble.bytes.size()), out(exec, ensemble.bytes.size());
    const GuardedBuffer values(exec, count * sizeof(flow::SingularValue));
    const GuardedBuffer vectors(exec, count * count * sizeof(Complex));
    const GuardedBuffer range(exec, sizeof(flow::SingularRange));
    const GuardedBuffer scratch(exec, flow::singularBytes(frames, pixels));
    upload(exec, in.data(), ensemble.bytes.data(), ensemble.bytes.size());
    flow::findSingularParts(
        exec, "test",
        {static_cast<const Complex*>(in.data()), static_cast<Complex*>(out.data()), frames, pixels},
        rule, scratch.data(),
        {static_cast<flow::SingularValue*>(values.data()), static_cast<Complex*>(vectors.data()),
         static_cast<flow::SingularRange*>(range.data())});
    FoundParts found;
    found.values.resize(count);
    download(exec, found.values.data(), values.data(), count * sizeof(flow::SingularValue));
    download(exec, &found.range, range.data(), sizeof(found.range));
    stream.synchronize();
    scratch.check("the scratch memory", stream);
    out.check("the spatial vectors", stream);
    return found;
}

} // namespace echolux::test
