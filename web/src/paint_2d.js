// Canvas 2D in layers. What seldom changes is drawn once and kept: all links idle, and the discs of nodes. A step draws its
// busy links between the two; a frame only the moving blocks, on a canvas of their own. It gets numbers, and asks nothing.

import {COLOURS, css} from './color.js';
import {drawLines, drawMapped, lineMap} from './line_raster.js';

const MANY_DOTS = 4096; // above, dots are written into an image: a sixteenth of the time
const MANY_LINES = 2048; // above, busy links are, too
const STILL = 150; // milliseconds without a change of what is seen

export function painter(canvas, dots) {
  const net = canvas.getContext('2d'), moving = dots.getContext('2d');
  let scene, cam, theme, idle, discs, kept = '', busy = [], going = new Float32Array(0), image = null, dotPixels = null, lines = null, linesAt = null, later = 0;

  const ratio = () => canvas.width / canvas.clientWidth || 1;
  const layer = () => {
    const c = new OffscreenCanvas(canvas.width, canvas.height), x = c.getContext('2d');
    x.scale(ratio(), ratio());
    return [c, x];
  };
  const line = (x, i) => { const s = scene.seg, j = 8 * i; x.moveTo(s[j], s[j + 1]); x.lineTo(s[j + 2], s[j + 3]); };
  const width = () => Math.min(1.6, Math.max(0.6, cam.pitch * 0.03)), busyWidth = () => Math.max(1.2, width() * 1.8);

  function keep() {
    let x;
    [idle, x] = layer();
    x.strokeStyle = theme.idle;
    x.lineWidth = width();
    const bands = new Map(); // far ones first, and fainter
    for (let i = 0; i < scene.n; i++) { const f = Math.round(scene.seg[8 * i + 7] * 6); (bands.get(f) ?? bands.set(f, []).get(f)).push(i); }
    for (const [f, list] of [...bands].sort((a, b) => a[0] - b[0])) { x.globalAlpha = f / 6; x.beginPath(); for (const i of list) line(x, i); x.stroke(); }
    [discs, x] = layer();
    const r = cam.radius, N = cam.X.length;
    if (r < 2.2) { x.fillStyle = theme.soft; x.globalAlpha = 0.6; for (let v = 0; v < N; v++) x.fillRect(cam.X[v] - 0.8 * r, cam.Y[v] - 0.8 * r, 1.6 * r, 1.6 * r); return; }
    x.strokeStyle = theme.rim;
    x.lineWidth = Math.min(1.3, r * 0.5);
    x.fillStyle = theme.fill;
    const order = Array.from({length: N}, (_, v) => v);
    if (cam.near) order.sort((a, b) => cam.near[a] - cam.near[b]);
    for (const v of order) {
      x.beginPath();
      if (cam.routers?.[v]) x.rect(cam.X[v] - 0.85 * r, cam.Y[v] - 0.85 * r, 1.7 * r, 1.7 * r); else x.arc(cam.X[v], cam.Y[v], r, 0, 7);
      x.globalAlpha = 1; // what is behind a disc is not seen through it, however far it is
      x.fill();
      x.globalAlpha = cam.near ? 0.45 + 0.55 * cam.near[v] : 1;
      x.stroke();
    }
  }

  return {
    place(newScene, newCamera) { scene = newScene; cam = newCamera; kept = ''; forget(); },
    /** A shade of each arc (0: idle), a share of each node. */
    step(newTheme, palette, shades, shares) {
      theme = newTheme;
      const now = `${theme.name} ${canvas.width} ${canvas.height}`;
      if (now !== kept) { keep(); kept = now; }
      const lists = Array.from({length: COLOURS + 1}, () => []), s = scene.seg;
      for (let i = 0; i < scene.n; i++) { const q = shades[s[8 * i + 6]]; if (q) lists[q].push(i); }
      busy = lists;
      keepMoving();
      net.setTransform(1, 0, 0, 1, 0, 0);
      net.clearRect(0, 0, canvas.width, canvas.height);
      net.drawImage(idle, 0, 0);
      if (lists.reduce((n, list) => n + list.length, 0) > MANY_LINES) linesOfPixels(palette, shades); else strokeLines(palette);
      net.setTransform(1, 0, 0, 1, 0, 0);
      net.drawImage(discs, 0, 0);
      net.setTransform(ratio(), 0, 0, ratio(), 0, 0);
      if (cam.radius < 2.2) return;
      net.fillStyle = theme.rim;
      net.beginPath();
      for (let v = 0; v < shares.length; v++) if (shares[v] > 0) { const r = (cam.radius - 1) * Math.sqrt(Math.min(1, shares[v])); net.moveTo(cam.X[v] + r, cam.Y[v]); net.arc(cam.X[v], cam.Y[v], r, 0, 7); }
      net.fill();
    },
    /** Blocks under way, each at the part t of its link; none for a negative t. */
    frame(t) {
      const r = Math.min(5, Math.max(1.4, cam.pitch * 0.085)), g = going;
      const n = going.length / 6;
      if (t < 0 || n > MANY_DOTS) { moving.setTransform(1, 0, 0, 1, 0, 0); if (t < 0) { moving.clearRect(0, 0, dots.width, dots.height); return; } return frameOfPixels(t); }
      moving.setTransform(ratio(), 0, 0, ratio(), 0, 0);
      moving.clearRect(0, 0, dots.width, dots.height);
      moving.fillStyle = theme.dot;
      moving.beginPath();
      for (let i = 0; i < g.length; i += 6) {
        const f = (t - g[i + 4]) * g[i + 5];
        if (f < 0 || f > 1) continue;
        const x = g[i] + f * g[i + 2], y = g[i + 1] + f * g[i + 3];
        moving.moveTo(x + r, y);
        moving.arc(x, y, r, 0, 7);
      }
      moving.fill();
    },
    /** Waits until all is painted: for measuring. */
    finish() { net.getImageData(0, 0, 1, 1); moving.getImageData(0, 0, 1, 1); },
  };

  function strokeLines(palette) {
    net.setTransform(ratio(), 0, 0, ratio(), 0, 0);
    net.lineWidth = busyWidth();
    for (let q = 1; q <= COLOURS; q++) {
      if (!busy[q].length) continue;
      net.strokeStyle = css(palette[q]);
      if (!cam.deep) { net.beginPath(); for (const i of busy[q]) line(net, i); net.stroke(); continue; }
      for (const i of busy[q]) { net.globalAlpha = scene.seg[8 * i + 7]; net.beginPath(); line(net, i); net.stroke(); }
    }
    net.globalAlpha = 1;
  }
  function forget() {
    clearTimeout(later);
    later = 0;
    linesAt = null;
  }
  function linesOfPixels(palette, shades) {
    const w = canvas.width, h = canvas.height;
    if (lines?.w !== w || lines.h !== h) { const [c, x] = layer(), data = new ImageData(w, h); lines = {w, h, c, x, data, pixels: new Uint32Array(data.data.buffer)}; forget(); }
    const how = {width: busyWidth(), scale: ratio(), fading: cam.deep}, colours = Uint32Array.from(palette, (c) => (c ? (c[2] << 16) | (c[1] << 8) | c[0] : 0));
    if (linesAt) drawMapped(lines.pixels, linesAt, shades, colours);
    else {
      drawLines(lines.pixels, w, h, scene.seg, scene.n, how, shades, colours);
      // A map pays where another step will be shown here; while the picture is turned or moved there is none.
      if (!later) later = setTimeout(() => { linesAt = lineMap(w, h, scene.seg, scene.n, how); }, STILL);
    }
    lines.x.putImageData(lines.data, 0, 0);
    net.drawImage(lines.c, 0, 0);
  }
  // Six numbers for each segment on which something moves: where it begins, how far it goes, when, and one over how long.
  function keepMoving() {
    const s = scene.seg;
    let n = 0, k = 0;
    for (const list of busy) n += list.length;
    going = new Float32Array(6 * n);
    for (const list of busy) for (const i of list) {
      const j = 8 * i;
      going[k++] = s[j]; going[k++] = s[j + 1]; going[k++] = s[j + 2] - s[j]; going[k++] = s[j + 3] - s[j + 1]; going[k++] = s[j + 4]; going[k++] = 1 / (s[j + 5] - s[j + 4]);
    }
  }
  function frameOfPixels(t) {
    const w = dots.width, h = dots.height, d = ratio(), g = going, side = Math.min(4, Math.max(2, Math.round(cam.pitch * 0.12 * d)));
    if (!image || image.width !== w || image.height !== h) { image = new ImageData(w, h); dotPixels = new Uint32Array(image.data.buffer); }
    const pixels = dotPixels, back = side / 2 - 0.5, c = theme.dot === '#ffffff' ? 0xffffffff : 0xff1b1510; // bytes are red, green, blue, alpha
    pixels.fill(0);
    for (let i = 0; i < g.length; i += 6) {
      const f = (t - g[i + 4]) * g[i + 5];
      if (f < 0 || f > 1) continue;
      const x = ((g[i] + f * g[i + 2]) * d - back) | 0, y = ((g[i + 1] + f * g[i + 3]) * d - back) | 0;
      if (x < 0 || y < 0 || x + side > w || y + side > h) continue;
      for (let b = 0, p = y * w + x; b < side; b++, p += w) for (let a = 0; a < side; a++) pixels[p + a] = c;
    }
    moving.putImageData(image, 0, 0);
  }
}
