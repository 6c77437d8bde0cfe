import { HoldfastApiError, type HoldfastClient, type PendingAction } from '../../client/index.ts';
import { describeError } from '../describe-error.ts';
import { toIndented } from '../format.ts';
import type { Terminal } from '../terminal.ts';
import { takeDecision, toHint, type DecisionDesk, type NextLine } from './decision-lines.ts';
import type { LiveInput } from './live-input.ts';
import { toOneLine } from '../../../domain/text.ts';

/** The actions that turns of a chat wait for, which a person decides one after the other. */
export interface AskedActions {
  /** Reads what a turn and the turns below it wait for, and asks about what is new. */
  look: (turnId: string) => Promise<void>;
  /** Takes a typed line as a decision. False when it is none, so that it is a message. */
  take: (line: string) => Promise<boolean>;
}

interface AskedOptions {
  client: HoldfastClient;
  input: Pick<LiveInput, 'terminal' | 'prompt'>;
}

/** Creates the list of actions, which is empty. */
export function createAskedActions({ client, input }: AskedOptions): AskedActions {
  const { terminal, prompt } = input;
  const open: PendingAction[] = [];
  const seen = new Set<string>();
  let next: NextLine | undefined;

  function ask(action: PendingAction): void {
    next = undefined;
    printAction(terminal, action, open.length);
    prompt();
  }

  function askFor(question: string, then: NextLine, text?: string): void {
    terminal.line(terminal.style('dim', question));
    next = then;
    prompt(text);
  }

  async function decide(action: PendingAction, decision: Parameters<DecisionDesk['decide']>[0]) {
    try {
      await client.pendingActions.decide(action.id, decision);
    } catch (error) {
      for (const line of describeError(error)) terminal.line(terminal.style('red', line));
      if (isStillOpen(error)) {
        ask(action);
        return;
      }
    }
    open.splice(open.indexOf(action), 1);
    if (open[0]) ask(open[0]);
  }

  const deskOf = (action: PendingAction): DecisionDesk => ({
    decide: (decision) => decide(action, decision),
    askFor,
    askAgain: () => ask(action),
  });

  return {
    look: async (turnId) => {
      const { items } = await client.pendingActions.list({ turnId });
      const before = open[0]?.id;
      const pending = new Set(items.map(({ id }) => id));
      const kept = open.filter(({ id }) => pending.has(id));
      open.splice(0, open.length, ...kept, ...items.toReversed().filter(({ id }) => !seen.has(id)));
      for (const { id } of items) seen.add(id);
      if (open[0] && open[0].id !== before) ask(open[0]);
    },
    take: async (line) => {
      const [action] = open;
      const further = next;
      next = undefined;
      const taken = further?.(line) ?? (action && takeDecision(deskOf(action), action, line));
      await taken;
      return taken !== undefined;
    },
  };
}

/** A refused input leaves the action open; these errors say that it is decided, or gone. */
function isStillOpen(error: unknown): boolean {
  const code = error instanceof HoldfastApiError ? error.code : '';
  return code !== 'ACTION_DECIDED' && code !== 'NOT_FOUND';
}

function printAction(terminal: Terminal, action: PendingAction, count: number): void {
  for (const line of toQuestion(action)) terminal.line(terminal.style('yellow', line));
  const more = count > 1 ? terminal.style('dim', ` (1 of ${count})`) : '';
  terminal.line(`  ${toHint(action)}${more}`);
}

function toQuestion({
  kind,
  tool,
  target,
  connections,
  question,
  options,
  server,
  url,
  ...action
}: PendingAction): string[] {
  const call = toIndented(JSON.stringify(action.arguments));
  if (kind === 'client_tool') return [`? ${tool} runs in your own program:`, call];
  const credentials = connections.length === 0 ? '' : `, with the credentials of ${connections.join(', ')}`;
  if (kind === 'approval') return [`? May ${target ?? tool} run${credentials}?`, call, ...toReasons(action)];
  return [
    `? ${server === null ? '' : `${server} asks: `}${question ?? ''}`,
    ...(url === null ? [] : [`    ${url}`]),
    ...toFields(action),
    ...(options ?? []).map((option, index) => `    ${index + 1}. ${option}`),
  ];
}

function toReasons({ askedBecause }: Pick<PendingAction, 'askedBecause'>): string[] {
  return askedBecause.map((reason) => `    asks because ${toOneLine(reason, 300)}`);
}

/** The fields of a form, whose answer is typed as JSON. */
function toFields({ schema }: Pick<PendingAction, 'schema'>): string[] {
  const { properties, required } = schema ?? {};
  return properties === undefined ? [] : [toIndented(JSON.stringify({ properties, required }))];
}
