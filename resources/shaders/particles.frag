#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A white streak with a dark edge, so that it is visible on all colours. Only within the flow.
#include "flow_field.glsl"
in vec2 place;
in vec2 streak;
in float strength;
out vec4 colour;

void main() {
    if (flowAt(place) == vec2(0.0)) discard;
    float white = 1.0 - smoothstep(0.45, 0.75, abs(streak.x));
    colour = vec4(vec3(white), strength * streak.y * mix(0.7, 1.0, white));
}
