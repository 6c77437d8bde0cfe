import { operation, type CommandTable, type FieldRows, type Given } from '../../clients/cli/command-table.ts';
import { invalid } from '../../clients/cli/option-values.ts';
import type { HoldfastClient, PendingAction } from '../../clients/client/index.ts';
import { parseJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { toOneLine } from '../../domain/text.ts';
import type { RememberOptions } from './grant-commands.ts';

/** The fields that each decision has. */
const shared: FieldRows = {
  ...{ decision: false, arguments: false, remember: false, answer: false, isError: false },
  reason: 'what the model and the audit log are told',
  actingFor: 'the person who decided',
};

const toDecided = ({ target, tool, status, turnId }: PendingAction) =>
  `${target ?? tool} is ${status}; turn ${turnId} goes on.`;

/** The commands of what waits for people, and of approvals that are remembered. */
export const commands: CommandTable = {
  actions: 'Decide what waits for people.',
  'actions list': operation('listPendingActions', {
    description: 'List what waits for people.',
    none: 'Nothing waits for people.',
    line: (action) => [action.id, toAsked(action), `turn ${action.turnId}`, `until ${action.expiresAt}`],
  }),
  'actions approve <action>': operation('decidePendingAction', {
    description: 'Let a tool call run.',
    fields: {
      ...shared,
      arguments: { text: 'run it with these arguments instead', parse: parseArguments },
    },
    options: {
      '--remember <scope>': 'approve later calls too: of the conversation, the agent or the workspace',
      '--pin, --pins <path...>': { text: 'only calls with the same value of this argument', list: true },
      '--until <time>': 'how long it is remembered',
    },
    input: toApproval,
    lines: toDecided,
  }),
  'actions reject <action>': operation('decidePendingAction', {
    description: 'Decline a tool call, or a question.',
    fields: shared,
    input: () => ({ decision: 'reject' }),
    lines: toDecided,
  }),
  'actions answer <action>': operation('decidePendingAction', {
    description: 'Answer a question, or post the result of a tool.',
    fields: {
      ...shared,
      answer: { flags: '--answer <answer>', text: 'a text, or JSON', required: true },
      isError: { flags: '--error', text: 'the answer says that the tool failed' },
    },
    input: toAnswer,
    lines: toDecided,
  }),
  'actions link <action>': operation('linkPendingAction', {
    description: 'Print a link to a page on which a person decides.',
    fields: {
      actingFor: 'the person who gets the link',
      expiresInSeconds: {
        flags: '--hours <number>',
        text: 'how long it is valid (default: 24)',
        parse: (hours) => Math.round(Number(hours) * 3600),
      },
    },
    lines: ({ url }) => url,
  }),
  'actions remembered': operation('listApprovalGrants', {
    description: 'List approvals that hold for later calls.',
    fields: { active: false },
    input: () => ({ active: 'true' }),
    none: 'No approvals are remembered.',
    line: ({ id, tool, target, pins, scope, scopeId, until }) => [
      id,
      `${target ?? tool} ${toOneLine(JSON.stringify(pins), 200)}`,
      `in ${scope === 'workspace' ? 'the workspace' : `${scope} ${scopeId}`}`,
      `until ${until}`,
    ],
  }),
  'actions forget <approval>': operation('revokeApprovalGrant', {
    description: 'Let later calls ask again.',
    fields: { actingFor: 'the person who wants it' },
    lines: ({ target, tool }) => `Calls of ${target ?? tool} ask again.`,
  }),
};

/** The request of an action, on one line. */
function toAsked({
  tool,
  target,
  connections,
  question,
  options,
  server,
  url,
  ...action
}: PendingAction): string {
  const credentials = connections.length === 0 ? '' : ` with the credentials of ${connections.join(', ')}`;
  const call = `${target ?? tool}${credentials} ${toOneLine(JSON.stringify(action.arguments), 200)}`;
  const reasons = toOneLine(action.askedBecause.join('; '), 200);
  if (question === null) return `${call}${reasons === '' ? '' : `  asks because ${reasons}`}`;
  const choices = options ? ` (${options.join(', ')})` : '';
  const asker = server === null ? tool : `${tool} of ${server}`;
  return `${asker} ${JSON.stringify(toOneLine(question + choices, 200))}${url === null ? '' : ` at ${url}`}`;
}

async function toApproval(
  { id, input, options }: Given<RememberOptions>,
  client: HoldfastClient,
): Promise<object> {
  if (options.remember === undefined) return { decision: 'approve' };
  const { toRememberInput } = await import('./grant-commands.ts');
  const called = { ...(await client.pendingActions.get(id)), ...(input as { arguments?: JsonObject }) };
  return { decision: 'approve', remember: toRememberInput(called, options) };
}

async function toAnswer({ id, input }: Given, client: HoldfastClient): Promise<object> {
  const { schema } = await client.pendingActions.get(id);
  const text = String(input['answer']);
  // "42" may be a text; only the question knows.
  return { decision: 'answer', answer: schema?.['type'] === 'string' ? text : parseAnswer(text) };
}

function parseAnswer(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function parseArguments(text: string): JsonObject {
  const parsed = parseJsonObject(text);
  if (parsed) return parsed;
  throw invalid(`--arguments is no JSON object: ${toOneLine(text, 100)}`);
}
