#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A volume along parallel rays: its highest value, or the first of three slices that a ray meets.
#include "colour.glsl"
uniform sampler3D voxels; // depth, lateral, elevation
// Pixel p is looked through along start + p.x perX + p.y perY + t direction, in texture coordinates.
uniform vec3 start;
uniform vec3 perX;
uniform vec3 perY;
uniform vec3 direction; // no part of it is 0
uniform vec4 viewport;  // left, top, width, height in pixels
uniform bool slices;
uniform vec3 slicesAt;        // texture coordinates
uniform float stepsPerVoxel;
uniform bool asValues; // the highest value itself, as red, instead of its colour
in vec2 place;
out vec4 colour; // alpha 0 beside the volume

const int kMaxSteps = 4096;

bool inside(vec3 p) {
    return all(greaterThanEqual(p, vec3(-1e-4))) && all(lessThanEqual(p, vec3(1.0001)));
}

void drawSlices(vec3 origin) {
    vec3 t = (slicesAt - origin) / direction;
    float first = 1e9;
    for (int axis = 0; axis < 3; ++axis) {
        if (t[axis] < first && inside(origin + t[axis] * direction)) first = t[axis];
    }
    if (first == 1e9) {
        colour = vec4(0.0);
        return;
    }
    colour = vec4(colourOf(texture(voxels, origin + first * direction).r), 1.0);
}

void drawMaximum(vec3 origin) {
    vec3 a = -origin / direction;
    vec3 b = (1.0 - origin) / direction;
    vec3 enters = min(a, b);
    vec3 leaves = max(a, b);
    float near = max(enters.x, max(enters.y, enters.z));
    float far = min(leaves.x, min(leaves.y, leaves.z));
    if (near >= far) {
        colour = vec4(0.0);
        return;
    }
    vec3 along = (far - near) * direction;
    float voxelsPassed = length(along * vec3(textureSize(voxels, 0)));
    int steps = clamp(int(ceil(voxelsPassed * stepsPerVoxel - 0.01)), 1, kMaxSteps);
    vec3 stride = along / float(steps);
    vec3 at = origin + near * direction + 0.5 * stride;
    float highest = texture(voxels, at).r;
    for (int i = 1; i < steps; ++i) {
        at += stride;
        float value = texture(voxels, at).r;
        if (value > highest || notANumber(highest)) highest = value;
        if (highest >= displayRange.y) break; // the brightest colour already
    }
    colour = vec4(asValues ? vec3(highest, 0.0, 0.0) : colourOf(highest), 1.0);
}

void main() {
    vec2 pixel = viewport.xy + place * viewport.zw;
    vec3 origin = start + pixel.x * perX + pixel.y * perY;
    if (slices) {
        drawSlices(origin);
    } else {
        drawMaximum(origin);
    }
}
