// Bundles src/ into one page, viewer.html, into which the program writes plans. `--check`: only says whether it is fresh.
import {build} from 'esbuild';
import {readFileSync, writeFileSync} from 'node:fs';

const here = new URL('.', import.meta.url).pathname;
const bundled = async (entry, more) => (await build({entryPoints: [here + entry], minify: true, write: false, charset: 'utf8', ...more})).outputFiles[0].text.trim();
const code = (await bundled('src/main.js', {bundle: true, format: 'esm', target: 'es2022'})).replaceAll('</script', '<\\/script');
const style = await bundled('src/style.css');
const page = readFileSync(here + 'src/page.html', 'utf8').replace('/*STYLE*/', () => style).replace('/*CODE*/', () => code);

if (process.argv.includes('--check')) {
  if (readFileSync(here + 'viewer.html', 'utf8') !== page) {
    console.error('web/viewer.html is not what web/src makes: run `make viewer`');
    process.exit(1);
  }
} else {
  writeFileSync(here + 'viewer.html', page);
  console.log(`web/viewer.html: ${page.length} bytes`);
}
