import { expect, test } from 'vitest';
import { startFactModel } from '../../bench/context/fact-model.ts';
import { holdConversation } from '../../bench/context/hold-conversation.ts';
import { toContextReport } from '../../bench/context/report-context.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { startTurnLab } from '../labs/turn-lab.ts';

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
  const conversations = { off: held, oldest_first: held, summarize: held };
  const report = toContextReport({ startedAt: '', machine: {} as never, threshold: 2_000, conversations });
  expect(report).toMatch(/facts of 10 known at the end +10 +10 +10/);
});
