import { beforeAll, expect, test } from 'vitest';
import { createHoldfastClient } from '../../../src/clients/client/index.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { fewTokens } from '../../labs/few-tokens.ts';
import { createCompaction, createLine, createStep } from '../../labs/recording-lines.ts';
import { exportLines } from '../../labs/recording-scene.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

/** A client of a new workspace. */
async function createClient() {
  const { key } = await api.createWorkspace();
  return { key, client: createHoldfastClient({ baseUrl: api.url, apiKey: key }) };
}

test.each([
  {
    what: 'concerns a turn that is not before its own',
    compaction: { throughOrdinal: 2 },
    problem: 'compactions.0.throughOrdinal: expected a turn before turn 2, found 2',
  },
  {
    what: 'has references in turns that are not before its own',
    compaction: { referencesThrough: 7 },
    problem: 'compactions.0.referencesThrough: expected a turn before turn 2, found 7',
  },
  {
    what: 'holds from a model call before that of the one before it',
    before: [createCompaction({ iteration: 2, summaryId: 's0' })],
    compaction: {},
    problem: 'compactions.1.iteration: expected 2 or more, found 1',
  },
  {
    what: 'made a summary under the id of another one',
    before: [createCompaction()],
    compaction: { iteration: 2 },
    problem: 'compactions: expected each id of a new summary once',
  },
  {
    what: 'made a summary without an id',
    compaction: { summaryId: null },
    problem: 'compactions.0.summaryId: expected an id, since it made a summary',
  },
  {
    what: 'names a turn that is not in the conversation',
    compaction: { fromTurnId: 'elsewhere-1' },
    problem: 'compactions: expected turns and summaries of the conversation before',
  },
  {
    what: 'names a summary that is not in the conversation',
    compaction: { summary: null },
    problem: 'compactions: expected turns and summaries of the conversation before',
  },
  { what: 'is of no known kind', compaction: { kind: 'newest_first' }, problem: /^compactions\.0\.kind/ },
])('a line is refused when its compaction $what', async ({ before = [], compaction, problem }) => {
  const { client } = await createClient();
  const lines = [
    createLine('compacted', 1),
    createLine('compacted', 2, { compactions: [...before, createCompaction(compaction)] }),
    createLine('compacted', 3, { compactions: [createCompaction()] }),
  ];
  const report = await client.recordings.import(lines);

  const message: unknown = typeof problem === 'string' ? problem : expect.stringMatching(problem);
  expect(report).toMatchObject({ imported: 2, refused: 1, errors: [{ line: 2, message }] });
});

test('a later compaction goes on with the summary of an earlier turn', async () => {
  const { key, client } = await createClient();
  const turnIds = { fromTurnId: 'kept-1', throughTurnId: 'kept-1' };
  const later = { summary: null, kind: 'references', referencesThrough: 2, references: 1 };
  const lines = [
    createLine('kept', 1),
    createLine('kept', 2, { compactions: [createCompaction(turnIds)] }),
    createLine('kept', 3, { compactions: [createCompaction(later), createCompaction({ summaryId: 's2' })] }),
  ];
  expect(await client.recordings.import(lines)).toMatchObject({ imported: 3, errors: [] });

  const [first, second, third] = await exportLines(api, '', key);
  const [made] = second?.compactions ?? [];
  expect(made).toMatchObject({ fromTurnId: first?.turn.id, throughTurnId: first?.turn.id });
  expect(third?.compactions).toMatchObject([
    { kind: 'references', summaryId: made?.summaryId, summary: null, referencesThrough: 2, references: 1 },
    { kind: 'summarize', summary: { text: 'They spoke.' }, references: 0 },
  ]);
  expect(third?.compactions[1]?.summaryId).not.toBe(made?.summaryId);
});

test('usage that was estimated is imported and exported as such', async () => {
  const { key, client } = await createClient();
  const usage = { ...fewTokens, isEstimated: true };
  const summary = { text: 'They spoke.', model: 'demo', answeredBy: 'demo', usage };
  const line = createLine('estimated', 2, {
    turn: { usage },
    steps: [createStep({ text: 'Fine.', usage })],
    compactions: [createCompaction({ summary })],
  });
  expect(await client.recordings.import([createLine('estimated', 1), line])).toMatchObject({ imported: 2 });
  const [first, second] = await exportLines(api, '', key);
  expect(second).toMatchObject({
    turn: { usage },
    steps: [{ usage }],
    compactions: [{ summary: { usage } }],
  });
  expect(first?.turn.usage).toEqual(fewTokens);
});
