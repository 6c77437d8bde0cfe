import { expect, test } from 'vitest';
import { replayInputSchema } from '../../../src/domain/replay.ts';
import { createReplay } from '../../../src/modules/replays/create-replay.ts';
import { getReplayCase, listReportCases } from '../../../src/modules/replays/report/list-report-cases.ts';
import { buildReport } from '../../../src/modules/replays/report/build-report.ts';

const reader = { workspaceId: 'w', scopes: ['replays:read' as const, 'replays:write' as const] };
const untouched = undefined as never;

test.each([
  ['its report', () => buildReport(untouched, reader, { replayId: 'r' })],
  ['a case', () => getReplayCase(untouched, reader, { replayId: 'r', position: 0 })],
  [
    'its cases',
    () => listReportCases(untouched, reader, { replayId: 'r', after: null, limit: 1, onlyChanged: false }),
  ],
  ['a new one', () => createReplay(untouched, reader, replayInputSchema.parse({ selection: {} }))],
])('a replay gives a caller who may not read conversations nothing of them: %s', async (_what, run) => {
  await expect(run()).rejects.toMatchObject({
    code: 'FORBIDDEN',
    details: { missingScopes: ['conversations:read'] },
  });
});
