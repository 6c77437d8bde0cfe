import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createProgramOutput, toLogFile } from '../../../src/main/dev/program-output.ts';
import { eventually } from '../../labs/eventually.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const request = JSON.stringify({ level: 30, time: '2026-11-01T12:00:00.000Z', name: 'api', msg: 'request' });
const warning = JSON.stringify({ level: 40, time: '2026-11-01T12:00:00.000Z', name: 'api', msg: 'slow' });
const lines = [request, warning, 'no log'];

async function show(options: { verbose: boolean; isTerminal: boolean }): Promise<string[]> {
  const dataDir = createTemporaryFolder();
  const shown: string[] = [];
  const take = createProgramOutput({ dataDir, name: 'api', say: (line) => shown.push(line), ...options });
  for (const line of lines) take(line);
  const read = () => readFileSync(toLogFile(dataDir, 'api'), { encoding: 'utf8', flag: 'a+' });
  expect(
    await eventually(
      () => Promise.resolve(read()),
      (text) => text.endsWith('no log\n'),
    ),
  ).toBe(`${lines.join('\n')}\n`);
  return shown;
}

it('shows warnings and lines that are no log, and keeps all in a file', async () => {
  const prefixed = [warning, 'no log'].map((line) => `api    | ${line}`);
  expect(await show({ verbose: false, isTerminal: false })).toEqual(prefixed);
});

it('shows everything when it is asked to', async () => {
  expect(await show({ verbose: true, isTerminal: false })).toHaveLength(3);
});

it('shows lines at a terminal as people read them', async () => {
  const [line = ''] = await show({ verbose: false, isTerminal: true });
  expect(line).toMatch(/^api {4}\| \[\d\d:\d\d:\d\d\] .*WARN.*slow/s);
  expect(line).not.toContain('"level"');
});
