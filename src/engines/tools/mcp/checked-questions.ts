import { toAnswerSchema, type CallDialogue } from '../../../domain/question.ts';
import type { ToolOutcome } from '../../../domain/tool.ts';
import { failedResult } from '../failed-result.ts';
import type { SchemaChecks } from '../json-schema/schema-checks.ts';

type Checks = Pick<SchemaChecks, 'findForeignProblem'>;

/** A dialogue in which a question is cancelled whose answers cannot be checked. */
export function toCheckedDialogue(checks: Checks, { ask, resumed }: CallDialogue): CallDialogue {
  return {
    resumed,
    ask: async (question, hold) => {
      const problem = await checks.findForeignProblem(toAnswerSchema(question.schema));
      return problem === null ? ask(question, hold) : { action: 'cancel' };
    },
  };
}

/** An outcome, which is a failure when it asks a question whose answers cannot be checked. */
export async function toCheckedQuestions(checks: Checks, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (outcome.status !== 'waits') return outcome;
  for (const request of outcome.requests) {
    if (request.kind !== 'question') continue;
    const problem = await checks.findForeignProblem(toAnswerSchema(request.schema));
    if (problem === null) continue;
    const message = `The server asked a question whose answers cannot be checked, so the call did not run. ${problem}`;
    return failedResult('TOOL_FAILED', message);
  }
  return outcome;
}
