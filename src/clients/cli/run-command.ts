import type { Command } from 'commander';
import { createHoldfastClient } from '../client/index.ts';
import { findApiAccess, type ApiFlags } from './api-access.ts';
import { callOperation, readFields, type AddedCommand } from './call-operation.ts';
import { loadClientConfig } from './client-config.ts';
import { getContext } from './command-context.ts';
import type { CommandRow, CommandServices, Given } from './command-table.ts';
import { confirm } from './confirm.ts';
import { describeError } from './describe-error.ts';
import { printJson } from './output.ts';
import { createTerminal } from './terminal.ts';
import { toVisible } from './visible-text.ts';

/**
 * Finds the API, runs a command with its words and options, and sets the exit code; prints a sentence and sets 1 when the
 * command fails.
 */
export async function runCommand(command: Command, added: AddedCommand): Promise<void> {
  const context = getContext(command);
  const options = command.optsWithGlobals<ApiFlags & Record<string, unknown>>();
  const terminal = createTerminal(context.stdout, context);
  const warn = (line: string) => void context.stderr.write(`${toVisible(line)}\n`);
  let baseUrl: string | undefined;
  try {
    const access = findApiAccess(options, loadClientConfig(context.environment));
    baseUrl = access.baseUrl;
    const services = { client: createHoldfastClient(access), terminal, baseUrl, warn, context };
    const code = await runRow(services, added, { words: command.args, options });
    context.setExitCode(typeof code === 'number' ? code : 0);
  } catch (error) {
    terminal.freshLine();
    describeError(error, baseUrl).forEach(warn);
    context.setExitCode(1);
  }
}

async function runRow(
  services: CommandServices,
  added: AddedCommand,
  typed: Pick<Given, 'words' | 'options'>,
): Promise<unknown> {
  const { row } = added;
  const { client, context, terminal } = services;
  const [word = ''] = typed.words;
  const found = await row.find?.(client, word);
  const given: Given = { ...typed, id: found?.id ?? word, found, input: {} };
  if (row.question) {
    const { yes, json } = typed.options as { yes?: boolean; json?: boolean };
    await confirm(row.question(given.found), { context, yes, json, refusal: 'Nothing was deleted.' });
  }
  given.input = await readFields(client, added, typed);
  Object.assign(given.input, await row.input?.(given, client));
  if (row.run) return row.run(services, given);
  const answer = await (row.call ? row.call(services, given) : callOperation(client, added, given));
  if ((typed.options as { json?: boolean }).json) printJson(terminal, answer ?? { deleted: true });
  else for (const line of await toLines(row, answer, given)) terminal.line(line);
  return 0;
}

async function toLines(row: CommandRow, answer: unknown, given: Given): Promise<string[]> {
  if (row.lines) return [await row.lines(answer, given)].flat().filter(isShown);
  const items: unknown[] = Array.isArray(answer) ? answer : [answer];
  if (items.length === 0) return [row.none].filter(isShown);
  const toCells = (item: unknown) => row.line?.(item, given) ?? [];
  return items.map((item) => toCells(item).filter(isShown).join('  ').trimEnd());
}

function isShown<Part>(part: Part | null | undefined | false): part is Part {
  return part !== null && part !== undefined && part !== false;
}
