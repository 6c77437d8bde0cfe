import type { z } from 'zod';
import { checkInput } from '../../domain/check-input.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import { findUnstorable } from '../../domain/storable.ts';
import { swarmChangeSchema, swarmEndSchema } from '../../domain/swarm.ts';
import { advanceSwarm } from './advance-swarm.ts';
import { controlSwarm } from './control-swarm.ts';
import { endSwarm } from './end-swarm.ts';
import { updateSwarmState } from './update-swarm-state.ts';
import type { ChangeSwarmInput, SwarmSteps } from './swarm-contract.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { toActivityFailure } from '../../platform/activity/failures.ts';

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

function change(dependencies: SwarmDependencies, { command, body, key, ...ref }: ChangeSwarmInput) {
  switch (command) {
    case 'update':
      return updateSwarmState(dependencies, ref, { change: parse(swarmChangeSchema, body), key });
    case 'end':
      return endSwarm(dependencies, ref, parse(swarmEndSchema, body));
    default:
      return controlSwarm(dependencies, ref, command);
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
