// What is drawn over the network: the way of a block, findings, the witness of the bound, what is selected, names.

import * as M from './model.js';
import {corners} from './scene.js';

export const FONT = '11px system-ui, "DejaVu Sans", sans-serif';

/** p: a panel (panel.js); x: the context of its canvas; state: what the page shows. */
export function overlay(p, x, state, theme) {
  x.font = FONT;
  oneWay(p, x, theme);
  if (state.bound) witness(p, x, theme);
  if (p.way.length) way(p, x, state, theme);
  findings(p, x, state, theme);
  if (p.owns(state) && state.link >= 0) {
    x.strokeStyle = x.fillStyle = theme.select;
    x.lineWidth = Math.max(3, p.cam.radius * 0.5);
    strokeArcs(p, x, [state.link]);
    arrow(p, x, state.link, Math.max(5, p.cam.radius));
  }
  names(p, x, theme);
  if (p.name) {
    x.textAlign = 'left';
    x.textBaseline = 'middle';
    x.fillStyle = theme.ink;
    x.font = 'bold 13px system-ui, "DejaVu Sans", sans-serif';
    x.fillText(p.name, 16, 20);
    x.font = FONT;
    x.fillStyle = theme.soft;
    x.fillText([p.m.meta.algorithm, p.on].filter((text) => text).join(', '), 32, 20);
  }
  if (p.owns(state) && state.node >= 0) {
    ring(p, x, state.node, p.cam.radius + 4, theme.select);
    if (!p.named()) tag(x, M.shortName(p.m, state.node), p.cam.X[state.node], p.cam.Y[state.node] + p.cam.radius + 13, theme.select, theme);
  }
}

// Which way a link leads that has no other beside it, where there is room to show it.
const MOST_ARROWS = 4000;
function oneWay(p, x, theme) {
  if (p.oneWay.length > MOST_ARROWS || p.cam.pitch < 22) return;
  x.fillStyle = theme.soft;
  for (const a of p.oneWay) arrow(p, x, a, Math.max(3, p.cam.radius * 0.6));
}

// --- pieces ------------------------------------------------------------------------------------------------

function strokeArcs(p, x, arcs) {
  const {seg, first} = p.scene, r = p.cam.radius;
  x.beginPath();
  for (const a of arcs) for (let j = 8 * first[a]; j < 8 * first[a + 1]; j += 8) { // from rim to rim of the discs
    const dx = seg[j + 2] - seg[j], dy = seg[j + 3] - seg[j + 1], l = Math.hypot(dx, dy) || 1, from = seg[j + 4] === 0 ? Math.min(0.4, r / l) : 0, to = seg[j + 5] === 1 ? Math.min(0.4, r / l) : 0;
    x.moveTo(seg[j] + from * dx, seg[j + 1] + from * dy);
    x.lineTo(seg[j + 2] - to * dx, seg[j + 3] - to * dy);
  }
  x.stroke();
}
function arrow(p, x, a, size) {
  const {seg, first} = p.scene, j = 8 * (first[a + 1] - 1), dx = seg[j + 2] - seg[j], dy = seg[j + 3] - seg[j + 1], l = Math.hypot(dx, dy) || 1, ux = dx / l, uy = dy / l;
  const px = seg[j + 2] - ux * (p.cam.radius + 1), py = seg[j + 3] - uy * (p.cam.radius + 1);
  x.beginPath();
  x.moveTo(px, py);
  x.lineTo(px - ux * size * 1.6 - uy * size * 0.75, py - uy * size * 1.6 + ux * size * 0.75);
  x.lineTo(px - ux * size * 1.6 + uy * size * 0.75, py - uy * size * 1.6 - ux * size * 0.75);
  x.fill();
}
function ring(p, x, v, r, colour, dash = []) {
  x.strokeStyle = colour;
  x.lineWidth = 2.2;
  x.setLineDash(dash);
  x.beginPath();
  x.arc(p.cam.X[v], p.cam.Y[v], r, 0, 7);
  x.stroke();
  x.setLineDash([]);
}
export function tag(x, text, px, py, colour, theme) {
  x.font = 'bold ' + FONT;
  x.textAlign = 'center';
  x.textBaseline = 'middle';
  x.lineWidth = 3.5;
  x.lineJoin = 'round';
  x.strokeStyle = theme.ground;
  x.strokeText(text, px, py);
  x.fillStyle = colour;
  x.fillText(text, px, py);
  x.font = FONT;
}
/** A triangle with "!": a finding is never said by colour alone. */
export function badge(x, px, py, theme) {
  x.fillStyle = theme.bad;
  x.strokeStyle = theme.ground;
  x.lineWidth = 2;
  x.beginPath();
  x.moveTo(px, py - 9);
  x.lineTo(px + 9, py + 7);
  x.lineTo(px - 9, py + 7);
  x.closePath();
  x.stroke();
  x.fill();
  x.fillStyle = theme.ground;
  x.font = 'bold ' + FONT;
  x.textAlign = 'center';
  x.textBaseline = 'middle';
  x.fillText('!', px, py + 2);
  x.font = FONT;
}
// A place on the way; of a link that bends on the piece in its middle, of one that leads round on its first stub.
const middle = (p, a, part) => { const {seg: s, first} = p.scene, n = first[a + 1] - first[a], j = 8 * (first[a] + (n > 2 ? (n >> 1) - 1 : 0)); return [s[j] + part * (s[j + 2] - s[j]), s[j + 1] + part * (s[j + 3] - s[j + 1])]; };

