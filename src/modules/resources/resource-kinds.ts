import { createInvalidInput } from '../../domain/errors.ts';
import { agent } from './kinds/agent.ts';
import { api } from './kinds/api.ts';
import { memory } from './kinds/memory.ts';
import { note } from './kinds/note.ts';
import { project } from './kinds/project.ts';
import { prompt } from './kinds/prompt.ts';
import { routine, singleStepRoutine } from './kinds/routine.ts';
import { standard } from './kinds/standard.ts';
import { team } from './kinds/team.ts';
import type { ResourceKind } from './resource-kind.ts';

/** Every kind of resource. A new kind is its own file and a line here. */
export const resourceKinds: readonly ResourceKind[] = [
  note,
  prompt,
  standard,
  project,
  team,
  agent,
  routine,
  singleStepRoutine,
  api,
  memory,
];

const names = resourceKinds.map(({ kind }) => kind);

/** The names of all kinds. */
export const kindNames = names as [string, ...string[]];

/** @throws HoldfastError `INVALID_INPUT` that names the known kinds */
export function getResourceKind(kind: string, field = 'kind'): ResourceKind {
  const found = resourceKinds.find((each) => each.kind === kind);
  if (found) return found;
  const message = `expected one of ${names.join(', ')}, found "${kind}"`;
  throw createInvalidInput([{ field, message }]);
}
