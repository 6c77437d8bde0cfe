import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { replayInputSchema } from '../../src/domain/replay.ts';
import { findConsole } from '../../src/main/find-console.ts';
import { buildReport } from '../../src/modules/replays/report/build-report.ts';
import { writeReport } from '../../src/modules/replays/report/report-formats.ts';
import { createPlayedReplay, type PlayedCase } from '../../test/labs/replayed-runs.ts';

/** Takes a picture of a report that was saved and opened from disk; the file of the report stands in the folder. */
export async function takeReport(page: Page, folder: string, picture: string): Promise<void> {
  const input = replayInputSchema.parse({
    selection: {},
    candidate: { instructions: 'Answer in one sentence.', tools: { remove: ['look_up'] } },
    baseline: true,
  });
  const replay = createPlayedReplay(
    Array.from({ length: 40 }, (_, index) => toCase(index)),
    {
      input,
      name: 'Shorter answers',
      spent: { tokens: 76_000, costUsd: 0.16 },
    },
  );
  const reader = { scopes: ['replays:read' as const, 'conversations:read' as const] };
  const built = await buildReport(replay, reader, { replayId: 'replay' });
  const { frames } = await writeReport(built, { format: 'html', consoleFolder: findConsole() });
  const file = path.join(folder, 'report.html');
  writeFileSync(file, await text(frames));
  await page.goto(pathToFileURL(file).href);
  await page.getByRole('region', { name: 'Decision' }).waitFor();
  await page.screenshot({ path: picture });
}

/** Of 40 questions the candidate answers most alike; it asks for a tool that it no longer has in every fifth one. */
function toCase(index: number): PlayedCase {
  const order = 1010 + index;
  const message = `Where is my order ${order}?`;
  const answer = `Order ${order} is on its way and arrives on Monday.`;
  const original = { message, answer, durationMs: 800 + (index % 7) * 30, costUsd: 0.002 };
  const quicker = { durationMs: 690 + (index % 5) * 30, costUsd: 0.0018 };
  if (index % 5 === 2) return { original, candidate: { ...quicker, refused: true } };
  return { original, candidate: index % 8 === 1 ? { ...quicker, answer: 'On Monday.' } : quicker };
}
