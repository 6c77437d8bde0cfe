import type { Logger } from 'pino';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import { ToolInterruptedError } from '../../../domain/tool-interrupted.ts';
import type { FunctionAnswer, FunctionDefinition } from '../../functions/define-function.ts';
import { isOutcomeUnknown, isToolFailure } from '../../functions/function-errors.ts';
import { toExceptionMessage } from '../../../domain/tool-response.ts';
import { createRedactor, redactJson, type Redact } from '../../../domain/redact.ts';
import { isBrokenOff } from '../../../platform/egress/was-sent.ts';
import { failedResult, invalidArguments } from '../failed-result.ts';
import { withDeadline } from '../../../platform/lib/with-deadline.ts';
import type { FunctionRun, ToolFunction } from './tool-function.ts';

interface OwnFunctionParts {
  /** The secrets of all functions, by the names that functions give them. */
  secrets: Readonly<Record<string, string>>;
  /** Logs the errors that functions throw, with their stacks, which stand nowhere else. */
  logger: Pick<Logger, 'warn'>;
}

/** Makes what an operator has defined into a function that tools can run. */
export function toToolFunction(
  definition: FunctionDefinition,
  { secrets, logger }: OwnFunctionParts,
): ToolFunction {
  const { name, description, schema, effect } = definition;
  const given = pickSecrets(definition, secrets);
  const redact = createRedactor(Object.values(given)).redact;
  return {
    name,
    description,
    schema,
    effect,
    run: async (run) => {
      const missing = definition.secrets.filter((secret) => !Object.hasOwn(given, secret));
      if (missing.length > 0) return failedResult('TOOL_NOT_CONFIGURED', toMissing(name, missing));
      try {
        return toResult(name, await callFunction(definition, run, { secrets: given, redact }), redact);
      } catch (error) {
        const { turnId, toolCallId } = run;
        const stack = redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
        if (!run.signal.aborted)
          logger.warn({ function: name, turnId, toolCallId, stack }, 'a function threw');
        return toFailure(error, { name, run, redact });
      }
    },
  };
}

function pickSecrets({ secrets: wanted }: FunctionDefinition, secrets: OwnFunctionParts['secrets']) {
  const known = wanted.filter((name) => Object.hasOwn(secrets, name) && secrets[name] !== '');
  return Object.freeze(Object.fromEntries(known.map((name) => [name, secrets[name] ?? ''])));
}

function toMissing(name: string, missing: string[]): string {
  const variables = missing.map((secret) => `HOLDFAST_SECRET_${secret}`).join(' and ');
  return `The function ${name} lacks a secret: set ${variables} in the environment of the worker.`;
}

interface CallParts {
  secrets: Readonly<Record<string, string>>;
  redact: Redact;
}

/** A timeout in the operator's settings of the tool replaces that of the function. */
function timeoutOf(definition: FunctionDefinition, { tool, timeoutMs }: FunctionRun): number {
  if (tool.settings?.timeoutMs !== undefined) return timeoutMs;
  return Math.min(timeoutMs, definition.timeoutMs ?? timeoutMs);
}

function callFunction(
  definition: FunctionDefinition,
  run: FunctionRun,
  { secrets, redact }: CallParts,
): Promise<FunctionAnswer> {
  const { idempotencyKey, workspaceId, conversationId, turnId } = run;
  const timeoutMs = timeoutOf(definition, run);
  const message = `${definition.name} did not answer within ${timeoutMs} ms.`;
  const toTimeout = () => new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: true });
  return withDeadline({ timeoutMs, signal: run.signal, toTimeout }, (signal) =>
    definition.call({
      input: run.arguments,
      signal,
      secrets,
      ...{ idempotencyKey, workspaceId, conversationId, turnId },
      onProgress: (detail) => {
        if (signal.aborted) return;
        if (detail === undefined) run.onProgress();
        else run.onProgress(redactJson(detail, redact));
      },
    }),
  );
}

function toResult(name: string, answer: FunctionAnswer, redact: Redact): ToolResult {
  if (!answer.ran) return invalidArguments(name, answer.fields);
  return { status: 'succeeded', text: redact(toText(name, answer.value)) };
}

function toText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    // JSON leaves out a field that it has no form for, such as undefined; the text is then empty.
    return JSON.stringify({ value }).slice('{"value":'.length, -1);
  } catch (error) {
    const message = `${name} ran, but its answer is no JSON: ${(error as Error).message}`;
    throw new TypeError(message, { cause: error });
  }
}

interface FailureParts {
  name: string;
  run: FunctionRun;
  redact: Redact;
}

/**
 * The result of a function that threw: a `ToolFailure` is its refusal, any other error says that it broke. It throws
 * when the outcome is unknown, since the function says so or its own request broke.
 */
function toFailure(error: unknown, { name, run, redact }: FailureParts): ToolResult {
  run.signal.throwIfAborted();
  if (error instanceof ToolInterruptedError && error.code === 'TOOL_TIMED_OUT') throw error;
  const said = redact(error instanceof Error ? error.message : String(error));
  if (isOutcomeUnknown(error) || (!isToolFailure(error) && isBrokenOff(error)))
    throw new ToolInterruptedError('TOOL_UNAVAILABLE', said, { sent: true });
  const message = said === '' ? `${name} failed without saying why.` : said;
  if (isToolFailure(error)) return failedResult('TOOL_FAILED', message, toDetails(error.details, redact));
  return failedResult('TOOL_RUNNER_EXCEPTION', toExceptionMessage(run.tool.name, message));
}

function toDetails(details: JsonValue | undefined, redact: Redact): JsonValue | undefined {
  const plain = toPlain(details);
  return plain === undefined ? undefined : redactJson(plain, redact);
}

/** Details that are no JSON are left out: the refusal itself is what counts. */
function toPlain(details: JsonValue | undefined): JsonValue | undefined {
  try {
    return (JSON.parse(JSON.stringify({ details })) as JsonObject).details;
  } catch {
    return undefined;
  }
}
