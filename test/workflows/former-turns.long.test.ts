import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import { eventually } from '../labs/eventually.ts';
import { fetchTurnHistory, listScheduledActivities } from '../labs/histories.ts';
import { calculate } from '../labs/lab-tools.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { temporalAddress } from '../labs/temporal.ts';
import { startTurnLab } from '../labs/turn-lab.ts';

const program = fileURLToPath(new URL('../fixtures/former-turn/worker.ts', import.meta.url));
const lab = openForTests(() => startTurnLab({ worker: false }));

test.each([
  ['was signalled there, so that its history has the former command,', true, 'core_local_activity'],
  ['left nothing in its history', false, 'core_patch'],
])(
  'a turn that a lost worker of the release before began in its workflow task and that %s ends',
  async (_, isSignalled, marker) => {
    const scene = await lab.scene({ execution: 'direct', tools: [calculate] });
    scene.reply(
      { toolCalls: [{ name: 'calculate', arguments: { expression: '1 + 1' } }] },
      { text: 'It is two.' },
    );
    const { start, turnId } = await scene.submit('What is 1 + 1?');
    if (!start) throw new Error('the turn has no place');
    const environment = { ...process.env, TEMPORAL_ADDRESS: temporalAddress(), TASK_QUEUE: lab.taskQueue };
    const former = fork(program, { env: environment, execArgv: [], stdio: 'inherit' });
    await lab.engine.startTurn(start);
    const waitForEvent = (attributes: keyof proto.temporal.api.history.v1.IHistoryEvent) =>
      eventually(
        () => fetchTurnHistory(lab, turnId),
        ({ events }) => events?.some((event) => event[attributes]) ?? false,
      );
    // The SDK completes a workflow task whose local activity takes long, and asks for the next one.
    await waitForEvent('workflowTaskCompletedEventAttributes');
    if (isSignalled) {
      await lab.client.workflow.getHandle(`turn-${turnId}`).signal('actionDecided', newId());
      await waitForEvent('workflowExecutionSignaledEventAttributes');
    }
    former.kill('SIGKILL');
    await once(former, 'exit');
    const worker = await lab.startWorker();
    const turn = await lab.waitForOutcome(turnId);

    expect(turn).toMatchObject({ outcome: 'completed', answer: 'It is two.' });
    expect(turn.toolCalls).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    const history = await fetchTurnHistory(lab, turnId);
    const markers = history.events?.flatMap((event) => event.markerRecordedEventAttributes?.markerName ?? []);
    expect(markers).toEqual([marker]);
    expect(listScheduledActivities(history)).toEqual(['runTurn']);
    await worker.stop();
  },
);
