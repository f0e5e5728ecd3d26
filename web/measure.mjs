// What pages take in Chromium: node web/measure.mjs PAGE.html..., pages that `quadrille view` wrote. A line for each: how long it
// took to load, what a frame of moving blocks and a new step take to paint, the frames of four seconds of play, asked for as the
// browser shows them, and how long the page itself worked on one: the rest is the browser's and the machine's. docs/performance.md has
// what came out.
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {chromium} from 'playwright-core';

const executablePath = [process.env.CHROMIUM, '/usr/lib/chromium/chromium', '/usr/bin/chromium'].find((path) => path && existsSync(path));
const browser = await chromium.launch({executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu']});

/** From now on the time that the page spends in each frame is kept. */
const timed = () => {
  const ask = window.requestAnimationFrame.bind(window);
  window.spent = [];
  window.requestAnimationFrame = (f) => ask((now) => { const began = performance.now(); f(now); window.spent.push(performance.now() - began); });
};

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
  await page.addInitScript(timed);
  const began = performance.now();
  await page.goto('file://' + resolve(path));
  await page.waitForSelector('body[data-ready="1"]', {timeout: 120000});
  const loaded = performance.now() - began, gaps = await played(page, 4), spent = await page.evaluate(() => spent.sort((a, b) => a - b)), took = await page.evaluate(() => quadrille.bench());
  const late = gaps.filter((gap) => gap > 20).length;
  console.log(`${path}: loaded in ${loaded.toFixed(0)} ms; a frame is painted in ${took.denseFrame.toFixed(1)} ms, a step in ${took.step.toFixed(0)} ms; ` +
    `played at ${(gaps.length / 4).toFixed(0)} frames a second, ${late} of ${gaps.length} late, the longest after ${gaps.at(-1).toFixed(0)} ms; ` +
    `the page worked ${(spent.reduce((a, b) => a + b) / gaps.length).toFixed(1)} ms on a frame, ${spent.at(-Math.ceil(0.02 * gaps.length) - 1).toFixed(1)} on the longest but two of a hundred, ${spent.at(-1).toFixed(1)} on the longest`);
  await context.close();
}
await browser.close();
