import type { Client } from '@temporalio/client';
import type { Database } from '../../src/platform/database/connect-database.ts';
import { toTurnWorkflowId } from '../../src/contract/submission.ts';
import type { AgentTurnInput, AgentTurnResult } from '../../src/contract/turn-steps.ts';
import { toTurnId } from '../../src/platform/lib/ids.ts';
import { createTurnEngine } from '../../src/modules/turns/turn-engine.ts';
import { storeTurn, submitTurn } from '../../src/modules/turns/submit-turn.ts';
import { schemaChecksOf } from '../../src/engines/tools/json-schema/schema-checks.ts';
import type { rawTurn } from '../raw/workflows.ts';
import type { BenchRow } from '../rows.ts';
import { messageCharacters, rawTaskQueue, type OpenOrder, type Seed } from './contract.ts';

/** One turn to run: its tag is unique, and the start of its message. */
export interface TurnOrder {
  tag: string;
  row: BenchRow;
  conversationId: string;
}

/** Submits a turn, waits for its end, and returns the id of its workflow, or null when it had none. */
export type TurnDriver = (order: TurnOrder) => Promise<string | null>;

/** The parts of the program that the drivers need. */
export interface DriverParts {
  client: Client;
  database: Database;
  taskQueue: string;
  /** Whether the worker runs in this process, on the connection of the client, and takes the first task at once. */
  startsEagerly: boolean;
  /** Starts turns without a workflow in this process. @default such turns cannot be submitted from this process */
  direct?: {
    startTurn: (input: AgentTurnInput) => Promise<void>;
    /** Calls back when a turn is over; the returned function ends that. */
    onEnd: (turnId: string, ended: () => void) => () => void;
  };
}

type DriverOptions = DriverParts & OpenOrder;

/** Creates the drivers: everything that the program that submits a turn does for it is here. */
export function createTurnDriver(options: DriverOptions): TurnDriver {
  const throughEngine = createEngineDriver(options);
  const direct = createDirectDriver(options);
  const throughHttp = createHttpDriver(options);
  const raw = createRawDriver(options);
  return (order) => {
    if (order.row.kind === 'raw') return raw(order);
    if (order.row.through === 'http') return throughHttp(order);
    const { execution, through } = order.row;
    return execution === 'direct' && through === 'worker' ? direct(order) : throughEngine(order);
  };
}

function createRawDriver({ client, startsEagerly }: DriverOptions): TurnDriver {
  return async ({ tag, row }) => {
    const workflowId = `raw-${tag}`;
    await client.workflow.execute<typeof rawTurn>('rawTurn', {
      workflowId,
      taskQueue: rawTaskQueue,
      workflowRunTimeout: 120_000,
      args: [{ tag, local: row.execution === 'direct' }],
      requestEagerStart: startsEagerly,
    });
    return workflowId;
  };
}

function toTurnDependencies(options: DriverOptions) {
  // These turns have no readers to wake up.
  const notifier = { events: () => undefined, stop: () => undefined, steerNow: () => undefined };
  const silent = { warn: () => undefined, debug: () => undefined };
  const parts = { database: options.database, notifier, logger: silent, checksOf: schemaChecksOf };
  return { ...parts, ...createTurnEngine(options) };
}

function toSubmission({ workspaceId }: Seed, { tag, conversationId }: Omit<TurnOrder, 'row'>) {
  const input = { message: toMessage(tag), onBusy: 'reject' as const };
  return { turnId: toTurnId(workspaceId, tag), conversationId, input };
}

/** Submits a turn as an API handler does: stores it, starts its workflow, and then waits for its result. */
function createEngineDriver(options: DriverOptions): TurnDriver {
  const { client, seed } = options;
  const dependencies = toTurnDependencies(options);
  return async (order) => {
    const submission = toSubmission(seed, order);
    const { turnId } = submission;
    const { start } = await storeTurn(dependencies, seed, submission);
    if (!start) throw new Error(`turn ${turnId} was not to be started`);
    await dependencies.startTurn(start);
    const workflowId = toTurnWorkflowId(turnId);
    const result = (await client.workflow.getHandle(workflowId).result()) as AgentTurnResult;
    checkOutcome(turnId, result.outcome);
    return workflowId;
  };
}

/** Submits a turn that runs in this process, and waits until its end is announced. */
function createDirectDriver(options: DriverOptions): TurnDriver {
  const { direct, database, seed } = options;
  return async (order) => {
    if (!direct) throw new Error('this process runs no turns');
    const dependencies = { ...toTurnDependencies(options), startTurn: direct.startTurn };
    const submission = toSubmission(seed, order);
    const { turnId } = submission;
    const { promise: ended, resolve } = Promise.withResolvers<undefined>();
    const close = direct.onEnd(turnId, () => resolve(undefined));
    await submitTurn(dependencies, seed, submission);
    await ended;
    close();
    const turn = await database.system('turns').where({ id: turnId }).first<{ status: string }>('status');
    checkOutcome(turnId, turn.status);
    return null;
  };
}

function createHttpDriver({ origin, seed }: DriverOptions): TurnDriver {
  return async ({ tag, row, conversationId }) => {
    const response = await fetch(`${origin}/api/conversations/${conversationId}/turns?wait=true`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${seed.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': tag,
      },
      body: JSON.stringify({ message: toMessage(tag) }),
    });
    const body = (await response.json()) as { data?: { turn?: { outcome?: string } }; error?: unknown };
    if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(body.error)}`);
    checkOutcome(tag, body.data?.turn?.outcome);
    return row.execution === 'direct' ? null : toTurnWorkflowId(toTurnId(seed.workspaceId, tag));
  };
}

function toMessage(tag: string): string {
  return tag.padEnd(messageCharacters, ' u');
}

function checkOutcome(name: string, outcome: string | undefined): void {
  if (outcome !== 'completed') throw new Error(`turn ${name} ended as ${outcome ?? 'nothing'}`);
}
