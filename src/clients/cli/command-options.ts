import { Option } from 'commander';
import type { CommandRow, OptionRow } from './command-table.ts';
import { createListOption } from './list-option.ts';
import type { OperationField } from './operation-field.ts';

/** An option of a command, and the field of the operation that gets its value. */
export interface CommandOption {
  option: Option;
  field?: OperationField;
  parse?: OptionRow['parse'];
}

/** Returns the options of a command: those of the fields, its own, and those that all commands like it have. */
export function listOptions(usage: string, row: CommandRow, fields: OperationField[]): CommandOption[] {
  const needed: string[] = usage.match(/(?<=<)\w+/g) ?? [];
  const shown = row.fields === false ? [] : fields.filter((field) => !needed.includes(toWord(field)));
  const derived = shown.flatMap((field) => {
    const given = row.fields ? row.fields[field.name] : undefined;
    return given === false ? [] : [toFieldOption(field, toRow(given), row)];
  });
  const own = Object.entries(row.options ?? {}).map(([flags, given]) => toOption(flags, toRow(given)));
  const common = [
    ...(row.question ? [new Option('--yes', 'do not ask before it is deleted')] : []),
    ...('run' in row || 'start' in row ? [] : [new Option('--json', 'print JSON')]),
  ];
  return [...derived, ...[...own, ...common].map((option) => ({ option }))];
}

/** The name of a field in the terminal: the id of a thing is named after the thing. */
export function toWord({ name }: OperationField): string {
  return name.replace(/Id$/, '');
}

/** Whether the command lists what its operation has in pages. */
export function hasPages(row: CommandRow, fields: OperationField[]): boolean {
  return row.line !== undefined && row.call === undefined && fields.some(({ name }) => name === 'limit');
}

function toRow(given: string | OptionRow | undefined): OptionRow {
  return typeof given === 'string' ? { text: given } : (given ?? {});
}

function toFieldOption(field: OperationField, given: OptionRow, row: CommandRow): CommandOption {
  const isLimit = field.name === 'limit' && row.line !== undefined;
  const text = isLimit ? `so many, or "all"${row.limit ? ' (default: 100)' : ''}` : (field.text ?? '');
  const standard = {
    ...{ text, required: field.required === true },
    ...(field.kind === 'list' ? { list: true as const } : {}),
  };
  const option = toOption(given.flags ?? toFlags(field), { ...standard, ...given });
  return { option, field, parse: given.parse };
}

function toFlags(field: OperationField): string {
  const name = toWord(field).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (field.kind === 'flag') return `--${name}`;
  if (field.kind === 'switch') return `--no-${name}`;
  if (field.kind !== 'list') return `--${name} <${field.value}>`;
  const one = name.replace(/s$/, '');
  return `--${one}, --${one}s <${field.value}...>`;
}

function toOption(flags: string, { text = '', required = false, list, ...row }: OptionRow): Option {
  const defaults = row.default;
  const isRequired = required && defaults === undefined;
  if (list) {
    const separator = list === true ? {} : { separator: list };
    const given = Array.isArray(defaults) ? { defaults } : {};
    return createListOption(flags, text, { isRequired, ...separator, ...given });
  }
  return new Option(flags, text).makeOptionMandatory(isRequired).default(defaults);
}
