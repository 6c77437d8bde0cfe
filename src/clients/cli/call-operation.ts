import { isUuid } from '../../domain/uuid.ts';
import { operations } from '../client/generated/operations.ts';
import { resourceTree } from '../client/generated/resource-tree.ts';
import type { HoldfastClient, Page } from '../client/index.ts';
import type { Operation } from '../client/operation-request.ts';
import { hasPages, toWord, type CommandOption } from './command-options.ts';
import type { CommandRow, Given } from './command-table.ts';
import { findAgent } from './find-agent.ts';
import type { OperationField } from './operation-field.ts';
import { parseJson, parseNumber } from './option-values.ts';
import { parseLimit, readFirst } from './pages.ts';

/** A command as it was added to the program. */
export interface AddedCommand {
  usage: string;
  row: CommandRow;
  options: CommandOption[];
  /** The fields of its operation. */
  fields: OperationField[];
}

type Typed = Pick<Given, 'words' | 'options'>;

/**
 * Returns what was typed for the fields of the operation: by options, or by words that are not in its path.
 * @throws HoldfastError `INVALID_INPUT` for a text that is no value of its field
 */
export async function readFields(
  client: HoldfastClient,
  added: AddedCommand,
  typed: Typed,
): Promise<Record<string, unknown>> {
  const { options, row, fields } = added;
  const words = listWords(added);
  const inPath = listPath(added);
  const given: Record<string, unknown> = {};
  for (const field of fields) {
    const { option, parse = field.name === 'limit' && hasPages(row, fields) ? parseLimit : undefined } =
      options.find((one) => one.field === field) ?? {};
    const word = inPath.includes(toWord(field)) ? undefined : typed.words[words.indexOf(toWord(field))];
    const value = (option && typed.options[option.attributeName()]) ?? word;
    // A switch is on unless it was given.
    if (value === undefined || (field.kind === 'switch' && value === true)) continue;
    given[field.name] = await toValue(client, { field, flag: option?.long ?? field.name, parse }, value);
  }
  return given;
}

async function toValue(
  client: HoldfastClient,
  { field, flag, parse }: { field: OperationField; flag: string; parse: CommandOption['parse'] },
  value: unknown,
): Promise<unknown> {
  const parsed = (text: string) => (parse ? parse(text, flag) : text);
  if (Array.isArray(value)) return value.map(String).map(parsed);
  const text = String(value);
  if (parse) return parsed(text);
  if (field.kind === 'agent') return isUuid(text) ? text : (await findAgent(client, text)).id;
  if (field.kind === 'json') return parseJson(text, flag);
  return field.kind === 'number' ? parseNumber(text, flag) : value;
}

/** Calls the operation of a command with the ids in its path and its input, and reads the pages of a list. */
export async function callOperation(
  client: HoldfastClient,
  added: AddedCommand,
  given: Given,
): Promise<unknown> {
  const { row, fields } = added;
  const words = listWords(added);
  const { body, query } = getOperation(row);
  const ids = listPath(added).map((name) => given.words[words.indexOf(name)] ?? given.options[name]);
  if (row.find) ids[0] = given.id;
  const send = findFunction(client, resourceTree, row.operation);
  if (!send) throw new Error(`The client has no function for ${row.operation}.`);
  const call = (input: object) => send(...ids, ...(body || query ? [input] : []));
  if (!hasPages(row, fields)) return call(given.input);
  const { limit = parseLimit(row.limit?.(given) ?? 'all'), ...input } = given.input;
  return readFirst(limit as number, (page) => call({ ...input, ...page }) as Promise<Page<unknown>>);
}

/** The names of the words of a command. */
function listWords({ usage }: AddedCommand): string[] {
  return usage.match(/(?<=[<[])\w+/g) ?? [];
}

/** The names of the words and options that fill the path of the operation. */
function listPath(added: AddedCommand): string[] {
  const { row } = added;
  const count = row.operation === undefined ? 0 : getOperation(row).path.split('{').length - 1;
  return row.path ?? listWords(added).slice(0, count);
}

function getOperation({ operation }: CommandRow): Operation {
  const found: Operation | undefined = operation && operations[operation];
  if (found) return found;
  throw new Error('The command has no operation.');
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** Finds the function of an operation where the client has it. */
function findFunction(branch: object, tree: object, name: string | undefined): Call | undefined {
  for (const [key, part] of Object.entries(tree) as [string, string | object][]) {
    const found = (branch as Record<string, object>)[key];
    if (part === name) return found as Call;
    const below = typeof part === 'object' && found ? findFunction(found, part, name) : undefined;
    if (below) return below;
  }
  return undefined;
}
