import { operation, type CommandTable } from '../../../clients/cli/command-table.ts';
import type { HoldfastClient } from '../../../clients/client/index.ts';
import { roles, toScopesOfRoles } from '../../../domain/role.ts';

type Person = Awaited<ReturnType<HoldfastClient['people']['get']>>;

const toColumns = ({ id, name, roles: given, deactivatedAt }: Person) => [
  id,
  name,
  given.join(','),
  deactivatedAt !== null && `deactivated ${deactivatedAt}`,
];

/** The commands of people who sign in, and of the tokens with which they come from browsers. */
export const commands: CommandTable = {
  people: 'Look at the people who sign in, and shut them out.',
  'people list': operation('listPeople', {
    description: 'List the people who have signed in.',
    none: 'Nobody has signed in yet.',
    line: toColumns,
  }),
  'people deactivate <person>': operation('changePerson', {
    description: 'Shut a person out.',
    fields: false,
    input: () => ({ active: false }),
    line: toColumns,
  }),
  'people activate <person>': operation('changePerson', {
    description: 'Let a person in again.',
    fields: false,
    input: () => ({ active: true }),
    line: toColumns,
  }),
  'user-tokens': 'Let people in with tokens.',
  'user-tokens create <person>': operation('createUserToken', {
    description: 'Issue a token with which a person uses the API from a browser.',
    fields: {
      roles: `${roles.join(', ')}: see below (default: editor)`,
      minutes: 'how long it is valid (default: 60)',
    },
    help: describeRoles,
    lines: ({ token }) => token,
  }),
  'user-tokens end <token>': operation('endUserToken', {
    description: 'End a token by its id.',
    call: async ({ client }, { id }) => ({ ended: await client.userTokens.end(id) }),
    lines: (_, { id }) => `User token ${id} is ended.`,
  }),
};

/** The scopes of each role. An API key gives those of them that it has itself. */
function describeRoles(): string {
  const lines = roles.map((role) => `  ${role.padEnd(10)}${toScopesOfRoles([role]).join(' ')}`);
  return [
    '',
    'Roles, and the scopes that each gives to the extent that the API key has them:',
    ...lines,
  ].join('\n');
}
