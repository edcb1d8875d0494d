// The structure in 3D, drawn by three.js: pieces from the feed's lines, and a camera that the viewer turns around them.
import { CapsuleGeometry, CircleGeometry, Color, DirectionalLight, ExtrudeGeometry, BufferAttribute, BufferGeometry, HemisphereLight, Mesh, MeshLambertMaterial,
  PerspectiveCamera, Quaternion, Scene as World, ShadowMaterial, Shape, Vector2, Vector3, WebGLRenderer } from "./three.module.min.js";
import { COLOURS, turned } from "./drawing.js";

const ROD_M = 0.003, PIECE_M = 0.013, PLATE_M = 0.002; // what lines alone don't say: how thick rods, pieces and a flat base are
const STEP_MS = 220; // a little more than the time between two lines of the feed: until the next is there, pieces move on
const MOVED = ["held", "offered"]; // looks of pieces that don't pull the camera along
const UP = new Vector3(0, 1, 0);

// Merge geometries into one without an index.
function joined(parts) {
  const all = parts.map((one) => (one.index ? one.toNonIndexed() : one)), made = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    const values = new Float32Array(all.reduce((sum, one) => sum + one.attributes[name].array.length, 0));
    let at = 0;
    for (const one of all) { values.set(one.attributes[name].array, at); at += one.attributes[name].array.length; }
    made.setAttribute(name, new BufferAttribute(values, 3));
  }
  for (const one of [...parts, ...all]) one.dispose();
  return made;
}

const isRing = (line) => line.length > 3 && line.every((point) => Math.abs(point[2] - line[0][2]) < 1e-4) && line[0].every((value, n) => Math.abs(value - line.at(-1)[n]) < 1e-6);

function rod(from, to) {
  const a = new Vector3(...from), b = new Vector3(...to), along = b.clone().sub(a);
  const made = new CapsuleGeometry(ROD_M, along.length(), 3, 8);
  made.applyQuaternion(new Quaternion().setFromUnitVectors(UP, along.normalize()));
  return made.translate((a.x + (to[0] - a.x) / 2), a.y + (to[1] - a.y) / 2, a.z + (to[2] - a.z) / 2);
}

// Turn rings into solids: two above each other enclose one; a single ring is a flat piece, or for the base a plate below it.
function geometry(shape) {
  const rings = shape.lines.filter(isRing), rods = shape.lines.filter((line) => !isRing(line)), base = shape.name === "base";
  const levels = rings.map((ring) => ring[0][2]), low = Math.min(...levels), high = Math.max(...levels), between = high - low > 1e-4;
  const thick = between ? high - low : base ? PLATE_M : PIECE_M, soft = base ? 0 : 0.25 * thick;
  const solids = (between ? rings.slice(0, 1) : rings).map((ring) =>
    new ExtrudeGeometry(new Shape(ring.slice(0, -1).map(([x, y]) => new Vector2(x, y))),
      { depth: thick - 2 * soft, bevelEnabled: soft > 0, bevelThickness: soft, bevelSize: soft, bevelOffset: -soft, bevelSegments: 3, curveSegments: 1 })
      .translate(0, 0, (base && !between ? -thick : low) + soft));
  return joined([...solids, ...rods.flatMap((line) => line.slice(1).map((to, n) => rod(line[n], to)))]);
}

export class Scene {
  constructor(canvas, still) {
    this.canvas = canvas; this.still = still; this.pieces = new Map(); this.shapes = new Map(); this.geometries = new Map();
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.world = new World();
    this.camera = new PerspectiveCamera(32, 1, 0.02, 20);
    this.camera.up.set(0, 0, 1);
    this.world.add(new HemisphereLight("#dfe8ff", "#30281c", 1.6));
    this.sun = new DirectionalLight("#fff2d8", 2.4);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0005; this.sun.shadow.normalBias = 0.0006; // small, because rods are thin
    this.table = new Mesh(new CircleGeometry(1.5, 64).translate(0, 0, -PLATE_M), new ShadowMaterial({ opacity: 0.45 }));
    this.table.receiveShadow = true;
    this.world.add(this.sun, this.sun.target, this.table);
    this.middle = new Vector3(0, 0, 0.08); this.to = this.middle.clone(); this.size = new Vector2(0.1, 0.1); this.toSize = this.size.clone(); // how far it reaches from its middle, and half its height
    this.home("side");
    this.waits = false;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  home(from = this.from) {
    this.from = from;
    [this.round, this.above, this.far] = from === "above" ? [0, 0.95, 1] : [-0.35, 0.3, 1];
    this.draw();
  }

  turn(right, up) {
    this.round -= right;
    this.above = Math.max(-0.05, Math.min(1.55, this.above + up));
    this.draw();
  }

  nearer(by) { this.far = Math.max(0.3, Math.min(2.5, this.far / by)); this.draw(); }

  show(began, standing) {
    if (this.began !== began) {
      for (const one of this.geometries.values()) one.dispose();
      for (const one of this.pieces.values()) this.world.remove(one.mesh);
      this.pieces.clear(); this.geometries.clear();
      this.shapes = new Map(began.shapes.map((shape) => [shape.name, shape]));
      this.began = began;
      if (this.from !== began.seen_from) this.home(began.seen_from);
    }
    const now = performance.now(), there = new Set(), low = [1e9, 1e9, 0], high = [-1e9, -1e9, 0.03];
    for (const piece of standing.pieces) {
      const shape = this.shapes.get(piece.shape);
      if (!shape) continue;
      there.add(piece.name);
      this.move(piece, shape, now);
      if (!MOVED.includes(piece.look)) for (const line of shape.lines) for (const point of line) turned(point, piece.pose).forEach((value, n) => { low[n] = Math.min(low[n], value); high[n] = Math.max(high[n], value); });
    }
    for (const [name, one] of this.pieces) if (!there.has(name)) { this.world.remove(one.mesh); one.mesh.material.dispose(); this.pieces.delete(name); }
    if (low[0] < high[0]) {
      this.to.set(...low.map((value, n) => (value + high[n]) / 2));
      this.toSize.set(Math.hypot(high[0] - low[0], high[1] - low[1]) / 2, Math.max(0.05, (high[2] - low[2]) / 2));
      if (this.still || !this.seen) { this.middle.copy(this.to); this.size.copy(this.toSize); this.seen = true; }
    }
    this.draw();
  }

  move(piece, shape, now) {
    const [x, y, z, i, j, k, w] = piece.pose, place = new Vector3(x, y, z), way = new Quaternion(i, j, k, w);
    let one = this.pieces.get(piece.name);
    if (!one || one.shape !== shape) {
      if (one) this.world.remove(one.mesh);
      if (!this.geometries.has(shape.name)) this.geometries.set(shape.name, geometry(shape));
      const mesh = new Mesh(this.geometries.get(shape.name), new MeshLambertMaterial());
      mesh.castShadow = shape.name !== "base"; mesh.receiveShadow = true;
      mesh.position.copy(place); mesh.quaternion.copy(way);
      this.world.add(mesh);
      one = { mesh, shape };
      this.pieces.set(piece.name, one);
    }
    const { mesh } = one, marked = COLOURS[piece.look];
    mesh.material.color.set(marked ?? shape.colour);
    mesh.material.emissive = new Color(marked ?? "#000000"); mesh.material.emissiveIntensity = 0.35;
    if (this.still) { mesh.position.copy(place); mesh.quaternion.copy(way); }
    Object.assign(one, { place, way, from: mesh.position.clone(), fromWay: mesh.quaternion.clone(), began: now });
  }

  draw() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame((now) => { this.waits = false; if (this.frame(now)) this.draw(); });
  }

