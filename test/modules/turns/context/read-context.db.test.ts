import { expect, test } from 'vitest';
import type { AgentVersion } from '../../../../src/domain/agent.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { listOfferedTools } from '../../../../src/engines/tools/offered-tools.ts';
import { forkConversation } from '../../../../src/modules/turns/forks/fork-conversation.ts';
import { readContext } from '../../../../src/modules/turns/context/read-context.ts';
import { compactRows } from '../../../labs/compact-rows.ts';
import { calculate } from '../../../labs/lab-tools.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { createAnswer, noUsage, openTurnRows, type RowRef } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

function read(
  { workspaceId, conversationId }: RowRef,
  listOffered = listOfferedTools,
  scopes: Scope[] = ['agents:read'],
) {
  return readContext(rows, { workspaceId, scopes }, { conversationId, listOffered });
}

async function play(place: RowRef, name: string): Promise<string> {
  const { turn } = await rows.submit(place, { message: `${name}?` });
  await rows.storeAnswer(place, createAnswer(turn.id, { text: `${name}!`, outcome: 'completed' }));
  return turn.id;
}

test('the context of a conversation without turns has no messages', async () => {
  const place = await rows.createConversation();
  expect(await read(place)).toMatchObject({
    ...{ agentId: place.agentId, model: 'demo', turnId: null, messages: [], compactions: [] },
    ...{ compaction: 'oldest_first', threshold: 100_000, tokensPerByte: 0.25, isTooLong: false },
    leftOut: { turns: 0, results: 0 },
  });
});

test('a context shows the summary in place of the turns that it tells of, and what the next call sees after it', async () => {
  const place = await rows.createConversation();
  await play(place, 'a');
  const second = await play(place, 'b');
  const { turn } = await rows.submit(place, { message: 'c?' });
  const summary = {
    ...{ messageId: newId(), text: 'They spoke of a.', model: 'demo', answeredBy: 'demo', credits: 7n },
    usage: { ...noUsage, inputTokens: 30 },
  };
  const start = { throughOrdinal: 1, throughOffset: 0, referencesThrough: 1, summaryId: null };
  await compactRows(rows.database, place.workspaceId, { turnId: turn.id, kind: 'summarize', start, summary });

  const shown = await read(place);
  expect(shown).toMatchObject({
    turnId: turn.id,
    messages: [
      { role: 'summary', turnId: null, text: 'They spoke of a.' },
      { role: 'user', turnId: second, text: 'b?' },
      { role: 'assistant', turnId: second, text: 'b!', toolCalls: [] },
      { role: 'user', turnId: turn.id, text: 'c?' },
    ],
    leftOut: { turns: 1, results: 0 },
    compactions: [
      {
        kind: 'summarize',
        turnId: turn.id,
        messageId: summary.messageId,
        credits: '7',
        usage: summary.usage,
      },
    ],
  });
  await rows.storeAnswer(place, createAnswer(turn.id, { text: 'c!', outcome: 'completed' }));
  const later = await read(place);
  expect(later.turnId).toBeNull();
  expect(later.messages.map(({ text }) => text)).toEqual(['They spoke of a.', 'b?', 'b!', 'c?', 'c!']);
});

test('a conversation of another workspace is not found', async () => {
  const [place, other] = [await rows.createConversation(), await rows.createConversation()];
  await expect(read({ ...place, workspaceId: other.workspaceId })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('tools that are switched off, or not in the allowlist, are not offered', () => {
  const rules = { toolPolicies: {}, canaryTokens: [], onBlocked: 'continue' as const };
  const tool = { ...calculate, id: 'one' };
  const version = { tools: [tool, { ...tool, name: 'other', settings: { enabled: false } }], connectors: [] };
  const names = (more: object) =>
    listOfferedTools({ ...version, rules: { ...rules, ...more } } as unknown as AgentVersion, []).map(
      ({ name }) => name,
    );

  expect(names({})).toEqual([tool.name]);
  expect(names({ toolAllowlist: ['something'] })).toEqual([]);
});

test('a fork sees the summary of its parent, in rows of its own and free of cost', async () => {
  const place = await rows.createConversation();
  const { workspaceId } = place;
  await play(place, 'a');
  await play(place, 'b');
  const { turn } = await rows.submit(place, { message: 'c?' });
  const summary = {
    ...{ messageId: newId(), text: 'They spoke of a.', model: 'demo', answeredBy: 'demo', credits: 7n },
    usage: { ...noUsage, inputTokens: 30 },
  };
  const start = { throughOrdinal: 1, throughOffset: 0, referencesThrough: 1, summaryId: null };
  await compactRows(rows.database, workspaceId, { turnId: turn.id, kind: 'summarize', start, summary });
  await rows.storeAnswer(place, createAnswer(turn.id, { text: 'c!', outcome: 'completed' }));
  const last = await play(place, 'd');
  const dependencies = { database: rows.database, notifier: { events: () => undefined } };
  const fork = async (turnId: string) => {
    const request = { parentId: place.conversationId, input: { turnId, tools: 'live' as const, run: false } };
    const { conversation } = await forkConversation(dependencies as never, { workspaceId }, request);
    return read({ ...place, conversationId: conversation.id });
  };

  const after = await fork(last);
  expect(after.messages.map(({ text }) => text)).toEqual(['They spoke of a.', 'b?', 'b!', 'c?', 'c!']);
  expect(after.compactions).toMatchObject([{ kind: 'summarize', usage: noUsage, credits: null }]);
  expect(after.compactions[0]?.messageId).not.toBe(summary.messageId);
  const before = await fork(turn.id);
  expect(before.messages.map(({ text }) => text)).toEqual(['a?', 'a!', 'b?', 'b!']);
  expect(before.compactions).toEqual([]);
});

test('a context has no configuration of the agent for a key that may not read agents', async () => {
  const place = await rows.createConversation();
  const offered = () => [{ ...calculate, id: 'one' }];
  expect(await read(place, offered)).toMatchObject({ tools: [{ description: calculate.description }] });
  expect(await read(place, offered, ['conversations:read'])).toMatchObject({
    instructions: '',
    tools: [{ name: 'calculate', description: '', schema: { type: 'object' } }],
  });
});
