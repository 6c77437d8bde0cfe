import { describe, expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { toSlotOptions } from '../../../src/platform/temporal/worker-options.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';
import { withoutPlaces } from '../../labs/turn-grounds.ts';

const fewest = { HOLDFAST_WORKFLOW_TASK_SLOTS: '2', HOLDFAST_ACTIVITY_SLOTS: '1', ...withoutPlaces };
const lab = openForTests(() => startTurnLab({ environment: fewest }));

describe('the slots of a worker', () => {
  test('are 100 of each kind by default', () => {
    expect(loadConfig({}).workerSlots).toEqual({ workflowTasks: 100, activities: 100 });
  });

  test('for workflow tasks and those for activities are separate', () => {
    const slots = { HOLDFAST_WORKFLOW_TASK_SLOTS: '300', HOLDFAST_ACTIVITY_SLOTS: '500' };
    expect(toSlotOptions(loadConfig(slots).workerSlots)).toEqual({
      maxConcurrentWorkflowTaskExecutions: 300,
      maxConcurrentActivityTaskExecutions: 500,
    });
  });

  test.each([
    ['HOLDFAST_WORKFLOW_TASK_SLOTS', '1'],
    ['HOLDFAST_WORKFLOW_TASK_SLOTS', '10001'],
    ['HOLDFAST_ACTIVITY_SLOTS', '0'],
    ['HOLDFAST_ACTIVITY_SLOTS', '2.5'],
  ])('%s is not %s', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(`${name}: `);
  });

  test.each(executionModes)(
    'may be as few as 2 and 1: the workflows of four %s turns at once complete',
    async (execution) => {
      const scenes = await Promise.all([1, 2, 3, 4].map(() => lab.scene({ execution })));
      const turns = await Promise.all(
        scenes.map((scene) => {
          scene.reply({ text: 'Here I am.' });
          return scene.say('Hello?');
        }),
      );
      const ended = await Promise.all(turns.map((turnId) => lab.waitForOutcome(turnId)));
      expect(ended.map(({ outcome }) => outcome)).toEqual(turns.map(() => 'completed'));
    },
  );
});
