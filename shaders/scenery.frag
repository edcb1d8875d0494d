// The scenery of a table without a camera: the ground where a pixel's ray meets it, else the background in the ray's
// direction (view/scene/scenery.py). The pictures are in display colours.
uniform sampler2D ground;
uniform sampler2D around;
uniform vec4 area;        // lower left corner of the ground; 1 / width, 1 / depth
uniform vec2 elevations;  // the lowest elevation in `around`; 1 / the range of elevations
uniform float sheen;
uniform sampler2D prop;
uniform vec4 prop_at;     // place on the table; width of the picture (0: no prop); height of its part below the table
in vec2 part;
out vec4 pixel;

vec3 background_colour(vec3 ray, float level) {
    float azimuth = atan(ray.x, ray.y) * 0.31830989 + 0.5;
    float elevation = atan(ray.z, length(ray.xy));
    return textureLod(around, vec2(azimuth, (elevation - elevations.x) * elevations.y), level).rgb;
}

void main() {
    vec2 drawn = vec2(part.x, 1.0 - part.y) * picture.zw;  // the target is upside down
    vec2 seen = vec2(drawn.x, picture.w - drawn.y) * picture.xy / picture.zw;
    if (more.y < 0.0) seen.x = picture.x - seen.x;
    vec3 ray = vec3((seen - 0.5 - lens.zw) / lens.xy, 1.0) * mat3(camera_from_table);
    float reach = eye.z / max(-ray.z, 1e-4);
    vec2 place = (eye.xy + ray.xy * reach - area.xy) * area.zw;
    vec4 below = texture(ground, place, -0.7);
    vec2 soft = min(fwidth(place), 0.1);
    vec2 inside = smoothstep(-soft, soft, place) * (1.0 - smoothstep(1.0 - soft, 1.0 + soft, place));
    float covers = ray.z < 0.0 ? inside.x * inside.y * below.a : 0.0;
    vec3 colour = below.rgb;
    if (sheen > 0.0 && covers > 0.0) {
        vec3 to_eye = -normalize(ray);
        float edge = 1.0 - to_eye.z;
        colour += sheen * (0.04 + 0.96 * edge * edge * edge * edge * edge) * background_colour(vec3(ray.xy, -ray.z), 2.5);
    }
    if (covers < 1.0) colour = mix(background_colour(ray, 0.0), colour, covers);
    if (prop_at.z > 0.0) {
        vec2 facing = normalize(eye.xy - prop_at.xy);
        float reached = dot(prop_at.xy - eye.xy, facing) / min(dot(ray.xy, facing), -1e-4);
        vec3 spot = vec3(eye.xy - prop_at.xy, eye.z) + ray * reached;
        vec2 at = vec2(dot(spot.xy, vec2(-facing.y, facing.x)) / prop_at.z + 0.5, (spot.z + prop_at.w) / prop_at.z);
        vec4 thing = textureLod(prop, clamp(at, 0.0, 1.0), 0.0);
        colour = mix(colour, thing.rgb, thing.a);
    }
    pixel = vec4(apply_grade(colour, drawn), 1.0);
}
