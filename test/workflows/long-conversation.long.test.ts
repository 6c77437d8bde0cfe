import { expect, test } from 'vitest';
import { holdConversation } from '../labs/hold-conversation.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';
import { startFactModel } from '../servers/fact-model.ts';

const lab = openForTests(async () => {
  const model = await startFactModel();
  const opened = await startTurnLab({ environment: { HOLDFAST_COMPATIBLE_BASE_URL: model.url } });
  const close = async () => {
    await opened.close();
    await model.close();
  };
  return { ...opened, facts: model, close };
});

test('sixty turns cost the same each with summaries, which keep ten facts that were said at the beginning', async () => {
  const scene = await lab.scene({ execution: 'direct', compaction: 'summarize', compactionThreshold: 2_000 });
  const say = async (message: string) => (await lab.waitForOutcome(await scene.say(message))).answer ?? '';
  const held = await holdConversation({ model: lab.facts, turns: 60, say });

  expect(held.facts).toBe(10);
  expect(held.summaries.length).toBeGreaterThan(3);
  expect(held.summaries.length).toBeLessThan(20);
  expect(Math.max(...held.answers)).toBeLessThan(2_300);
});
