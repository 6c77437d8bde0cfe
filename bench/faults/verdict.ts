import pg from 'pg';
import type { ExecutionMode } from '../../src/domain/agent.ts';
import type { ToolCallStatus } from '../../src/domain/turn.ts';
import { quantile } from '../statistics.ts';
import type { AcceptedTurn, Load } from './accepted-turns.ts';
import { shopTools, type Execution, type ShopTool } from './shop.ts';

/** The counts of turns and tool calls of one scenario in one execution mode. */
export interface Verdict {
  accepted: number;
  settled: number;
  completed: number;
  /** Accepted turns that are not settled. */
  lost: number;
  /** Tool calls that took effect more often than they may. */
  doubled: number;
  /** Tool calls whose stored status contradicts what happened. */
  wronglyTold: number;
  /** Tool calls whose outcome is unknown and whose status is `unknown`. */
  unknown: number;
  /** Promises of models, approvals, messages, routines and swarms that were broken. */
  broken: number;
  /** From a fault to the settling of the turns that it hit, in milliseconds; null when it hit none. */
  p50: number | null;
  p99: number | null;
  /** The first few problems, for the reader. */
  problems: string[];
}

interface LedgerRow {
  order: string;
  name: ShopTool;
  status: ToolCallStatus;
  attempts?: number;
  /** The message of the error with which the call ended. */
  message?: string | null;
}

interface Evidence {
  turns: AcceptedTurn[];
  executions: Execution[];
  /** The times of the faults, in epoch milliseconds. */
  faults: number[];
  /** Checks what the load alone promises. */
  check: Load['check'];
  /** Whether the tools answer every call, so that only a call without a key may have an unknown outcome. */
  toolsAnswer: boolean;
}

/** Compares the ledger with what the tools have recorded, for the turns of one execution mode. */
export async function judge(databaseUrl: string, evidence: Evidence, mode: ExecutionMode): Promise<Verdict> {
  const turns = evidence.turns.filter(({ execution }) => execution === mode);
  const { calls, outcomes } = await readTurns(databaseUrl, turns);
  const problems = calls.flatMap((call) => findProblems(call, evidence));
  const settled = turns.filter(({ id }) => outcomes.get(id)?.settled);
  const broken = (await evidence.check?.(turns)) ?? [];
  const delays = toDelays(turns, evidence.faults);
  const lost = turns.filter((turn) => !settled.includes(turn));
  return {
    accepted: turns.length,
    settled: settled.length,
    completed: turns.filter(({ id }) => isCompleted(outcomes.get(id)?.status)).length,
    lost: lost.length,
    doubled: problems.filter(({ kind }) => kind === 'doubled').length,
    wronglyTold: problems.filter(({ kind }) => kind === 'told').length,
    unknown: calls.filter(({ status }) => status === 'unknown').length,
    broken: broken.length,
    p50: delays.length === 0 ? null : quantile(delays, 0.5),
    p99: delays.length === 0 ? null : quantile(delays, 0.99),
    problems: [
      ...lost.map(({ id }) => `turn ${id} is ${outcomes.get(id)?.status ?? 'gone'}`),
      ...problems.map(({ text }) => text),
      ...broken,
      ...turns.flatMap(({ id }) => outcomes.get(id)?.failure ?? []),
    ].slice(0, 10),
  };
}

async function readTurns(databaseUrl: string, turns: AcceptedTurn[]) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const ids = [turns.map(({ id }) => id)];
    const { rows } = await client.query<{
      id: string;
      status: string;
      settled: boolean;
      message: string | null;
    }>(
      `SELECT id, status, settled_at IS NOT NULL AS settled, error ->> 'message' AS message FROM turns WHERE id = ANY($1)
       UNION ALL SELECT id, status, settled_at IS NOT NULL, reason FROM swarms WHERE id = ANY($1)`,
      ids,
    );
    const { rows: calls } = await client.query<LedgerRow>(
      `SELECT c.arguments ->> 'order' AS order, c.name, c.status, c.attempts, c.error ->> 'message' AS message
       FROM tool_calls c JOIN turns t ON t.id = c.turn_id
       WHERE (t.id = ANY($1) OR t.swarm_id = ANY($1)) AND c.name = ANY($2)`,
      [...ids, Object.keys(shopTools)],
    );
    const toOutcome = ({ status, settled, message }: (typeof rows)[number]) => ({
      ...{ status, settled },
      failure: isAnswered(status) ? [] : [`a turn is ${status}: ${message ?? ''}`],
    });
    return { calls, outcomes: new Map(rows.map((row) => [row.id, toOutcome(row)])) };
  } finally {
    await client.end();
  }
}

/** A turn that was steered in every round may end at its limit, with an answer. */
function isAnswered(status: string): boolean {
  return isCompleted(status) || status === 'iteration_limit';
}

/** The message of a steered turn is answered by the turn that took it. */
function isCompleted(status: string | undefined): boolean {
  return status === 'completed' || status === 'steered';
}

interface Problem {
  kind: 'doubled' | 'told';
  text: string;
}

/** Finds what is wrong with a call: its effects, or what the ledger says about them. */
export function findProblems(
  { order, name, status, attempts = 1, message }: LedgerRow,
  { executions, toolsAnswer }: Pick<Evidence, 'executions' | 'toolsAnswer'>,
): Problem[] {
  const effects = executions.filter((one) => one.order === order && one.tool === name).length;
  const why = message ? `: ${message}` : '';
  const text = `${name} of ${order} is ${status} after ${attempts} attempts, and took effect ${effects} times${why}`;
  const isReadOnly = shopTools[name] === 'read_only';
  const isWrong =
    status === 'requested' ||
    status === 'started' ||
    (status === 'succeeded' && effects === 0) ||
    (toolsAnswer && status !== 'succeeded' && (status !== 'unknown' || shopTools[name] !== 'unsafe')) ||
    (['failed', 'blocked', 'skipped'].includes(status) && effects > 0 && !isReadOnly);
  return [
    ...(effects > 1 && !isReadOnly ? [{ kind: 'doubled' as const, text }] : []),
    ...(isWrong ? [{ kind: 'told' as const, text }] : []),
  ];
}

/** The time of each turn from the first fault that it met to its end. */
function toDelays(turns: AcceptedTurn[], faults: number[]): number[] {
  return turns.flatMap(({ acceptedAt, settledAt }) => {
    if (settledAt === undefined) return [];
    const fault = faults.find((at) => at >= acceptedAt && at < settledAt);
    return fault === undefined ? [] : [settledAt - fault];
  });
}
