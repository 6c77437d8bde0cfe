import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import type { Viewer } from '../../../src/domain/actor.ts';
import { getToolAnalytics } from '../../../src/modules/audit/get-tool-analytics.ts';
import { getModelAnalytics } from '../../../src/modules/credits/usage/get-model-analytics.ts';
import { getUsage } from '../../../src/modules/credits/usage/get-usage.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

let workspaceId: string;
let shared: string;

/** Holds a turn with one model call and one tool call in a new conversation of a person. */
async function play(place: RowRef, person: string): Promise<string> {
  const { turn } = await rows.submit(place);
  const toolCall = { ...createToolCall(0), name: `tool of ${person}` };
  await rows.storeAnswer(
    place,
    createAnswer(turn.id, { model: `model of ${person}`, credits: 100n, toolCalls: [toolCall] }),
  );
  await rows.database.system('tool_calls').where({ id: toolCall.id }).update({
    status: 'succeeded',
    attempts: 1,
    started_at: new Date(),
    ended_at: new Date(),
  });
  await rows.database.system('conversations').where({ id: place.conversationId }).update({ person });
  return place.conversationId;
}

beforeAll(async () => {
  const first = await rows.createConversation();
  ({ workspaceId } = first);
  await play(first, 'ada');
  await play(await rows.createConversation({}, workspaceId), 'bob');
  shared = await play(await rows.createConversation({}, workspaceId), 'eve');
});

/** The names of the models and tools that a viewer counts. */
async function readNames(viewer: Viewer) {
  const asked = { limit: 100, from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const { usage } = await getUsage(rows, viewer, { ...asked, groupBy: ['model'] });
  const { models } = await getModelAnalytics(rows, viewer, { ...asked, groupBy: ['model'] });
  const { tools } = await getToolAnalytics(rows, viewer, { ...asked, groupBy: ['tool'] });
  const sort = (names: (string | null)[]) => names.filter((name) => name !== null).toSorted();
  return {
    usage: sort(usage.map(({ model }) => model)),
    models: sort(models.map(({ model }) => model)),
    tools: sort(tools.map(({ tool }) => tool)),
  };
}

const toNames = (...people: string[]) => {
  const models = people.map((person) => `model of ${person}`);
  return { usage: models, models, tools: people.map((person) => `tool of ${person}`) };
};

describe('figures of calls', () => {
  test('are those of the whole workspace for who sees all of it', async () => {
    expect(await readNames({ workspaceId })).toEqual(toNames('ada', 'bob', 'eve'));
    expect(await readNames({ workspaceId, reach: 'workspace', actsFor: 'Ada' })).toEqual(
      toNames('ada', 'bob', 'eve'),
    );
  });

  test('are for a person those of the conversations that this person sees', async () => {
    const ada: Viewer = { workspaceId, reach: 'own', actsFor: 'Ada' };
    expect(await readNames(ada)).toEqual(toNames('ada'));
    await rows.database
      .system('conversations')
      .where({ id: shared })
      .update({ shared_with: ['ada'] });
    expect(await readNames(ada)).toEqual(toNames('ada', 'eve'));
    expect(await readNames({ ...ada, actsFor: 'Mallory' })).toEqual(toNames());
  });

  test('are none for another workspace', async () => {
    expect(await readNames({ workspaceId: newId() })).toEqual(toNames());
  });
});
