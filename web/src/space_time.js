// Links against steps: the raster, which is kept, its cursor and marks, and the bars of use below it.

import * as M from './model.js';
import {shade, css} from './color.js';
import {FONT, badge, tag} from './overlay.js';

const LEFT = 58, TOP = 6, BELOW = 24, RIGHT = 10;

/** Where the raster lies on its canvas. */
export const frameOf = (canvas) => ({x: LEFT, y: TOP, w: Math.max(8, canvas.clientWidth - LEFT - RIGHT), h: Math.max(8, canvas.clientHeight - TOP - BELOW)});

/** The step (from 1) and the link at a place, or null. */
export function pickCell(p, canvas, x, y) {
  const f = frameOf(canvas), s = Math.floor(((x - f.x) / f.w) * p.m.S) + 1, r = Math.floor(((y - f.y) / f.h) * p.m.A);
  if (x < f.x || x > f.x + f.w || y < f.y || y > f.y + f.h || !p.m.S) return null;
  const link = p.rows[Math.min(p.m.A - 1, r)];
  if (!p.inTime) return {step: Math.min(p.m.S, s), link};
  const held = p.cells.pixels[Math.min(p.cells.h - 1, Math.floor(((y - f.y) / f.h) * p.cells.h)) * p.cells.w + Math.min(p.cells.w - 1, Math.floor(((x - f.x) / f.w) * p.cells.w))];
  return held ? {step: held, link} : {link};
}

/** About seven whole numbers from 1 to `steps`. */
export function ticks(steps, first = 0) {
  const want = Math.max(1, steps / 7), size = 10 ** Math.floor(Math.log10(want)), unit = Math.max(1, [1, 2, 5, 10].map((k) => k * size).find((k) => k >= want));
  const out = steps > 0 ? [1] : [];
  for (let s = 1; s <= steps; s++) if ((s + first) % unit === 0 && s - out[out.length - 1] >= unit * 0.6) out.push(s);
  return out;
}

export function raster(p, canvas, theme, palette) {
  const f = frameOf(canvas), d = canvas.width / canvas.clientWidth || 1, w = Math.max(1, Math.round(f.w * d)), h = Math.max(1, Math.round(f.h * d));
  if (!p.cells || p.cells.w !== w || p.cells.h !== h || p.cells.inTime !== p.inTime) { p.cells = {...(p.inTime ? M.runRaster(p.m, w, h, p.rank) : M.spaceTime(p.m, w, h, p.rank, p.stage)), inTime: p.inTime}; p.painted = null; }
  if (p.painted?.theme === theme) return p.painted.image;
  const image = new OffscreenCanvas(w, h), data = new ImageData(w, h), pixels = new Uint32Array(data.data.buffer), table = new Uint32Array(p.cells.most + 1);
  for (let i = 1; i < table.length; i++) { const [r, g, b] = palette[shade(i, p.inTime ? p.m.S : p.most('step'))]; table[i] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0; }
  for (let i = 0; i < pixels.length; i++) pixels[i] = table[p.cells.pixels[i]];
  image.getContext('2d').putImageData(data, 0, 0);
  p.painted = {theme, image};
  return image;
}

const PLURAL = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

export function drawSpaceTime(p, x, theme, palette) {
  const canvas = x.canvas, f = frameOf(canvas), {m} = p;
  x.fillStyle = theme.panel;
  x.fillRect(f.x, f.y, f.w, f.h);
  x.drawImage(raster(p, canvas, theme, palette), f.x, f.y, f.w, f.h);
  x.font = FONT;
  x.fillStyle = theme.soft;
  x.strokeStyle = theme.ground;
  x.textBaseline = 'middle';
  x.textAlign = 'right';
  const names = m.meta.groups ?? [];
  for (let a = 0, b = 0; a < m.A; a = b) {
    while (b < m.A && m.group[p.rows[b]] === m.group[p.rows[a]]) b++;
    const y0 = f.y + (a / m.A) * f.h, y1 = f.y + (b / m.A) * f.h;
    if (y1 - y0 > 10) x.fillText(names.length > 1 ? names[m.group[p.rows[a]]] : PLURAL(m.A, 'link'), f.x - 7, (y0 + y1) / 2, LEFT - 9);
    if (b < m.A) { x.lineWidth = 2; x.beginPath(); x.moveTo(f.x, y1); x.lineTo(f.x + f.w, y1); x.stroke(); }
  }
  x.textBaseline = 'top';
  if (p.inTime) {
    const cycle = m.meta.cycle_microseconds, all = m.run.end * cycle;
    for (let i = 0; i <= 4; i++) { x.textAlign = i === 0 ? 'left' : i === 4 ? 'right' : 'center'; x.fillText(i === 0 ? '0' : M.micros((all * i) / 4), f.x + (f.w * i) / 4, f.y + f.h + 6); }
    x.textAlign = 'right';
    x.fillText('time', f.x - 7, f.y + f.h + 6);
    return;
  }
  for (const s of ticks(m.S, m.meta.first_step)) {
    const px = f.x + ((s - 0.5) / m.S) * f.w;
    x.textAlign = px < f.x + 14 ? 'left' : px > f.x + f.w - 14 ? 'right' : 'center';
    x.fillText(String(s + m.meta.first_step), px, f.y + f.h + 6);
  }
  x.textAlign = 'right';
  x.fillText('step', f.x - 7, f.y + f.h + 6);
}

