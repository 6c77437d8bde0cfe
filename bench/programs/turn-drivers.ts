import type { Client } from '@temporalio/client';
import type { Database } from '../../src/platform/database/connect-database.ts';
import { toTurnWorkflowId } from '../../src/contract/submission.ts';
import type { AgentTurnResult } from '../../src/contract/turn-steps.ts';
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

/** Submits a turn, waits for its end, and returns the id of its workflow. */
export type TurnDriver = (order: TurnOrder) => Promise<string>;

/** The parts of the program that the drivers need. */
export interface DriverParts {
  client: Client;
  database: Database;
  taskQueue: string;
  /** Whether the worker runs in this process, on the connection of the client, and takes the first task at once. */
  startsEagerly: boolean;
}

type DriverOptions = DriverParts & OpenOrder;

/** Creates the drivers: everything that the program that submits a turn does for it is here. */
export function createTurnDriver(options: DriverOptions): TurnDriver {
  const throughEngine = createEngineDriver(options);
  const throughHttp = createHttpDriver(options);
  const raw = createRawDriver(options);
  return (order) => {
    if (order.row.kind === 'raw') return raw(order);
    return order.row.through === 'http' ? throughHttp(order) : throughEngine(order);
  };
}

function createRawDriver({ client, startsEagerly }: DriverOptions): TurnDriver {
  return async ({ tag, row }) => {
    const workflowId = `raw-${tag}`;
    await client.workflow.execute<typeof rawTurn>('rawTurn', {
      workflowId,
      taskQueue: rawTaskQueue,
      workflowRunTimeout: 120_000,
      args: [{ tag, local: row.execution === 'fast' }],
      requestEagerStart: startsEagerly,
    });
    return workflowId;
  };
}

/** Submits a turn of Holdfast without waiting for it. It may wait for a place among those that run. */
export function createTurnStarter(options: DriverOptions): (order: Omit<TurnOrder, 'row'>) => Promise<void> {
  const dependencies = toTurnDependencies(options);
  return async (order) => {
    await submitTurn(dependencies, options.seed, toSubmission(options.seed, order));
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

function createHttpDriver({ origin, seed }: DriverOptions): TurnDriver {
  return async ({ tag, conversationId }) => {
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
    return toTurnWorkflowId(toTurnId(seed.workspaceId, tag));
  };
}

function toMessage(tag: string): string {
  return tag.padEnd(messageCharacters, ' u');
}

function checkOutcome(name: string, outcome: string | undefined): void {
  if (outcome !== 'completed') throw new Error(`turn ${name} ended as ${outcome ?? 'nothing'}`);
}
