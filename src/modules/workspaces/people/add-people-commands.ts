import type { Command } from 'commander';
import { roles, toScopesOfRoles } from '../../../domain/role.ts';
import { addList, addOneId } from '../../../clients/cli/command.ts';
import { createListOption } from '../../../clients/cli/list-option.ts';
import {
  changePerson,
  createUserToken,
  endUserToken,
  listPeople,
  shareConversation,
  type ShareOptions,
  type UserTokenOptions,
} from './people-commands.ts';

/** Adds the commands of people who sign in, and of the tokens with which they come from browsers. */
export function addPeople(program: Command): void {
  const people = program.command('people').description('Look at the people who sign in, and shut them out.');
  addList(people, listPeople).description('List the people who have signed in.');
  addOneId(people, 'deactivate <person>', changePerson(false)).description('Shut a person out.');
  addOneId(people, 'activate <person>', changePerson(true)).description('Let a person in again.');
  const tokens = program.command('user-tokens').description('Let people in with tokens.');
  addOneId<UserTokenOptions>(tokens, 'create <person>', createUserToken)
    .description('Issue a token with which a person uses the API from a browser.')
    .addOption(
      createListOption('--role, --roles <role...>', `${roles.join(', ')}: see below (default: editor)`),
    )
    .addOption(createListOption('--group, --groups <group...>', 'the groups of approvers that it is in'))
    .addOption(
      createListOption('--conversation, --conversations <id...>', 'the only conversations that it sees'),
    )
    .option('--minutes <number>', 'how long it is valid (default: 60)')
    .addHelpText('after', describeRoles());
  addOneId(tokens, 'end <token>', endUserToken).description('End a token by its id.');
}

/** The scopes of each role. An API key gives those of them that it has itself. */
function describeRoles(): string {
  const lines = roles.map((role) => `  ${role.padEnd(10)}${toScopesOfRoles([role]).join(' ')}`);
  return [
    '',
    'Roles, and the scopes that each gives to the extent that the API key has them:',
    ...lines,
  ].join('\n');
}

/** Adds the command that shares a conversation. */
export function addSharing(conversations: Command): void {
  addOneId<ShareOptions>(conversations, 'share <conversation>', shareConversation)
    .description('Say who sees a conversation besides its person.')
    .addOption(createListOption('--with <person...>', 'these people'))
    .option('--workspace', 'everybody in the workspace')
    .option('--nobody', 'nobody else');
}
