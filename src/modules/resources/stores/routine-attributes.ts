import { routineKinds } from './routine-view-repository.ts';
import { createInvalidInput } from '../../../domain/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';

/** The agent and the document that attributes describe. */
interface DescribedRoutine {
  agentId: string;
  document: JsonObject;
}

/**
 * Returns the document that the attributes of a routine describe. One of a single step keeps what `base` has beside its names
 * and its task.
 * @throws HoldfastError `INVALID_INPUT` for a document with one task, which is of the other kind
 */
export function toDescribedRoutine(
  kind: string,
  { agentId, ...attributes }: JsonObject,
  base: JsonObject = {},
): DescribedRoutine {
  const agent = { agentId: typeof agentId === 'string' ? agentId : '' };
  if (kind === routineKinds.one) return { ...agent, document: toSingleStep(attributes, base) };
  const document = isJsonObject(attributes.document) ? attributes.document : {};
  if (!Array.isArray(document.do) || document.do.length !== 1) return { ...agent, document };
  const message = `expected several tasks: a routine with one task is a ${routineKinds.one}`;
  throw createInvalidInput([{ field: 'attributes.document.do', message }]);
}

function toSingleStep(
  { namespace, name, description, task }: JsonObject,
  { document: header, do: tasks, ...rest }: JsonObject,
): JsonObject {
  const known = isJsonObject(header) ? header : { dsl: '1.0.0', version: '1.0.0' };
  const { summary, ...names } = {
    ...known,
    namespace: namespace ?? '',
    name: name ?? '',
    summary: description,
  };
  const texts = typeof summary === 'string' && summary !== '' ? { summary } : {};
  return { ...rest, document: { ...names, ...texts }, do: [{ [toTaskName(tasks, name)]: task ?? null }] };
}

function toTaskName(tasks: JsonValue | undefined, name: JsonValue | undefined): string {
  const [only] = Array.isArray(tasks) ? tasks : [];
  const [known] = isJsonObject(only) ? Object.keys(only) : [];
  return known ?? (typeof name === 'string' ? name : 'step');
}
