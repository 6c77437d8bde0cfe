import { describe, expect, test } from 'vitest';
import { executionModes } from '../../src/domain/agent.ts';
import { noRules } from '../../src/domain/rules.ts';
import { createMessageRepository } from '../../src/modules/turns/messages/message-repository.ts';
import { fetchTurnHistory, listScheduledActivities, recordHistory } from '../labs/histories.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { answerAs, isSummary, listCompacted, summarizeAs } from '../labs/summary-scene.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import type { LabScene, LabSceneOptions } from '../labs/turn-lab-scene.ts';
import type { ChatRequestBody } from '../servers/scripted-model.ts';

const lab = openForTests(() => startTurnLab());

/** Room for about four turns of 532 bytes, of which a server that reports no usage teaches nothing. */
const narrow = { compaction: 'summarize', compactionThreshold: 500 } as const;

const long = (name: string) => name.padEnd(250, '.');

/** Plays turns whose messages and answers have 250 characters each. */
async function play(scene: LabScene, names: string[]) {
  const turns = [];
  for (const name of names) {
    scene.reply(answerAs(long(`${name}!`)));
    turns.push(await lab.waitForOutcome(await scene.say(long(`${name}?`))));
  }
  return turns;
}

function toTexts({ body }: { body: ChatRequestBody }): string[] {
  return body.messages.slice(1).map(({ content }) => content?.slice(0, 2) ?? '');
}

describe.each(executionModes)('a long conversation in %s execution', (execution) => {
  const start = (options: LabSceneOptions = {}) => lab.scene({ execution, ...narrow, ...options });

  test('is summarized, and the summary is a message, an event, and a cost of its own', async () => {
    const scene = await start();
    await play(scene, ['a', 'b', 'c', 'd']);
    scene.reply(summarizeAs('They spoke of a, b and c.'));
    const [turn] = await play(scene, ['e']);
    await play(scene, ['f']);
    scene.reply(summarizeAs('They spoke of a to e.'));
    await play(scene, ['g']);

    const requests = scene.requests();
    const [first, second] = requests.filter(({ body }) => isSummary(body));
    expect(first?.body.messages[1]?.content).toMatch(
      /^<conversation>\nUser: a\?.*Agent: c!\.*\n<\/conversation>$/s,
    );
    expect(second?.body.messages[1]?.content).toMatch(
      /^<former_summary>\nThey spoke of a, b and c\.\n<\/former_summary>\n\n<conversation>\nUser: d\?.*Agent: e!/s,
    );
    const [e, f, g] = requests.filter(({ body }) => !isSummary(body)).slice(4);
    const summary = '<summary>\nThey spoke of a, b and c.\n</summary>';
    expect(e?.body.messages[1]?.content).toContain(`${summary}\n\nd?`);
    expect(e && toTexts(e).slice(1)).toEqual(['d!', 'e?']);
    expect(f?.body.messages.slice(0, 4)).toEqual(e?.body.messages);
    expect(g?.body.messages[1]?.content).toContain('</summary>\n\nf?');
    expect(g && toTexts(g).slice(1)).toEqual(['f!', 'g?']);

    expect(turn?.usage).toMatchObject({ inputTokens: 101, outputTokens: 11 });
    const compacted = await listCompacted(lab, scene);
    expect(compacted).toMatchObject([
      { kind: 'summarize', text: 'They spoke of a, b and c.', iteration: 1, error: null },
      { kind: 'summarize', text: 'They spoke of a to e.' },
    ]);
    for (const { tokensBefore, tokensAfter } of compacted) {
      expect(tokensBefore).toBeGreaterThan(500);
      expect(tokensAfter).toBeLessThan(400);
    }
    await lab.database.inWorkspace(lab.workspaceId, async (trx) => {
      const page = { conversationId: scene.conversationId, limit: 100 };
      const { items } = await createMessageRepository(trx).listMessages(page);
      const summaries = items.filter(({ role }) => role === 'summary');
      expect(summaries.map(({ id, text }) => [id, text])).toEqual(
        compacted.map(({ messageId, text }) => [messageId, text]),
      );
      expect(items.findIndex(({ role }) => role === 'summary')).toBe(8);
      const source = { source_id: turn?.id ?? '', kind: 'summary' };
      expect(await trx('credit_entries').where(source)).toMatchObject([
        { part: 'summary/1/1', status: 'settled', priced: false },
      ]);
    });
    if (execution === 'inspectable') {
      const scheduled = listScheduledActivities(await fetchTurnHistory(lab, turn?.id ?? ''));
      expect(scheduled).toEqual(['callModel', 'summarizeContext', 'callModel']);
    }
    await recordHistory(lab, `summarized-${execution}`, turn?.id ?? '');
  });

  test('goes on without its oldest turns when no model writes a summary, and says why', async () => {
    const scene = await start({ fallbacks: 1, summaryFallback: 1 });
    await play(scene, ['a', 'b', 'c', 'd']);
    scene.replyAs(1, { status: 401, body: { error: { message: 'Wrong key.' } } });
    scene.reply({ status: 400, body: { error: { message: 'No summaries here.' } }, when: isSummary });
    const [turn] = await play(scene, ['e']);

    expect(turn).toMatchObject({ status: 'completed' });
    expect(toTexts(scene.requests().at(-1) as never)).toEqual(['d?', 'd!', 'e?']);
    expect(await listCompacted(lab, scene)).toMatchObject([
      { kind: 'oldest_first', messageId: null, error: { code: 'MODEL_REJECTED_REQUEST' } },
    ]);
  });
});

test('the model for summaries writes them, and the own one of the agent when that is away', async () => {
  const scene = await lab.scene({ execution: 'direct', ...narrow, fallbacks: 1, summaryFallback: 1 });
  await play(scene, ['a', 'b', 'c', 'd']);
  scene.replyAs(1, summarizeAs('By the other one.'));
  await play(scene, ['e', 'f']);
  scene.replyAs(1, { status: 503, body: { error: { message: 'Away.' } } });
  scene.reply(summarizeAs('By its own.'));
  await play(scene, ['g']);

  expect((await listCompacted(lab, scene)).map(({ text }) => text)).toEqual([
    'By the other one.',
    'By its own.',
  ]);
});

test('a summary that repeats a canary token is stored without it', async () => {
  const rules = { ...noRules, canaryTokens: ['kestrel-4711-marmot'] };
  const scene = await lab.scene({ execution: 'direct', ...narrow, rules });
  // The instructions have the token too, so that there is room for one turn less.
  scene.reply(summarizeAs('The word is kestrel-4711-marmot.'));
  await play(scene, ['a', 'b', 'c', 'd']);

  const [compacted] = await listCompacted(lab, scene);
  expect(compacted?.text).toMatch(/^The word is (?!kestrel)/);
  const seen = scene.requests().at(-1)?.body.messages[1]?.content;
  expect(seen).toContain(compacted?.text);
});