// --- what a bound rests on -----------------------------------------------------------------------------------

function witness(p, x, theme) {
  const w = p.m.meta.bound?.witness;
  if (!w) return;
  if (w.nodes) {
    blob(p, x, w.nodes, theme);
    x.strokeStyle = theme.select;
    x.lineWidth = Math.max(1.6, Math.min(3, p.cam.pitch * 0.06));
    if (w.kind === 'cut') strokeArcs(p, x, p.crossing());
  }
  if (w.links) {
    const most = Math.max(...w.links.map((l) => l[1])), even = M.weighAlike(w.links);
    x.strokeStyle = theme.select;
    for (let weight = 1; weight <= most; weight++) {
      x.lineWidth = even ? 1.4 : 1 + (2.5 * weight) / most;
      strokeArcs(p, x, w.links.filter((l) => l[1] === weight).map((l) => l[0]));
    }
  }
  for (const [v] of w.senders ?? []) ring(p, x, v, p.cam.radius + 3, theme.select);
  for (const [v] of w.receivers ?? []) ring(p, x, v, p.cam.radius + 6, theme.select, [3, 3]);
  if (w.times && p.cam.pitch > 20) w.times.forEach((t, v) => tag(x, String(t), p.cam.X[v], p.cam.Y[v] - p.cam.radius - 9, theme.select, theme));
}
// Discs and links of a set as one soft spot: drawn on a canvas of its own, or overlaps would be darker.
function blob(p, x, nodes, theme) {
  const c = new OffscreenCanvas(x.canvas.width, x.canvas.height), y = c.getContext('2d'), d = x.canvas.width / x.canvas.clientWidth, inside = new Set(nodes), {m, cam} = p, r = Math.max(cam.radius * 2, Math.min(26, cam.pitch * 0.42));
  y.scale(d, d);
  y.fillStyle = y.strokeStyle = theme.select;
  y.lineWidth = 2 * r;
  y.lineCap = 'round';
  for (const v of nodes) { y.beginPath(); y.arc(cam.X[v], cam.Y[v], r, 0, 7); y.fill(); }
  for (let a = 0; a < m.A; a++) if (!m.wraps[a] && inside.has(m.tail[a]) && inside.has(m.head[a]) && Math.hypot(cam.X[m.tail[a]] - cam.X[m.head[a]], cam.Y[m.tail[a]] - cam.Y[m.head[a]]) < 1.6 * cam.pitch) {
    y.beginPath(); y.moveTo(cam.X[m.tail[a]], cam.Y[m.tail[a]]); y.lineTo(cam.X[m.head[a]], cam.Y[m.head[a]]); y.stroke();
  }
  x.globalAlpha = 0.2;
  x.drawImage(c, 0, 0, x.canvas.clientWidth, x.canvas.clientHeight);
  x.globalAlpha = 1;
}

// --- a block, and what is wrong ------------------------------------------------------------------------------

