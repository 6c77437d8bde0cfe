import { createRoutineError } from '../../../../domain/routine-error.ts';
import { fillTemplate } from '../expressions.ts';
import { objectOf, type Interpretation, type TaskResult, type TaskScope } from '../interpretation.ts';

/** Runs another routine of the workspace, by the names of its document. */
export async function runRoutineTask(routine: Interpretation, scope: TaskScope): Promise<TaskResult> {
  const { workflow, await: awaits } = objectOf(scope.task.definition.run);
  const { namespace, name, input, version } = objectOf(workflow);
  if (typeof namespace !== 'string' || typeof name !== 'string')
    throw createRoutineError('configuration', 'the workflow to run needs a namespace and a name');
  const given = await fillTemplate(routine, input ?? {}, { scope });
  const step = {
    ...{ number: scope.step, namespace, name, input: given, awaits: awaits !== false },
    version: typeof version === 'string' ? version : 'latest',
  };
  const output = await routine.ground.runRoutine(step);
  return { output: step.awaits ? output : scope.input };
}
