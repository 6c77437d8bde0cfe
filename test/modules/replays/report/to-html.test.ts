import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text as toText } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { buildReport } from '../../../../src/modules/replays/report/build-report.ts';
import type { ReplayReport } from '../../../../src/domain/replay-report.ts';
import { writeReport } from '../../../../src/modules/replays/report/report-formats.ts';
import { createPlayedReplay } from '../../../labs/replayed-runs.ts';
import { createTemporaryFolder } from '../../../labs/temporary-folder.ts';

const hostile = '</script><img src=x onerror=alert(1)><!--';

/** Writes a report with hostile texts as HTML. */
async function write(consoleFolder: string | undefined) {
  const cases = [{ original: { message: hostile }, candidate: { answer: hostile } }];
  const replay = createPlayedReplay(cases, { name: `<img src=y>${hostile}` });
  const reader = { scopes: ['replays:read' as const, 'conversations:read' as const] };
  const built = await buildReport(replay, reader, { replayId: 'replay' });
  const { frames, headers } = await writeReport(built, { format: 'html', consoleFolder });
  return { html: await toText(frames), headers };
}

function buildSmallConsole(): string {
  const folder = path.join(createTemporaryFolder(), 'console');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'report.js'), 'document.title;');
  writeFileSync(path.join(folder, 'report.css'), 'b{}');
  return folder;
}

it('texts of others do not end the data of a report, and do not stand in it as HTML', async () => {
  const { html } = await write(buildSmallConsole());
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  const [, data = ''] = /id="report">([\s\S]*?)<\/script>/.exec(html) ?? [];
  expect((JSON.parse(data) as ReplayReport).cases[0]?.message).toBe(hostile);
});

it('a report may run its own script and use its own style, and load nothing', async () => {
  const { html, headers } = await write(buildSmallConsole());
  expect(html).toContain('<style>b{}</style>');
  expect(html).toContain('<script>document.title;</script>');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(html).not.toMatch(/https?:\/\//);
});

it('a report cannot be had as HTML until the console is built', async () => {
  const notBuilt = { code: 'NOT_FOUND', message: expect.stringContaining('npm run build:console') as string };
  await expect(write(undefined)).rejects.toMatchObject(notBuilt);
  const folder = path.join(createTemporaryFolder(), 'console');
  await expect(write(folder)).rejects.toMatchObject(notBuilt);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'report.js'), '');
  writeFileSync(path.join(folder, 'report.css'), '');
  expect((await write(folder)).html).toContain('<script></script>');
});
