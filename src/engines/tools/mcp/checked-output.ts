import { HoldfastError, type FieldError } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import type { ToolOutcome } from '../../../domain/tool.ts';
import type { SchemaChecks } from '../json-schema/schema-checks.ts';

type OutputCheck = Awaited<ReturnType<SchemaChecks['checkForeign']>>;

function checkOutput(
  { checkForeign }: Pick<SchemaChecks, 'checkForeign'>,
  schema: JsonObject,
  content: JsonValue | undefined,
): Promise<OutputCheck> | OutputCheck {
  const structured = isJsonObject(content) ? content.structuredContent : undefined;
  if (structured === undefined)
    return { fields: [{ field: '', message: 'structured content is missing, which the tool declares' }] };
  if (!isJsonObject(structured)) return { fields: [{ field: '', message: 'must be object' }] };
  return checkForeign(schema, structured).catch(toUnchecked);
}

/** The call has taken effect, so a check for which there was no time must not lead to another call. */
function toUnchecked(error: unknown): OutputCheck {
  if (!(error instanceof HoldfastError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
  return { refusal: 'there was no time for it' };
}

function describe({ field, message }: FieldError): string {
  return `${field} ${message}`.trim();
}

/**
 * A result together with whether it is what the tool's output schema promises. The call has taken effect, so one
 * that does not fit stays a success: the model reads what is wrong with it before it reads the data, and programs
 * find it as `outputErrors`. A schema that cannot be checked in bounded time is left unchecked, and a note to the model says
 * when the check of the result was given up.
 */
export async function toCheckedOutput(
  checks: Pick<SchemaChecks, 'checkForeign'>,
  result: ToolOutcome,
  outputSchema: JsonObject | undefined,
): Promise<ToolOutcome> {
  if (result.status !== 'succeeded' || outputSchema === undefined) return result;
  const check = await checkOutput(checks, outputSchema, result.content);
  if ('problem' in check) return result;
  if ('refusal' in check) {
    const note = `[The tool ran, but its result was not checked against its output schema: ${check.refusal}.]`;
    return { ...result, text: `${note}\n${result.text}` };
  }
  const { fields: errors } = check;
  if (errors.length === 0) return result;
  const warning = `[The tool ran, but its result does not fit its output schema: ${errors.map(describe).join('; ')}.]`;
  const content = isJsonObject(result.content) ? result.content : {};
  return { ...result, text: `${warning}\n${result.text}`, content: { ...content, outputErrors: errors } };
}
