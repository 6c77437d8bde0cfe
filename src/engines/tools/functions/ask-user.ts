import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { toAnswerSchema } from '../../../domain/question.ts';
import type { ToolOutcome } from '../../../domain/tool.ts';
import { invalidArguments } from '../failed-result.ts';
import { schemaChecksOf } from '../json-schema/schema-checks.ts';
import { toTextArgument } from '../text-argument.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';

const name = 'ask_user';

/** The schema of an answer without one: a text. */
const anyText: JsonObject = { type: 'string', minLength: 1, maxLength: 32_000 };

async function run({ workspaceId, arguments: input }: FunctionRun): Promise<ToolOutcome> {
  const options = toOptions(input.options);
  if (options && input.schema !== undefined) {
    return invalidArguments(name, [{ field: 'options', message: 'cannot be given together with schema' }]);
  }
  const schema = options ? { type: 'string', enum: options } : toSchema(input.schema);
  const problem = await schemaChecksOf(workspaceId).findSchemaProblem(toAnswerSchema(schema));
  if (problem !== null)
    return invalidArguments(name, [{ field: 'schema', message: `cannot be used: ${problem}` }]);
  const question = toTextArgument(input.question);
  return { status: 'waits', requests: [{ kind: 'question', question, schema, options }] };
}

function toOptions(options: JsonValue | undefined): string[] | null {
  return Array.isArray(options) ? options.map(toTextArgument) : null;
}

function toSchema(schema: JsonValue | undefined): JsonObject {
  return isJsonObject(schema) ? schema : anyText;
}

/** Asks the person whom the agent talks to, and lets the turn wait for the answer. */
export const askUser: ToolFunction = {
  name,
  description:
    'Asks the user a question and waits for the answer, which may take days. Ask only for what you cannot find out ' +
    'yourself. Without "options" or "schema" the answer is a text.',
  schema: {
    type: 'object',
    properties: {
      question: { type: 'string', minLength: 1, maxLength: 4_000, description: 'The question, in full' },
      options: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 1_000 },
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'The choices, when the answer is one of a few',
      },
      schema: { type: 'object', description: 'JSON Schema of the answer, when it is not a text or a choice' },
    },
    required: ['question'],
    additionalProperties: false,
  },
  effect: 'read_only',
  run,
};
