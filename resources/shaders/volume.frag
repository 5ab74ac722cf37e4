#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A volume along parallel rays: its highest value, the colours that get through it, or the first of
// three slices that a ray meets.
#include "colour.glsl"
uniform sampler3D voxels; // depth, lateral, elevation
// Pixel p is looked through along start + p.x perX + p.y perY + t direction, in texture coordinates.
uniform vec3 start;
uniform vec3 perX;
uniform vec3 perY;
uniform vec3 direction; // no part of it is 0
uniform vec4 viewport;  // left, top, width, height in pixels
uniform int mode; // 0: maximum, 1: composite, 2: slices
uniform vec3 slicesAt;        // texture coordinates
uniform float stepsPerVoxel;
uniform bool asValues; // the highest value itself, as red, instead of its colour
// Along a ray t is 0 at the box's centre and +-reach at its corners farthest from and nearest to
// the eye; there colours are as bright as 1 - depthCue and 1.
uniform float depthCue;
uniform float reach;
uniform float extinction; // of full brightness, per unit of t
in vec2 place;
out vec4 colour; // times alpha, which is 0 beside the volume

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

/// The part of a ray that lies in the box, in steps of equal length; none where it misses the box.
struct Walk {
    vec3 first; // the middle of the first step
    vec3 stride;
    float near; // t where the box begins
    float dt;   // of a step
    int steps;
};

Walk walkFrom(vec3 origin) {
    Walk walk;
    vec3 a = -origin / direction;
    vec3 b = (1.0 - origin) / direction;
    vec3 enters = min(a, b);
    vec3 leaves = max(a, b);
    float near = max(enters.x, max(enters.y, enters.z));
    float far = min(leaves.x, min(leaves.y, leaves.z));
    walk.steps = 0;
    if (near >= far) return walk;
    vec3 along = (far - near) * direction;
    float voxelsPassed = length(along * vec3(textureSize(voxels, 0)));
    walk.steps = clamp(int(ceil(voxelsPassed * stepsPerVoxel - 0.01)), 1, kMaxSteps);
    walk.stride = along / float(walk.steps);
    walk.first = origin + near * direction + 0.5 * walk.stride;
    walk.near = near;
    walk.dt = (far - near) / float(walk.steps);
    return walk;
}

float lightAt(float t) { return 1.0 - depthCue * clamp(0.5 + 0.5 * t / reach, 0.0, 1.0); }

/// 0 to 1 within the display limits; 0 for what is not a number.
float brightnessOf(float value) {
    if (!(value > displayRange.x)) return 0.0;
    float part = min((value - displayRange.x) / (displayRange.y - displayRange.x), 1.0);
    return gamma == 1.0 ? part : pow(part, gamma);
}

void drawMaximum(Walk walk) {
    vec3 at = walk.first;
    float highest = texture(voxels, at).r;
    for (int i = 1; i < walk.steps; ++i) {
        at += walk.stride;
        float value = texture(voxels, at).r;
        if (value > highest || notANumber(highest)) highest = value;
        if (highest >= displayRange.y) break; // the brightest colour already
    }
    colour = vec4(asValues ? vec3(highest, 0.0, 0.0) : colourOf(highest), 1.0);
}

/// What looks brightest, lit from the eye.
void drawCuedMaximum(Walk walk) {
    vec3 at = walk.first;
    float t = walk.near + 0.5 * walk.dt;
    float highest = texture(voxels, at).r;
    float light = lightAt(t);
    float brightest = brightnessOf(highest) * light;
    for (int i = 1; i < walk.steps; ++i) {
        at += walk.stride;
        t += walk.dt;
        float lightHere = lightAt(t);
        if (brightest >= lightHere) break; // nothing behind can look brighter
        float value = texture(voxels, at).r;
        float seen = brightnessOf(value) * lightHere;
        if (seen > brightest || notANumber(highest)) {
            brightest = seen;
            highest = value;
            light = lightHere;
        }
    }
    colour = vec4(colourOf(highest) * light, 1.0);
}

/// Emission and absorption from front to back: over a length s of brightness b the part
/// exp(-extinction b s) of what lies behind gets through, whatever steps s is made of.
void drawComposite(Walk walk) {
    const float kNothing = 0.002; // less than half a level of any colour
    vec3 at = walk.first;
    float t = walk.near + 0.5 * walk.dt;
    float perStep = -extinction * walk.dt;
    float through = 1.0;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < walk.steps && through > kNothing; ++i) {
        float value = texture(voxels, at).r;
        float brightness = brightnessOf(value);
        if (brightness > 0.0) {
            float behind = through * exp(perStep * brightness);
            sum += (through - behind) * lightAt(t) * colourOf(value);
            through = behind;
        }
        at += walk.stride;
        t += walk.dt;
    }
    colour = vec4(sum, 1.0 - through);
}

void main() {
    vec2 pixel = viewport.xy + place * viewport.zw;
    vec3 origin = start + pixel.x * perX + pixel.y * perY;
    if (mode == 2) {
        drawSlices(origin);
        return;
    }
    Walk walk = walkFrom(origin);
    if (walk.steps == 0) {
        colour = vec4(0.0);
    } else if (mode == 1) {
        drawComposite(walk);
    } else if (depthCue > 0.0) {
        drawCuedMaximum(walk);
    } else {
        drawMaximum(walk);
    }
}
