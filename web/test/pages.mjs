// Pages for the tests, made by the program that is to be tested: QUADRILLE, or one that was built.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;
const built = ['release', 'quick', 'dev'].map((preset) => join(root, 'build', preset, 'quadrille'));
export const program = process.env.QUADRILLE ?? built.find(existsSync);
if (!program) throw new Error('no program to test: set QUADRILLE, or make build');
export const folder = mkdtempSync(join(tmpdir(), 'quadrille-view-'));

/** The path of a page with what `quadrille view` is asked for; the judge may reject the plan. */
export function page(name, ...words) {
  const path = join(folder, name + '.html');
  const {status, stderr} = spawnSync(program, ['view', ...words, '-o', path], {encoding: 'utf8'});
  if (status !== 0 && status !== 1) throw new Error(`view ${words.join(' ')}: ${stderr}`);
  return path;
}
/** A plan as the program writes it in JSON, and the path. */
export function plan(name, ...words) {
  const path = join(folder, name + '.json');
  execFileSync(program, ['plan', ...words, '-o', path]);
  return {path, json: JSON.parse(readFileSync(path, 'utf8'))};
}
export const bad = (name) => join(root, 'testdata', 'bad_plans', name + '.plan');

/** The model in a page. */
export async function modelIn(path, i = 0) {
  const M = await import('../src/model.js'), text = readFileSync(path, 'utf8');
  const inside = (id) => new RegExp(`id=${id}${i}>(.*?)</script>`, 's').exec(text)[1];
  return M.decode(await M.inflate(M.bytesOfBase64(inside('data'))), JSON.parse(inside('meta')));
}
