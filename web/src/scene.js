// A model and a camera -> flat segments in page pixels. No DOM: the painter and the saving of SVG both read this.

const DISTANCE = 2.2; // of the eye, in diagonals of the network

/** As it is seen first; a network in space from where its layout says. */
export const view = (meta = {}) => ({yaw: meta.yaw ?? 0, pitch: meta.tilt ?? 0, zoom: 1, x: 0, y: 0});

/** Where every node is in w x h pixels. */
export function camera(m, w, h, v) {
  const p = m.places, N = m.N, unit = m.meta.pitch, X = new Float32Array(N), Y = new Float32Array(N), Z = new Float32Array(N);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 3 * N; i++) { low[i % 3] = Math.min(low[i % 3], p[i]); high[i % 3] = Math.max(high[i % 3], p[i]); }
  const middle = low.map((l, i) => (l + high[i]) / 2), size = Math.hypot(...high.map((x, i) => x - low[i])) || 1, deep = high[2] > low[2];
  const ca = Math.cos(v.yaw), sa = Math.sin(v.yaw), cb = Math.cos(v.pitch), sb = Math.sin(v.pitch);
  const seen = (x, y, z) => {
    x -= middle[0]; y -= middle[1]; z -= middle[2];
    if (!deep) return [x, y, 0];
    const x1 = ca * x + sa * z, z1 = ca * z - sa * x, y1 = cb * y - sb * z1, z2 = sb * y + cb * z1, f = (DISTANCE * size) / (DISTANCE * size + z2);
    return [x1 * f, y1 * f, z2];
  };
  let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
  for (let i = 0; i < N; i++) {
    const [x, y, z] = seen(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    X[i] = x; Y[i] = y; Z[i] = z;
    x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y);
  }
  const margin = (m.wraps.some((s) => s) ? 0.62 : 0.45) * unit;
  const scale = Math.min((w - 28) / (x1 - x0 + 2 * margin), (h - 40) / (y1 - y0 + 2 * margin), 220 / unit) * v.zoom;
  const onPage = ([x, y, z]) => [w / 2 + v.x + (x - (x0 + x1) / 2) * scale, h / 2 + v.y + (y - (y0 + y1) / 2) * scale, z];
  for (let i = 0; i < N; i++) { const at = onPage([X[i], Y[i], Z[i]]); X[i] = at[0]; Y[i] = at[1]; }
  const near = deep ? Z.map((z) => Math.min(1, Math.max(0, 0.5 - z / size))) : null;
  const pitch = unit * scale;
  return {X, Y, near, deep, pitch, low, high, radius: Math.min(9, Math.max(1.2, pitch * (deep && N > 125 ? 0.12 : 0.17))), at: (x, y, z) => onPage(seen(x, y, z))};
}

const PARTS = [0, 0.2, 0.275, 0.35, 0.425, 0.5, 0.575, 0.65, 0.725, 0.8, 1]; // of a link that bends round nodes: layout/bends.h

/** Eight numbers each: x0 y0 x1 y1, the part of the way from t0 to t1, the arc, how far it fades. An arc that leads round the
 * picture is two stubs, one that bends round nodes several pieces, any other one segment. Opposite arcs keep to their right. */
export function segments(m, cam) {
  let n = 0;
  const first = new Uint32Array(m.A + 1);
  for (let a = 0; a < m.A; a++) first[a + 1] = n += m.wraps[a] ? 2 : m.bends?.[a] ? PARTS.length - 1 : 1;
  const seg = new Float32Array(8 * n), aside = Math.min(3, Math.max(0.5, cam.pitch * 0.06)), p = m.places, unit = m.meta.pitch;
  const put = (i, x0, y0, x1, y1, t0, t1, a, fade) => {
    const l = Math.hypot(x1 - x0, y1 - y0) || 1, dx = (-(y1 - y0) / l) * aside, dy = ((x1 - x0) / l) * aside;
    seg.set([x0 + dx, y0 + dy, x1 + dx, y1 + dy, t0, t1, a, fade], 8 * i);
  };
  for (let a = 0; a < m.A; a++) {
    const u = m.tail[a], v = m.head[a], fade = cam.near ? 0.35 + (0.65 * (cam.near[u] + cam.near[v])) / 2 : 1;
    if (m.bends?.[a]) {
      const dx = cam.X[v] - cam.X[u], dy = cam.Y[v] - cam.Y[u], l = Math.hypot(dx, dy) || 1, bend = (m.bends[a] * cam.pitch) / unit;
      const at = (t) => { const beside = (4 * t * (1 - t) * bend) / l; return [cam.X[u] + t * dx + beside * dy, cam.Y[u] + t * dy - beside * dx]; };
      for (let i = 0; i + 1 < PARTS.length; i++) put(first[a] + i, ...at(PARTS[i]), ...at(PARTS[i + 1]), PARTS[i], PARTS[i + 1], a, fade);
      continue;
    }
    if (!m.wraps[a]) { put(first[a], cam.X[u], cam.Y[u], cam.X[v], cam.Y[v], 0, 1, a, fade); continue; }
    const way = [0, 1, 2].map((c) => p[3 * v + c] - p[3 * u + c]), l = Math.hypot(...way) || 1, out = way.map((x) => (-x / l) * 0.5 * unit);
    const o = cam.at(p[3 * u] + out[0], p[3 * u + 1] + out[1], p[3 * u + 2] + out[2]);
    const q = cam.at(p[3 * v] - out[0], p[3 * v + 1] - out[1], p[3 * v + 2] - out[2]);
    put(first[a], cam.X[u], cam.Y[u], o[0], o[1], 0, 0.5, a, fade);
    put(first[a] + 1, q[0], q[1], cam.X[v], cam.Y[v], 0.5, 1, a, fade);
  }
  return {seg, n, first};
}

/** The node, or else the link, at a place of the page; {node, link}, -1 for none. */
export function pick(m, cam, scene, x, y) {
  let best = Math.max(6, cam.radius + 3) ** 2, node = -1;
  for (let v = 0; v < m.N; v++) { const d = (cam.X[v] - x) ** 2 + (cam.Y[v] - y) ** 2; if (d < best) { best = d; node = v; } }
  if (node >= 0) return {node, link: -1};
  let nearest = 49, link = -1;
  for (let i = 0, s = scene.seg; i < scene.n; i++) {
    const j = 8 * i, dx = s[j + 2] - s[j], dy = s[j + 3] - s[j + 1];
    const t = Math.max(0, Math.min(1, ((x - s[j]) * dx + (y - s[j + 1]) * dy) / (dx * dx + dy * dy || 1)));
    const d = (s[j] + t * dx - x) ** 2 + (s[j + 1] + t * dy - y) ** 2;
    if (d < nearest) { nearest = d; link = s[j + 6]; }
  }
  return {node: -1, link};
}

/** Corners of a network in space, whose names say which way the numbers run; at most four nodes. */
export function corners(m, cam) {
  const {low, high} = cam, want = [[low[0], low[1], low[2]], [high[0], low[1], low[2]], [low[0], high[1], low[2]], [low[0], low[1], high[2]]], out = [];
  for (const w of want) for (let v = 0; v < m.N; v++) if (w.every((x, i) => m.places[3 * v + i] === x)) { out.push(v); break; }
  return out;
}
