// What pages take in Chromium: node web/measure.mjs PAGE.html..., pages that `quadrille view` wrote. A line for each: how long it
// took to load, what a frame of moving blocks and a new step take to paint, and the frames of four seconds of play, asked for as
// the browser shows them. docs/performance.md has what came out.
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {chromium} from 'playwright-core';

const executablePath = [process.env.CHROMIUM, '/usr/lib/chromium/chromium', '/usr/bin/chromium'].find((path) => path && existsSync(path));
const browser = await chromium.launch({executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu']});

/** Plays for some seconds; the gaps between frames, in milliseconds. */
const played = (page, seconds) => page.evaluate((seconds) => new Promise((done) => {
  const gaps = [], play = document.getElementById('play');
  let last = performance.now();
  const end = last + 1000 * seconds;
  play.click();
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    if (now < end) return requestAnimationFrame(frame);
    play.click();
    done(gaps.sort((a, b) => a - b));
  };
  requestAnimationFrame(frame);
}), seconds);

for (const path of process.argv.slice(2)) {
  const context = await browser.newContext({viewport: {width: 1360, height: 800}, deviceScaleFactor: 1, offline: true});
  const page = await context.newPage();
  const began = performance.now();
  await page.goto('file://' + resolve(path));
  await page.waitForSelector('body[data-ready="1"]', {timeout: 120000});
  const loaded = performance.now() - began, gaps = await played(page, 4), took = await page.evaluate(() => quadrille.bench());
  const late = gaps.filter((gap) => gap > 20).length;
  console.log(`${path}: loaded in ${loaded.toFixed(0)} ms; a frame is painted in ${took.denseFrame.toFixed(1)} ms, a step in ${took.step.toFixed(0)} ms; ` +
    `played at ${(gaps.length / 4).toFixed(0)} frames a second, ${late} of ${gaps.length} late, the longest after ${gaps.at(-1).toFixed(0)} ms`);
  await context.close();
}
await browser.close();
