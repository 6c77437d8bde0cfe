import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopes } from '../../src/domain/api-key.ts';
import type { Recording } from '../../src/domain/recording.ts';
import { importRecordings } from '../../src/recordings/import-recordings.ts';
import { startApi, type Api } from '../labs/api-lab.ts';
import { createShop, exportLines, holdConversation } from '../labs/recording-scene.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

function importText(workspaceId: string, text: string) {
  const principal = { workspaceId, apiKeyId: workspaceId, scopes: [...scopes], groups: [], actsFor: null };
  return importRecordings({ database: api.database }, principal, {
    lines: Readable.from([Buffer.from(text)]),
  });
}

/** The parts of a line that an import does not change. */
function toContent({ conversation, turn, steps, ...line }: Recording) {
  return {
    title: conversation.title,
    tags: conversation.tags,
    instructions: line.agent.instructions,
    rules: line.agent.rules,
    tools: line.tools.map(({ name, schema, effect }) => ({ name, schema, effect })),
    turn: { ...turn, id: '' },
    message: line.message.text,
    steps: steps.map((step) => ({
      ...step,
      createdAt: '',
      toolCalls: step.toolCalls.map((call) => ({ ...call, id: '' })),
    })),
  };
}

test('an export that is imported into another workspace is exported from there with the same content', async () => {
  const agentId = await createShop(api);
  const turns = [{ message: 'What is 6 * 7?' }, { message: 'And 2 * 3?', result: '6' }];
  await holdConversation(api, { agentId, turns, tags: ['vip'], title: 'Sums' });
  const lines = await exportLines(api);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const other = await api.createWorkspace();
  expect(await importText(other.workspaceId, text)).toMatchObject({
    imported: 2,
    skipped: 0,
    refused: 0,
    errors: [],
  });
  expect(await importText(other.workspaceId, text)).toMatchObject({ imported: 0, skipped: 2, refused: 0 });
  const again = await exportLines(api, '', other.key);
  expect(again.map(toContent)).toEqual(lines.map(toContent));
});

test('lines that cannot be read are refused by their numbers', async () => {
  const { workspaceId } = await api.createWorkspace();
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const report = await importText(
    workspaceId,
    ['{', '', '{"schemaVersion":2}', deep, '"\\u0000"'].join('\n'),
  );
  expect(report).toMatchObject({ imported: 0, refused: 4 });
  expect(report.errors.map(({ line }) => line)).toEqual([1, 3, 4, 5]);
});