export function drawCursor(p, x, state, theme) {
  const f = frameOf(x.canvas), {m} = p, px = (s) => f.x + (s / m.S) * f.w, py = (a) => f.y + ((p.rank[a] + 0.5) / m.A) * f.h;
  if (p.way.length && !p.inTime) {
    x.strokeStyle = x.fillStyle = theme.block;
    x.lineWidth = 1.2;
    x.beginPath();
    if (m.meta.flow === 'move') { for (const t of p.way) { const [a, b] = M.hopsOf(m, t); for (let h = a; h < b; h++) x.lineTo(px(M.stepOf(m, t) + 0.5), py(m.arc[h])); } x.stroke(); }
    const r = p.way.length > 200 ? 1 : 3;
    for (const t of p.way) { const [a, b] = M.hopsOf(m, t); for (let h = a; h < b; h++) { x.beginPath(); x.arc(px(M.stepOf(m, t) + 0.5), py(m.arc[h]), r, 0, 7); x.fill(); } }
  }
  if (state.bound && m.meta.bound?.witness?.kind === 'cut') {
    x.fillStyle = theme.select;
    for (const a of p.crossing()) x.fillRect(f.x - 5, py(a) - Math.max(0.5, (0.5 * f.h) / m.A), 4, Math.max(1, f.h / m.A));
  }
  if (p.owns(state) && state.link >= 0) { x.strokeStyle = theme.select; x.lineWidth = 1.5; x.beginPath(); x.moveTo(f.x, py(state.link)); x.lineTo(f.x + f.w, py(state.link)); x.stroke(); }
  const now = p.inTime ? M.stepInRun(m, state.step - 1) : state.step <= m.S ? {from: state.step - 1, to: state.step} : null, whole = p.inTime ? m.run.end : m.S;
  if (now) { x.strokeStyle = theme.ink; x.lineWidth = 1; x.strokeRect(f.x + (now.from / whole) * f.w - 0.5, f.y - 0.5, Math.max(2, ((now.to - now.from) / whole) * f.w) + 1, f.h + 1); }
  for (const g of m.meta.findings ?? []) if (g.arc !== undefined && g.step !== null && !p.inTime) badge(x, px(g.step + 0.5), py(g.arc), theme);
  if (p.name) tag(x, p.name, f.x + 12, f.y + 12, theme.ink, theme);
}

export function drawBars(p, x, state, theme, space) {
  const f = frameOf(space), {m} = p, top = 6, high = Math.max(8, x.canvas.clientHeight - 16), wide = f.w / m.S;
  for (let s = 0; s < m.S; s++) {
    const h = p.use[s] > 0 ? Math.max(1, high * Math.min(1, p.use[s])) : 0, now = s + 1 === state.step;
    x.fillStyle = now ? theme.ink : theme.soft;
    x.globalAlpha = now ? 1 : 0.5;
    x.fillRect(f.x + s * wide, top + high - h, Math.max(1, wide - (wide > 4 ? 1 : 0)), h);
  }
  x.globalAlpha = 1;
  x.font = FONT;
  x.fillStyle = theme.soft;
  x.textAlign = 'right';
  x.textBaseline = 'middle';
  x.fillText(p.inTime ? 'by step' : 'in use', f.x - 7, top + high / 2);
  x.strokeStyle = theme.idle;
  x.lineWidth = 1;
  x.beginPath();
  x.moveTo(f.x, top - 0.5);
  x.lineTo(f.x + f.w, top - 0.5);
  x.stroke();
}
