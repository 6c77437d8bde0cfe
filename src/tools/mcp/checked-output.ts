import type { FieldError } from '../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import type { ToolResult } from '../../domain/tool.ts';
import { checkToolArguments, checkToolSchema } from '../json-schema/tool-arguments.ts';

function checkOutput(schema: JsonObject, content: JsonValue | undefined): FieldError[] {
  const structured = isJsonObject(content) ? content.structuredContent : undefined;
  if (structured === undefined)
    return [{ field: '', message: 'structured content is missing, which the tool declares' }];
  if (!isJsonObject(structured)) return [{ field: '', message: 'must be object' }];
  return checkToolArguments(schema, structured);
}

function describe({ field, message }: FieldError): string {
  return `${field} ${message}`.trim();
}

/**
 * A result together with whether it is what the tool's output schema promises. The call has taken effect, so one
 * that does not fit stays a success: the model reads what is wrong with it before it reads the data, and programs
 * find it as `outputErrors`. A schema that cannot be checked in bounded time is left unchecked.
 */
export function toCheckedOutput(result: ToolResult, outputSchema: JsonObject | undefined): ToolResult {
  if (result.status === 'failed' || outputSchema === undefined) return result;
  if (checkToolSchema(outputSchema) !== null) return result;
  const errors = checkOutput(outputSchema, result.content);
  if (errors.length === 0) return result;
  const warning = `[The tool ran, but its result does not fit its output schema: ${errors.map(describe).join('; ')}.]`;
  const content = isJsonObject(result.content) ? result.content : {};
  return { ...result, text: `${warning}\n${result.text}`, content: { ...content, outputErrors: errors } };
}
