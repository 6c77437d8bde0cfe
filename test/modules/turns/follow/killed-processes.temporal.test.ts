import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executionModes } from '../../../../src/domain/agent.ts';
import { findFreePort } from '../../../../src/main/dev/ports.ts';
import { eventually } from '../../../labs/eventually.ts';
import { startLabApiProcess } from '../../../labs/lab-api.ts';
import { calculate } from '../../../labs/lab-tools.ts';
import { createMeeting } from '../../../labs/meeting.ts';
import {
  createReplaceableApi,
  followByClient,
  startReturningReader,
  toData,
  toReceived,
  toShownAnswers,
  type ReplaceableApi,
} from '../../../labs/returning-reader.ts';
import { startTurnLab, type TurnLab } from '../../../labs/turn-lab.ts';
import type { WorkerProcess } from '../../../labs/turn-lab-worker.ts';
import type { ScriptEntry } from '../../../servers/scripted-model.ts';

const sum = { name: 'calculate', arguments: { expression: '20 + 3' } };
const lastMessage = 'Are you sure?';
const chunkDelayMs = 5;
const lost = 'These pieces are lost with their';
const answers = [
  'I shall calculate that for you.',
  Array.from({ length: 12 }, (_, index) => `word${index + 1}`).join(' '),
  'Let me see that again.',
  'It is still the same number.',
];

/** The answers of two turns. The second one is held until the API is gone, and once more until it is back. */
function toScript(apiIsGone: Promise<unknown>, apiIsBack: Promise<unknown>): ScriptEntry[] {
  const [first = '', counted = '', third = '', last = ''] = answers;
  return [
    { text: first, toolCalls: [sum], chunkDelayMs },
    {
      ...{ text: counted, chunkDelayMs },
      afterChunk: (sent) => (sent === 4 ? apiIsGone : sent === 8 ? apiIsBack : undefined),
    },
    { text: third, toolCalls: [sum], chunkDelayMs },
    { text: lost, chunkDelayMs, hang: true },
    { text: last, chunkDelayMs },
  ];
}

describe.concurrent('when processes are killed in the midst of answers', { timeout: 120_000 }, () => {
  let lab: TurnLab;
  let api: ReplaceableApi;
  let worker: WorkerProcess;
  const apiCrash = createMeeting(() => api.kill());
  const apiReturn = createMeeting(() => api.start());
  const workerCrash = createMeeting(async () => {
    await Promise.all([worker.kill(), lab.startWorkerProcess()]);
  });

  beforeAll(async () => {
    lab = await startTurnLab({ worker: false });
    const PORT = String(await findFreePort());
    api = createReplaceableApi(() => startLabApiProcess(lab, { PORT }));
    [worker] = await Promise.all([lab.startWorkerProcess(), api.start()]);
  });

  afterAll(async () => {
    await api.kill();
    await lab.close();
  });

  test.for(executionModes)(
    'in %s execution, a reader gets each event and each piece once, whether it stays, comes back or is the client',
    async (execution, context) => {
      const [apiIsGone, apiIsBack] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const scene = await lab.scene({ execution, tools: [calculate] });
      scene.reply(...toScript(apiIsGone.promise, apiIsBack.promise));
      const { conversationId } = scene;
      const all = { path: `/api/conversations/${conversationId}/events`, lastMessage };
      const reader = startReturningReader(api, all);
      const leaver = startReturningReader(api, { ...all, leavesAfter: () => true });
      const client = followByClient(await api.current(), { conversationId, lastMessage });

      const first = await scene.say('What is 20 + 3?');
      await reader.sees('word4');
      await apiCrash.arrive(context);
      apiIsGone.resolve(undefined);
      await eventually(
        () => lab.readChunks(first),
        (chunks) => chunks.some(({ text }) => text?.includes('word8')),
      );
      await apiReturn.arrive(context);
      await reader.sees('word8');
      apiIsBack.resolve(undefined);
      await lab.waitForOutcome(first);
      const second = await scene.say(lastMessage);
      await reader.sees(lost);
      await workerCrash.arrive(context);
      await lab.waitForOutcome(second);

      const frames = await reader.done;
      const stored = await lab.readEvents(conversationId);
      expect(toData(frames).filter((data) => 'seq' in data)).toEqual(stored);
      const seen = toShownAnswers(frames);
      expect(seen.map(({ text }) => text)).toEqual(answers);
      // An answer that arrives at the worker as a whole has no pieces.
      expect(seen.filter(({ shown, text }) => shown !== '' && shown !== text)).toEqual([]);
      expect(seen[1]?.shown).toBe(answers[1]);
      expect(await leaver.done).toEqual(frames);
      expect(await client).toEqual(toReceived(frames));
      expect(await startReturningReader(api, all).done).toEqual(frames);
      const ofTurn = startReturningReader(api, { path: `/api/turns/${second}/events`, lastMessage });
      const ofSecond = toData(frames).filter(({ turnId }) => turnId === second);
      expect(toData(await ofTurn.done)).toEqual(ofSecond);
    },
  );
});
