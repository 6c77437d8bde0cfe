import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { type Command, commandKinds } from './command.ts';

/** A difference between a command of the code and the recorded command of a history. */
export interface Difference {
  /** The event of the history, and the command. */
  place: string;
  /** The field that differs, such as `input.0.timeoutMs`; empty for a command that only one side has. */
  path: string;
  expected: JsonValue | undefined;
  found: JsonValue | undefined;
  /** True for a field that code has added to an input. Activities accept the inputs of the release before. */
  isAddition: boolean;
}

interface Comparison {
  recorded: Command[];
  asked: Command[];
  /** Whether a replay went through the whole history, and that history has the end of its workflow. */
  isWhole: boolean;
}

/** Compares the commands of each kind in their order. Only a whole replay issues all commands of the history. */
export function compareCommands({ recorded, asked, isWhole }: Comparison): Difference[] {
  return commandKinds.flatMap((kind) => {
    const [expected, found] = [recorded, asked].map((all) => all.filter((one) => one.kind === kind));
    if (!expected || !found) return [];
    return kind === 'local activity'
      ? compareById(expected, found, isWhole)
      : compareInOrder(expected, found, isWhole);
  });
}

/** Stops behind the first pair that differs, since the commands after it are those of another way. */
function compareInOrder(recorded: Command[], asked: Command[], isWhole: boolean): Difference[] {
  const count = isWhole ? Math.max(recorded.length, asked.length) : Math.min(recorded.length, asked.length);
  const differences: Difference[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = comparePair(recorded[index], asked[index]);
    differences.push(...own);
    if (own.some(({ isAddition }) => !isAddition)) break;
  }
  return differences;
}

/** A history has local activities in the order of their ends, and none that had not ended when the workflow did. */
function compareById(recorded: Command[], asked: Command[], isWhole: boolean): Difference[] {
  const byId = new Map(asked.map((one) => [one.id, one]));
  return recorded.flatMap((expected) => {
    const found = byId.get(expected.id);
    return found || isWhole ? comparePair(expected, found) : [];
  });
}

function comparePair(expected: Command | undefined, found: Command | undefined): Difference[] {
  const command = expected ?? found;
  if (!command) return [];
  const place = `${expected ? `event ${expected.eventId}` : 'after the history'}, ${command.kind} ${command.name}`;
  if (!expected || !found) {
    const sides = { expected: expected && 'this command', found: found && 'this command' };
    return [{ place, path: '', ...sides, isAddition: false }];
  }
  return Object.keys(expected.fields)
    .filter((field) => found.fields[field] !== undefined)
    .flatMap((field) => compareValues(field, expected.fields[field], found.fields[field]))
    .map((difference) => ({ place, ...difference }));
}

/** Finds the innermost places at which two values differ. */
function compareValues(
  path: string,
  expected: JsonValue | undefined,
  found: JsonValue | undefined,
): Omit<Difference, 'place'>[] {
  if (isDeepStrictEqual(expected, found)) return [];
  if (Array.isArray(expected) && Array.isArray(found)) {
    return listKeys(expected, found).flatMap((key) =>
      compareValues(`${path}.${key}`, expected[Number(key)], found[Number(key)]),
    );
  }
  if (isJsonObject(expected) && isJsonObject(found)) {
    return listKeys(expected, found).flatMap((key) =>
      compareValues(`${path}.${key}`, expected[key], found[key]).map((difference) => ({
        ...difference,
        isAddition: difference.isAddition || !Object.hasOwn(expected, key),
      })),
    );
  }
  return [{ path, expected, found, isAddition: false }];
}

function listKeys(expected: object, found: object): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(found)])];
}

/** Says a difference in one line. */
export function describeDifference({ place, path, expected, found }: Difference): string {
  if (path === '')
    return `${place}: ${expected ? 'the code does not ask for it' : 'the history does not have it'}`;
  return `${place}: ${path}: expected ${toText(expected)}, found ${toText(found)}`;
}

/** The most characters of a value in a line. */
const shownCharacters = 120;

function toText(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
