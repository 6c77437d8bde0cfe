import type { Conversation, CreateUserTokenData, HoldfastClient } from '../../../clients/client/index.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { readAll } from '../../../clients/cli/pages.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';
import { printJson, type OutputOptions } from '../../../clients/cli/output.ts';

interface CommandServices {
  client: HoldfastClient;
  terminal: Terminal;
}

type Person = Awaited<ReturnType<HoldfastClient['people']['get']>>;

/** Lists the people who have signed in, one line each. */
export async function listPeople({ client, terminal }: CommandServices, options: OutputOptions) {
  const people = await readAll((page) => client.people.list(page));
  if (options.json) printJson(terminal, people);
  else if (people.length === 0) terminal.line('Nobody has signed in yet.');
  else for (const person of people) terminal.line(toPersonLine(person));
}

/** Deactivates a person, or lets the person in again. */
export function changePerson(active: boolean) {
  return async ({ client, terminal }: CommandServices, id: string, options: OutputOptions) => {
    const person = await client.people.update(id, { active });
    if (options.json) printJson(terminal, person);
    else terminal.line(toPersonLine(person));
  };
}

function toPersonLine({ id, name, roles, deactivatedAt }: Person): string {
  const state = deactivatedAt === null ? '' : `  deactivated ${deactivatedAt}`;
  return `${id}  ${name}  ${roles.join(',')}${state}`;
}

/** The options of a new user token. */
export interface UserTokenOptions extends OutputOptions {
  roles?: string[];
  groups?: string[];
  conversations?: string[];
  minutes?: string;
}

/** Issues a token for a person, and prints it alone, for scripts. */
export async function createUserToken(
  { client, terminal }: CommandServices,
  person: string,
  { roles, groups, conversations, minutes, json }: UserTokenOptions,
) {
  // The API refuses roles that it does not know.
  const body = {
    ...{ person, roles, groups, conversations },
    minutes: minutes === undefined ? undefined : Number(minutes),
  } as CreateUserTokenData['body'];
  const issued = await client.userTokens.create(body);
  if (json) printJson(terminal, issued);
  else terminal.line(issued.token);
}

/** Ends a user token. */
export async function endUserToken(
  { client, terminal }: CommandServices,
  id: string,
  options: OutputOptions,
) {
  const ended = await client.userTokens.end(id);
  if (options.json) printJson(terminal, { ended });
  else terminal.line(`User token ${id} is ended.`);
}

/** The options that say with whom a conversation is shared. */
export interface ShareOptions extends OutputOptions {
  with?: string[];
  workspace?: boolean;
  nobody?: boolean;
}

/** Replaces the people with whom a conversation is shared by others, by the whole workspace, or by none. */
export async function shareConversation(
  { client, terminal }: CommandServices,
  id: string,
  options: ShareOptions,
) {
  const conversation = await client.conversations.update(id, { sharedWith: toShared(options) });
  if (options.json) printJson(terminal, conversation);
  else terminal.line(`Conversation ${id} is shared with ${toSharedText(conversation)}.`);
}

function toShared({ with: people, workspace, nobody }: ShareOptions): 'workspace' | string[] {
  const given = [people, workspace, nobody].filter((option) => option !== undefined);
  if (given.length !== 1)
    throw new HoldfastError('INVALID_INPUT', 'Expected one of --with, --workspace and --nobody.');
  return workspace ? 'workspace' : (people ?? []);
}

function toSharedText({ sharedWith }: Conversation): string {
  if (sharedWith === 'workspace') return 'the workspace';
  return sharedWith.length === 0 ? 'nobody' : sharedWith.join(', ');
}
