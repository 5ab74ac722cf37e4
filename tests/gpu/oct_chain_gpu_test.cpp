// SPDX-License-Identifier: GPL-3.0-or-later
// The separate OCT stages one after the other on CUDA: damaged spectra, and gridded ones.
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"
#include "tests/support/oct_chain.hpp"

namespace echolux::test {
namespace {

TEST(OctChainOnTheGpu, OneNanCostsItsLineAlone) {
    ECHOLUX_NEED_GPU();
    expectOneNanCostsItsLine(Backend::Cuda);
}

TEST(OctChainOnTheGpu, GriddedSpectraAreTheCpus) {
    ECHOLUX_NEED_GPU();
    for (const bool complex : {false, true}) {
        for (const char* padding : {"none", "twice"}) {
            SCOPED_TRACE(padding);
            Chain chain{{"k_linearize",
                         {{"kernel_width", std::int64_t{5}}, {"oversampling", 1.5}, {"c2", 12.0}}},
                        {"window", {}}};
            if (complex) chain.push_back({"dispersion", {{"c1", 90.0}, {"c2", -40.0}}});
            chain.push_back({"inverse_fft",
                             {{"padding", std::string(padding)}, {"range", std::string("full")}}});
            const HostFrame line = mirror(301, 50.0, 60.0);
            expectNear(runChain(line, chain, Backend::Cuda).as<float>(),
                       runChain(line, chain).as<float>(), 1e-5);
        }
    }
}

} // namespace
} // namespace echolux::test
