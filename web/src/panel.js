// One plan on the page: its model, its camera, its canvases. A page has one, or several side by side.

import * as M from './model.js';
import {camera, segments, view} from './scene.js';
import {painter} from './paint_2d.js';
import {overlay} from './overlay.js';
import {drawSpaceTime, drawCursor, drawBars} from './space_time.js';
import {shade} from './color.js';

const CANVASES = ['net', 'dots', 'over', 'space', 'cursor', 'bars'];

export class Panel {
  constructor(model, index, name, box) {
    this.m = model;
    this.index = index;
    this.name = name; // "A", "B" or nothing
    this.view = view(model.meta);
    this.canvas = Object.fromEntries(CANVASES.map((c) => [c, box.querySelector('.' + c)]));
    this.painter = painter(this.canvas.net, this.canvas.dots);
    this.all = M.loads(model, 0, model.S);
    this.mostAll = this.all.reduce((a, b) => Math.max(a, b), 1);
    this.mostStep = M.mostInAStep(model);
    this.stage = this.mostStep === 1 ? M.stages(model) : null;
    this.use = M.use(model);
    this.oneWay = M.oneWay(model);
    this.come = M.arrivals(model);
    Object.assign(this, M.rowsOf(model));
    this.load = new Uint32Array(model.A);
    this.shades = new Uint8Array(model.A);
    this.way = [];
    this.entry = -1;
    this.block = '';
    this.inTime = false; // a simulated run is shown, in time
    this.mostHeld = 1;
    this.on = ''; // what it does where, if the plans of the page differ in that
    this.beside = false; // the other plan is on the same network: what is selected there is selected here
  }
  owns(state) { return state.at === this.index || this.beside; }
  /** Whether loads of a step are told apart by stages instead. */
  staged(show) { return show === 'step' && this.stage !== null && !this.inTime; }
  most(show) { return this.inTime ? this.mostHeld : this.staged(show) ? this.stage.most : show === 'step' ? this.mostStep : this.mostAll; }
  shadeOf(value, most) { return shade(value, most); }
  /** Whether all nodes have their names beside them. */
  named() { return !this.cam.deep && (this.cam.pitch >= 46 || (this.m.N <= 40 && this.cam.pitch >= 24)); }
  crossing() { return (this.crossed ??= M.crossing(this.m, this.m.meta.bound.witness.nodes)); }

  size() {
    const d = devicePixelRatio || 1;
    for (const c of Object.values(this.canvas)) { c.width = Math.max(1, Math.round(c.clientWidth * d)); c.height = Math.max(1, Math.round(c.clientHeight * d)); }
    this.place();
  }
  /** Whether the canvases have as many pixels as there is room for. */
  fits() { const d = devicePixelRatio || 1; return Object.values(this.canvas).every((c) => c.width === Math.max(1, Math.round(c.clientWidth * d)) && c.height === Math.max(1, Math.round(c.clientHeight * d))); }
  place() {
    this.cam = camera(this.m, this.canvas.net.clientWidth, this.canvas.net.clientHeight, this.view);
    this.cam.routers = this.m.routers;
    this.scene = segments(this.m, this.cam);
    this.painter.place(this.scene, this.cam);
  }
  follow(key) {
    if (key === this.block) return;
    this.block = key;
    this.entry = key ? M.entryOf(this.m, key) : -1;
    this.way = this.entry >= 0 ? M.follow(this.m, this.entry) : [];
  }

  paint(state, theme, palette) {
    const {m} = this, now = Math.min(state.step, m.S) - 1, over = state.step > m.S; // a shorter plan is done
    this.inTime = state.run === 1 && m.run !== null;
    if (m.S === 0 || (over && state.show === 'step')) this.load.fill(0);
    else if (this.inTime) this.mostHeld = M.held(m, state.show === 'step' ? now : 0, state.show === 'all' ? m.S : now + 1, this.load).reduce((a, b) => Math.max(a, b), 1);
    else if (state.show === 'all') this.load.set(this.all);
    else M.loads(m, state.show === 'sofar' ? 0 : now, now + 1, this.load);
    if (this.staged(state.show)) { if (!over) for (let t = m.stepFirst[now]; t < m.stepFirst[now + 1]; t++) this.load[m.arc[t]] = this.stage.of[t]; }
    const most = this.most(state.show);
    for (let a = 0; a < m.A; a++) this.shades[a] = shade(this.load[a], most);
    const come = m.S ? (this.arrived = M.arrived(m, now, this.arrived)).of : new Float64Array(m.N);
    this.shares = come.map((x, v) => (this.come[v] && !m.routers?.[v] ? x / this.come[v] : 0));
    this.painter.step(theme, palette, this.shades, this.shares);
    this.painter.frame(-1);
    overlay(this, this.fresh('over'), state, theme);
    const {width, height} = this.canvas.space, drawn = `${theme.name} ${width} ${height} ${this.inTime}`;
    if (this.drawn !== drawn) {
      drawSpaceTime(this, this.fresh('space'), theme, palette);
      this.drawn = drawn;
    }
    drawCursor(this, this.fresh('cursor'), state, theme);
    drawBars(this, this.fresh('bars'), state, theme, this.canvas.space);
  }
  fresh(name) {
    const c = this.canvas[name], x = c.getContext('2d'), d = c.width / c.clientWidth || 1;
    x.setTransform(d, 0, 0, d, 0, 0);
    x.clearRect(0, 0, c.clientWidth, c.clientHeight);
    return x;
  }
}
