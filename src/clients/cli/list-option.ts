import { InvalidArgumentError, Option } from 'commander';

interface ListOptionSettings {
  /** The values when the option is not given. */
  defaults?: string[];
  isRequired?: boolean;
  /** Where one text is cut into values, for values that hold commas. @default at each comma without a backslash before it */
  separator?: RegExp;
}

/**
 * Creates an option that takes several values: repeated (`--event a --event b`) and with commas (`--event a,b`). A comma
 * that belongs to a value is written `\,`. Flags that end with `...>` take them one after the other too (`--event a b`).
 */
export function createListOption(
  flags: string,
  description: string,
  { defaults, isRequired = false, separator }: ListOptionSettings = {},
): Option {
  const option = new Option(flags, description).makeOptionMandatory(isRequired);
  if (defaults) option.default(defaults, defaults.join(','));
  // Values of the command line replace the default ones.
  return option.argParser((text: string, before: string[] | undefined) => [
    ...(before === undefined || before === defaults ? [] : before),
    ...splitList(text, separator),
  ]);
}

/** A variable of a script that is not set must not mean "all". @throws InvalidArgumentError for an empty value */
function splitList(text: string, separator: RegExp | undefined): string[] {
  const values = separator
    ? text.split(separator)
    : text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ',').trim());
  if (values.includes('')) throw new InvalidArgumentError('Expected one or more values, found an empty one.');
  return values;
}

/** The part of the help text about such options. */
export const listOptionHelp =
  'Options with several values take them repeated or with commas: --event a --event b, --events a,b. ' +
  'A comma that belongs to a value is written "\\,".';