  // Draw one picture; return whether something still moves.
  frame(now) {
    const { clientWidth: wide, clientHeight: tall } = this.canvas;
    if (!wide || !tall) return false;
    const ratio = this.renderer.getPixelRatio();
    if (this.canvas.width !== Math.floor(wide * ratio) || this.canvas.height !== Math.floor(tall * ratio)) this.renderer.setSize(wide, tall, false);
    let moves = false;
    for (const { mesh, place, way, from, fromWay, began } of this.pieces.values()) {
      const part = this.still ? 1 : Math.min(1, Math.max(0, now - began) / STEP_MS);
      mesh.position.lerpVectors(from, place, part);
      mesh.quaternion.slerpQuaternions(fromWay, way, part);
      moves ||= part < 1;
    }
    if (this.middle.distanceTo(this.to) > 5e-4 || this.size.distanceTo(this.toSize) > 5e-4) {
      this.middle.lerp(this.to, 0.08); this.size.lerp(this.toSize, 0.08);
      moves = true;
    }
    const { camera, sun, middle, size } = this, slope = Math.tan((camera.fov * Math.PI) / 360), aspect = wide / tall, radius = size.length();
    const tallest = size.y * Math.cos(this.above) + size.x * Math.abs(Math.sin(this.above));
    const far = this.far * (0.9 * size.x * Math.cos(this.above) + (1.06 * Math.max(tallest, size.x / aspect)) / slope);
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    camera.position.set(middle.x + far * Math.cos(this.above) * Math.sin(this.round), middle.y - far * Math.cos(this.above) * Math.cos(this.round), middle.z + far * Math.sin(this.above));
    camera.lookAt(middle);
    sun.target.position.copy(middle);
    sun.position.set(middle.x - 1.2 * radius, middle.y - 1.4 * radius, middle.z + 3 * radius);
    Object.assign(sun.shadow.camera, { left: -1.6 * radius, right: 1.6 * radius, top: 1.6 * radius, bottom: -1.6 * radius, near: 0.05 * radius, far: 8 * radius });
    sun.shadow.camera.updateProjectionMatrix();
    this.renderer.render(this.world, camera);
    this.canvas.dataset.drawn = String(this.renderer.info.render.triangles);
    return moves;
  }
}

// Turn by a finger or the mouse, zoom by two fingers or the wheel; keys do both.
export function steer(canvas, scene) {
  const fingers = new Map();
  const apart = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); fingers.set(event.pointerId, { x: event.clientX, y: event.clientY }); });
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 ? apart() : 0, [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    last.x = event.clientX; last.y = event.clientY;
    if (fingers.size === 1) scene.turn(dx / 150, dy / 150);
    else if (before > 0) scene.nearer(apart() / before);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); scene.nearer(Math.exp(-event.deltaY / 600)); }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(scene);
  });
}

const STEP = Math.PI / 12;
export const ACTS = { left: (scene) => scene.turn(-STEP, 0), right: (scene) => scene.turn(STEP, 0), up: (scene) => scene.turn(0, STEP), down: (scene) => scene.turn(0, -STEP),
  nearer: (scene) => scene.nearer(1.2), farther: (scene) => scene.nearer(1 / 1.2), home: (scene) => scene.home() };
const KEYS = { ArrowLeft: ACTS.left, ArrowRight: ACTS.right, ArrowUp: ACTS.up, ArrowDown: ACTS.down, "+": ACTS.nearer, "=": ACTS.nearer, "-": ACTS.farther, Home: ACTS.home, 0: ACTS.home };
