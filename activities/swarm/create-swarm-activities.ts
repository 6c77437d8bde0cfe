import type { z } from 'zod';
import { checkInput } from '../../src/domain/check-input.ts';
import { createInvalidInput } from '../../src/domain/errors.ts';
import { findUnstorable } from '../../src/domain/storable.ts';
import { swarmChangeSchema, swarmEndSchema } from '../../src/domain/swarm.ts';
import { advanceSwarm } from '../../src/swarms/advance-swarm.ts';
import { controlSwarm } from '../../src/swarms/control-swarm.ts';
import { endSwarm } from '../../src/swarms/end-swarm.ts';
import { updateSwarmState } from '../../src/swarms/update-swarm-state.ts';
import type { ChangeSwarmInput, SwarmSteps } from '../../workflows/contract/swarm-steps.ts';
import type { SwarmDependencies } from '../../src/swarms/swarm-dependencies.ts';
import { toActivityFailure } from '../failures.ts';

/** Builds the activities of the workflow of a swarm. */
export function createSwarmActivities(dependencies: SwarmDependencies): SwarmSteps {
  return {
    advanceSwarm: (input) => translate(() => advanceSwarm(dependencies, input)),

    changeSwarm: (input) =>
      translate(async () => {
        const { status } = await change(dependencies, input);
        return { status };
      }),
  };
}

function change(dependencies: SwarmDependencies, { command, body, key, ...place }: ChangeSwarmInput) {
  switch (command) {
    case 'update':
      return updateSwarmState(dependencies, place, { change: parse(swarmChangeSchema, body), key });
    case 'end':
      return endSwarm(dependencies, place, parse(swarmEndSchema, body));
    default:
      return controlSwarm(dependencies, place, command);
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const checked = checkInput(schema, body, { whole: 'the change' });
  if (!checked.success) throw createInvalidInput(checked.errors);
  const unstorable = findUnstorable(checked.value, 'change');
  if (unstorable) throw createInvalidInput([unstorable]);
  return checked.value;
}

async function translate<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw toActivityFailure(error);
  }
}
