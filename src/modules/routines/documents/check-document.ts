import { createInvalidInput, type FieldError } from '../../../domain/errors.ts';
import { describeUnknownField } from '../../../domain/unknown-field.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../domain/json.ts';
import { isRequestCall, mappedCallParts } from '../../../domain/routine-call.ts';
import { findExpression } from '../../../domain/simple-expression.ts';
import { findTaskErrors } from './check-tasks.ts';
import { checkFields } from './check-walk.ts';
import { loadSdk } from './load-sdk.ts';
import { splitDocument } from './split-document.ts';

const documentFields = ['document', 'input', 'use', 'do', 'timeout', 'output', 'schedule', 'evaluate'];

/** The fields of `use` that Holdfast takes. */
const usable = new Set(['authentications', 'errors', 'functions', 'retries', 'secrets', 'timeouts']);

/** The maximum number of errors of the form of a document that are shown. */
const mostInvalid = 5;

const refusedUses: Record<string, string> = {
  extensions: 'is not supported',
  catalogs: 'is not supported: define the function in "use.functions"',
};

/**
 * Checks a document with the SDK of the standard, and refuses what Holdfast does not run.
 * @throws HoldfastError `INVALID_INPUT` with the path of each error
 */
export async function checkRoutineDocument(document: JsonObject): Promise<void> {
  const errors = findErrors(document);
  if (errors.length > 0) throw createInvalidInput(errors.slice(0, 20));
  const invalid = await findInvalid(document);
  if (invalid.length > 0) throw createInvalidInput(invalid);
}

function findErrors(document: JsonObject): FieldError[] {
  const { use, schedule, evaluate, document: header } = document;
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => errors.push({ field: `document${path}`, message });
  const dsl = isJsonObject(header) ? header.dsl : undefined;
  // The schema of the standard takes any field at the top.
  checkFields({ refuse }, document, { path: '', known: documentFields });
  if (typeof dsl !== 'string' || !/^1\.0\.\d+$/.test(dsl))
    refuse('/document/dsl', `expected a version 1.0, found ${JSON.stringify(dsl ?? null)}`);
  if (schedule !== undefined)
    refuse('/schedule', 'is not supported: create a schedule that starts the routine');
  if (isJsonObject(evaluate)) checkEvaluate(evaluate, refuse);
  for (const [name, content] of Object.entries(isJsonObject(use) ? use : {})) {
    if (usable.has(name) || (Array.isArray(content) && content.length === 0)) continue;
    refuse(`/use/${name}`, refusedUses[name] ?? describeUnknownField(name, [...usable]));
  }
  return [...errors, ...findTaskErrors(document)];
}

function checkEvaluate(
  { language, mode }: JsonObject,
  refuse: (path: string, message: string) => void,
): void {
  if (language !== undefined && language !== 'jq')
    refuse('/evaluate/language', `expected "jq", found ${JSON.stringify(language)}`);
  if (mode !== undefined && mode !== 'strict')
    refuse('/evaluate/mode', `expected "strict", found ${JSON.stringify(mode)}`);
}

/** Checks the form of a document and of each list of tasks in it. */
async function findInvalid(document: JsonObject): Promise<FieldError[]> {
  const { validate } = await loadSdk();
  // The SDK knows version 1.0.0 alone; the later patches only add to it.
  const header = { ...(document.document as JsonObject), dsl: '1.0.0' };
  const { outer, lists } = splitDocument(withoutWholeExpressions(document));
  const errors: FieldError[] = [];
  for (const { path, list } of [{ path: '/do', list: null }, ...lists]) {
    try {
      validate('Workflow', list === null ? { ...outer, document: header } : { document: header, do: list });
    } catch (error) {
      errors.push(...toFieldErrors(error instanceof Error ? error.message : String(error), path));
    }
    if (errors.length >= mostInvalid) break;
  }
  return errors.slice(0, mostInvalid);
}

/** Replaces the parts of calls that the later versions allow to be expressions by empty objects. */
function withoutWholeExpressions(value: JsonObject): JsonObject {
  const { call, with: given } = value;
  const parts = Object.entries(value).map(([name, field]) => [name, withoutInner(field ?? null)] as const);
  const copy: JsonObject = Object.fromEntries(parts);
  if (!isRequestCall(call) || !isJsonObject(given)) return copy;
  const objects = mappedCallParts
    .filter((name) => isExpression(given[name]))
    .map((name) => [name, {}] as const);
  return { ...copy, with: { ...given, ...Object.fromEntries(objects) } };
}

function withoutInner(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutInner);
  return isJsonObject(value) ? withoutWholeExpressions(value) : value;
}

function isExpression(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && findExpression(value) !== null;
}

const line = /^- (\/\S*) \| \S+ \| (.+?) \| /;

/**
 * A task that fits no kind of task has an error for each of them: only the deepest of those errors name the fault. `path` is
 * the JSON Pointer of the tasks that were checked.
 */
function toFieldErrors(message: string, path: string): FieldError[] {
  const found = message.split('\n').flatMap((text) => {
    const [, at, what] = line.exec(text) ?? [];
    return at === undefined || what === undefined
      ? []
      : [{ field: `document${at.replace(/^\/do(?=\/|$)/, () => path)}`, message: what }];
  });
  const depth = (field: string) => field.split('/').length;
  const deepest = found.reduce((most, { field }) => Math.max(most, depth(field)), 0);
  const shown = found.filter(
    ({ field, message: what }) => depth(field) === deepest && !what.includes('oneOf'),
  );
  const unique = [...new Map(shown.map((error) => [`${error.field} ${error.message}`, error])).values()];
  if (unique.length > 0) return unique;
  return [{ field: 'document', message: message.split('\n', 1)[0] ?? 'is not valid' }];
}
