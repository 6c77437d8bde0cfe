import type { HoldfastClient, Page } from '../client/index.ts';
import type { OperationFunctions } from '../client/generated/operations.ts';
import type { CommandContext } from './command-context.ts';
import type { Terminal } from './terminal.ts';

/** Commands by their usage, such as `webhooks deliveries <webhook>`, and what the help says about a noun, by the noun. */
export type CommandTable = Record<string, CommandRow | string>;

/** A command: what the help says about it, and what it does. */
export interface CommandRow extends AnySettings {
  /** The operation that it calls, and whose fields are its options. */
  operation?: OperationName;
}

type OperationName = keyof OperationFunctions;

/** The dependencies of a command that calls the API. */
export interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
  baseUrl: string;
  /** Prints a line to the standard error, with control characters as symbols. */
  warn: (line: string) => void;
  context: CommandContext;
}

/** An option of a command. */
export interface OptionRow {
  /** Such as `--about <id>`. @default made from the name of the field */
  flags?: string;
  /** The text of the help about the option. @default the description of the field in the API */
  text?: string;
  required?: boolean;
  default?: string | string[];
  /** Set for an option with several values: true, or where one text is cut into them. @default at commas */
  list?: true | RegExp;
  /** Converts a value that was typed for a field. */
  parse?: (text: string, flag: string) => unknown;
}

/** Options by the names of their fields, where they are other ones than by the rule. False hides one. */
export type FieldRows = Record<string, false | string | OptionRow>;

/** Options by their flags. */
export type OptionRows = Record<string, string | Omit<OptionRow, 'flags' | 'parse'>>;

type GivenOptions = Record<string, unknown>;

/** The words and options that were typed after a command, and the input that follows from them. */
export interface Given<Options = GivenOptions, Found = unknown> {
  /** The id that `find` has found; otherwise the first word, which is mostly an id. */
  id: string;
  words: string[];
  options: Options & { json?: boolean };
  /** The query or the body of the operation, without the ids in its path. */
  input: Record<string, unknown>;
  found: Found;
}

type Cell = string | number | null | undefined | false;
type Lines = string | (string | null | undefined | false)[];
type Item<Answer> =
  Answer extends Page<infer One> ? One : Answer extends readonly (infer One)[] ? One : Answer;

/** How a command asks the API, and prints what it answers. */
interface RowSettings<Answer, Options, Found> {
  description: string;
  /** The heading in the help under which it is listed. */
  group?: string;
  /** The texts of the help about the words, by their names. */
  words?: Record<string, string>;
  /** The fields that are other options than by the rule; false when none is one. */
  fields?: false | FieldRows;
  /** Further options. */
  options?: OptionRows;
  /** A further part of the help text. */
  help?: () => string;
  /** Finds the thing that the first word names. */
  find?(client: HoldfastClient, word: string): Promise<Found & { id: string }>;
  /** A question that is asked first, unless `--yes` is given. */
  question?(found: Found): string;
  /** Returns the input that does not follow from the fields. */
  input?(given: Given<Options, Found>, client: HoldfastClient): object | Promise<object>;
  /** The words and options that fill the path of the operation. @default the first words */
  path?: string[];
  /** Asks the API by more than one call of the operation. */
  call?(services: CommandServices, given: Given<Options, Found>): Promise<Answer>;
  /** How many items a list shows without `--limit`. @default all */
  limit?(given: Given<Options, Found>): string;
  /** The line of an empty list. */
  none?: string;
  /** The columns of the answer, or of each item of a list. Those without a value are left out; an empty text keeps its place. */
  line?(item: Item<Answer>, given: Given<Options, Found>): Cell[];
  /** The lines of an answer that takes several. Those without a value are left out. */
  lines?(answer: Answer, given: Given<Options, Found>): Lines | Promise<Lines>;
  /** Does everything by itself, `--json` too. A number that it returns is the exit code. */
  run?(services: CommandServices, given: Given<Options, Found>): Promise<unknown>;
  /** Does everything without the API. A number that it returns is the exit code. */
  start?(context: CommandContext, given: Given<Options, Found>): Promise<unknown>;
}

type AnySettings = RowSettings<unknown, GivenOptions, unknown>;

/** Defines a command that calls an operation, or more than one with the options of this one, and prints the answer. */
export function operation<
  Name extends OperationName,
  Answer = Awaited<ReturnType<OperationFunctions[Name]>>,
  Options extends object = GivenOptions,
  Found = unknown,
>(name: Name, settings: RowSettings<Answer, Options, Found>): CommandRow {
  return { ...(settings as AnySettings), operation: name };
}

/** Defines a command that does everything by itself. */
export function action<Options extends object = GivenOptions>(
  settings: RowSettings<unknown, Options, unknown> & { operation?: OperationName },
): CommandRow {
  return settings as AnySettings;
}
