import { expect, test } from 'vitest';
import { executionModes } from '../../../src/domain/agent.ts';
import { schemaChecksOf } from '../../../src/engines/tools/json-schema/schema-checks.ts';
import { calculate } from '../../labs/lab-tools.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startTurnLab } from '../../labs/turn-lab.ts';

const lab = openForTests(() => startTurnLab());

/** A text with this pattern is checked in a thread. */
const schema = {
  type: 'object',
  properties: { expression: { type: 'string', pattern: '^.{0,1000}$' } },
  required: ['expression'],
};
const expression = `20 + 3${' '.repeat(900)}`;

const endless = { type: 'object', properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } };

function nest(levels: number): object {
  return levels === 0 ? { a: 1 } : { a: nest(levels - 1) };
}

/** Holds the thread of the workspace with checks that exceed their time, so that a check after them waits in vain. */
function holdThread(): Promise<unknown> {
  const checks = schemaChecksOf(lab.workspaceId);
  const value = nest(40) as Record<string, never>;
  return Promise.allSettled(Array.from({ length: 5 }, () => checks.checkSchema(endless, value)));
}

test('a check of arguments for which there was no time is repeated, and is no wrong argument', async () => {
  const scenes = await Promise.all(
    executionModes.map((execution) => lab.scene({ execution, tools: [{ ...calculate, schema }] })),
  );
  for (const scene of scenes)
    scene.reply({ toolCalls: [{ name: 'calculate', arguments: { expression } }] }, { text: 'It is 23.' });
  const held = holdThread();
  const turnIds = await Promise.all(scenes.map((scene) => scene.say('How much is 20 + 3?')));
  const turns = await Promise.all(turnIds.map(lab.waitUntilSettled));
  await held;
  for (const turn of turns)
    expect(turn).toMatchObject({
      outcome: 'completed',
      toolCalls: [{ name: 'calculate', status: 'succeeded', result: '23' }],
    });
});