function way(p, x, state, theme) {
  const {m, cam} = p, few = p.way.length < 40 && cam.pitch > 26;
  x.strokeStyle = x.fillStyle = theme.block;
  x.lineWidth = Math.max(2, cam.radius * 0.45);
  for (const done of [false, true]) {
    x.globalAlpha = done ? 1 : 0.4;
    const arcs = [];
    for (const t of p.way) if (M.stepOf(m, t) < state.step === done) { const [a, b] = M.hopsOf(m, t); for (let h = a; h < b; h++) arcs.push(m.arc[h]); }
    strokeArcs(p, x, arcs);
  }
  x.globalAlpha = 1;
  if (p.way.length < 400) for (const t of p.way) {
    const a = m.arc[M.hopsOf(m, t)[1] - 1];
    x.fillStyle = theme.block;
    arrow(p, x, a, Math.max(4, cam.radius * 0.8));
    if (!few) continue;
    const j = 8 * p.scene.first[a], s = p.scene.seg, dx = s[j + 2] - s[j], dy = s[j + 3] - s[j + 1], l = Math.hypot(dx, dy) || 1, [mx, my] = middle(p, a, 0.45);
    tag(x, String(M.stepOf(m, t) + 1 + m.meta.first_step), mx - (dy / l) * 10, my + (dx / l) * 10, theme.block, theme);
  }
  const k = p.entry;
  if (m.from) ring(p, x, m.from[k], cam.radius + 4, theme.block);
  if (m.to) ring(p, x, m.to[k], cam.radius + 4, theme.block, [3, 2]);
}

function findings(p, x, state, theme) {
  (p.m.meta.findings ?? []).forEach((f, i) => {
    if (f.step !== null && f.step + 1 !== state.step) return;
    const chosen = p.owns(state) && i === state.finding;
    x.strokeStyle = x.fillStyle = theme.bad;
    if (f.arc !== undefined) {
      x.lineWidth = chosen ? 4 : 3;
      x.setLineDash([6, 3]);
      strokeArcs(p, x, [f.arc]);
      x.setLineDash([]);
      arrow(p, x, f.arc, Math.max(5, p.cam.radius));
    }
    if (f.node !== undefined) ring(p, x, f.node, p.cam.radius + 4, theme.bad, [6, 3]);
    if (f.arc !== undefined) { const [px, py] = middle(p, f.arc, 0.5); badge(x, px + 13, py, theme); }
    else if (f.node !== undefined) badge(x, p.cam.X[f.node] + p.cam.radius + 12, p.cam.Y[f.node] - p.cam.radius - 8, theme);
  });
}

function names(p, x, theme) {
  const {m, cam} = p;
  if (cam.deep) { for (const v of corners(m, cam)) tag(x, M.shortName(m, v), cam.X[v], cam.Y[v] + cam.radius + 9, theme.ink, theme); return; }
  if (!p.named()) return;
  const below = m.meta.layout === 'levels', lowest = below ? Math.max(...cam.Y) - 1 : 0, round = ['circle', 'groups', 'springs'].includes(m.meta.layout);
  const cx = cam.X.reduce((a, b) => a + b, 0) / m.N, cy = cam.Y.reduce((a, b) => a + b, 0) / m.N;
  x.font = FONT;
  x.fillStyle = theme.soft;
  x.strokeStyle = theme.ground;
  x.lineWidth = 3;
  x.lineJoin = 'round';
  for (let v = 0; v < m.N; v++) {
    const text = M.shortName(m, v), under = below && cam.Y[v] >= lowest, beside = below && !under; // links leave what stands higher above and below
    x.textAlign = under ? 'center' : 'left';
    x.textBaseline = beside ? 'middle' : 'top';
    if (round) { // outwards, where fewer links are
      const dx = cam.X[v] - cx, dy = cam.Y[v] - cy, l = Math.hypot(dx, dy) || 1, side = dx / l, r = cam.radius + 5;
      x.textAlign = side > 0.35 ? 'left' : side < -0.35 ? 'right' : 'center';
      x.textBaseline = 'middle';
      const px = cam.X[v] + side * r, py = cam.Y[v] + (dy / l) * (r + (Math.abs(side) > 0.35 ? 0 : 4));
      x.strokeText(text, px, py);
      x.fillText(text, px, py);
      continue;
    }
    const px = cam.X[v] + (under ? 0 : cam.radius + (beside ? 5 : 2)), py = cam.Y[v] + (beside ? 0 : cam.radius + 2);
    x.strokeText(text, px, py);
    x.fillText(text, px, py);
  }
}
