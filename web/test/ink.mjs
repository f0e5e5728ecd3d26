// A picture as a text: the share of ink in a grid of 16 x 16 cells, a digit each. Held against test/golden; a digit may be off
// by one, since letters differ a little from machine to machine. QUADRILLE_UPDATE=1 writes them anew.
import {existsSync, readFileSync, rmSync, writeFileSync, mkdirSync} from 'node:fs';
import assert from 'node:assert/strict';
import {PNG} from 'pngjs';

const GRID = 16, folder = new URL('golden/', import.meta.url).pathname;

export function ink(png) {
  const {width, height, data} = PNG.sync.read(png), ground = [0, 1, 2].map((c) => data[4 * (width * 2 + 2) + c]), lines = [];
  for (let j = 0; j < GRID; j++) {
    let line = '';
    for (let i = 0; i < GRID; i++) {
      let marked = 0, all = 0;
      for (let y = Math.floor((j * height) / GRID); y < Math.floor(((j + 1) * height) / GRID); y++)
        for (let x = Math.floor((i * width) / GRID); x < Math.floor(((i + 1) * width) / GRID); x++) {
          const at = 4 * (y * width + x);
          all++;
          if (Math.abs(data[at] - ground[0]) + Math.abs(data[at + 1] - ground[1]) + Math.abs(data[at + 2] - ground[2]) > 45) marked++;
        }
      line += Math.min(9, Math.ceil((marked / all) * 9));
    }
    lines.push(line);
  }
  return lines.join('\n') + '\n';
}

export function sameStructure(name, png) {
  const path = `${folder}${name}.txt`, now = ink(png);
  if (process.env.QUADRILLE_UPDATE) { mkdirSync(folder, {recursive: true}); writeFileSync(path, now); return; }
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const off = [...now].filter((c, i) => Math.abs(c.charCodeAt(0) - (golden.charCodeAt(i) || 0)) > 1).length;
  if (off === 0 && golden.length === now.length) { rmSync(path + '.new', {force: true}); rmSync(path + '.new.png', {force: true}); return; }
  writeFileSync(path + '.new', now);
  writeFileSync(path + '.new.png', png);
  assert.fail(`${name}: ${off} cells differ from ${path}; see .new and .new.png beside it\n${now}`);
}
