import { expect, onTestFinished, test } from 'vitest';
import { answerAs, isSummary, listCompacted, summarizeAs } from '../labs/summary-scene.ts';
import { startTurnLab } from '../labs/turn-lab.ts';

test('a summary in several pieces whose worker is killed continues after the last piece that was stored', async () => {
  const lab = await startTurnLab({ worker: false });
  onTestFinished(() => lab.close());
  const worker = await lab.startWorkerProcess();
  const limits = { turnTimeoutMs: 300_000, activityTimeoutMs: 120_000 };
  const wide = { compaction: 'summarize', compactionThreshold: 200_000, limits } as const;
  const scene = await lab.scene({ execution: 'inspectable', ...wide });
  // A token is a byte for this server, and a model of which nothing is known is given 80,000 tokens at once.
  const say = (name: string) => scene.say(`${name}${'.'.repeat(90_000)}`);
  for (const [index, name] of ['a', 'b'].entries()) {
    scene.reply({
      text: 'So.',
      usage: { inputTokens: 90_000 * (index + 1) },
      when: (body) => !isSummary(body),
    });
    await lab.waitForOutcome(await say(name));
  }
  const cut = summarizeAs('Of all.', { hang: true });
  scene.reply(summarizeAs('Of the first part.'), cut, summarizeAs('Of all of it.'), answerAs('Done.'));
  const turnId = await say('c');
  await scene.waitForRequest(4);
  await worker.kill();
  await lab.startWorkerProcess();

  expect(await lab.waitForOutcome(turnId)).toMatchObject({ status: 'completed', answer: 'Done.' });
  const summaries = scene.requests().filter(({ body }) => isSummary(body));
  const former = summaries.map(
    ({ body }) => /<former_summary>\n(.*)\n<\//.exec(body.messages[1]?.content ?? '')?.[1],
  );
  expect(former).toEqual([undefined, 'Of the first part.', 'Of the first part.']);
  expect((await listCompacted(lab, scene)).map(({ text }) => text)).toEqual([
    'Of the first part.',
    'Of all of it.',
  ]);
  const rows = await lab.database.inWorkspace(lab.workspaceId, (trx) =>
    trx('compactions').where({ turn_id: turnId }).orderBy('number'),
  );
  expect(rows).toMatchObject([
    { number: 1, through_ordinal: 0, input_tokens: 100 },
    { number: 2, through_ordinal: 1, through_offset: 0 },
  ]);
}, 120_000);
