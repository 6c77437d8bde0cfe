// Prints the size of the project beside the figures of docs/size.json. `--check` prints what grew by more than 5 % instead,
// and fails; `--write` renews the figures.
import { readFileSync, writeFileSync } from 'node:fs';
import { findGrowth, measureSize, type Size } from './measure-size.ts';

const file = 'docs/size.json';
const option = process.argv[2];
const { size, cycles } = measureSize();

if (option === '--write') writeFileSync(file, `${JSON.stringify(size, null, 2)}\n`);
const figures = JSON.parse(readFileSync(file, 'utf8')) as Size;
if (option === '--check') {
  const growth = findGrowth(size, figures);
  for (const line of growth) console.error(line);
  if (growth.length > 0) {
    console.error('Make it smaller, or renew the figures in the same commit: npm run size -- --write');
    process.exitCode = 1;
  }
} else {
  for (const [name, value] of Object.entries(size)) {
    const change = value - (figures[name] ?? 0);
    console.log(
      `${name.padEnd(45)}${String(value).padStart(8)}${change === 0 ? '' : `  ${change > 0 ? '+' : ''}${change}`}`,
    );
  }
  for (const cycle of cycles) console.log(`cycle: ${cycle.join(', ')}`);
}
