import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import type { ActionStatus } from '../../src/domain/action.ts';
import type { ToolCallStatus } from '../../src/domain/turn.ts';
import type { AcceptedTurn } from './accepted-turns.ts';
import { shopTools, type Execution, type ShopArguments, type ShopTool } from './shop.ts';

/** A call that people were asked about, as it is stored. */
export interface StoredApproval {
  actionId: string;
  status: ActionStatus;
  tool: ShopTool;
  arguments: ShopArguments;
  /** The arguments that a person put in place of the others. */
  approvedArguments: ShopArguments | null;
  callStatus: ToolCallStatus;
}

/** A decision to which the API answered 200. */
export interface AcceptedDecision {
  actionId: string;
  status: ActionStatus;
  approvedArguments: ShopArguments | null;
}

interface Evidence {
  /** The marks of the turns. */
  orders: string[];
  approvals: StoredApproval[];
  decisions: AcceptedDecision[];
  executions: Execution[];
}

/** Reads the approvals that turns have asked for. */
export async function readApprovals(databaseUrl: string, turns: AcceptedTurn[]): Promise<StoredApproval[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<StoredApproval>(
      `SELECT a.id AS "actionId", a.status, a.tool, a.arguments, a.approved_arguments AS "approvedArguments",
         c.status AS "callStatus"
       FROM pending_actions a JOIN tool_calls c ON c.id = a.tool_call_id WHERE a.turn_id = ANY($1)`,
      [turns.map(({ id }) => id)],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** Compares decisions with what took effect. Returns what is wrong, in words. */
export function findApprovalProblems({ orders, approvals, decisions, executions }: Evidence): string[] {
  return [
    ...approvals.flatMap((approval) => checkApproval(approval, executions)),
    ...decisions.flatMap((decision) => checkDecision(decision, approvals)),
    ...orders.flatMap((order) => findUnasked(order, approvals, executions)),
  ];
}

function checkApproval(approval: StoredApproval, executions: Execution[]): string[] {
  const { status, tool, callStatus } = approval;
  const { order } = approval.arguments;
  const effects = executions.filter((one) => one.order === order && one.tool === tool);
  const finding = `${tool} of ${order} is ${status}`;
  if (status === 'pending') return [`${finding}, and its call ${callStatus}`];
  if (status !== 'approved') return effects.length > 0 ? [`${finding}, and took effect`] : [];
  const expected = approval.approvedArguments ?? approval.arguments;
  const isOther = effects.some((effect) => !isDeepStrictEqual(effect.arguments, expected));
  const isLeft = effects.length === 0 && callStatus !== 'unknown' && callStatus !== 'failed';
  return [
    ...(isOther ? [`${finding}, and took effect with other arguments`] : []),
    ...(isLeft ? [`${finding}, did not take effect, and its call is ${callStatus}`] : []),
  ];
}

/** A decision that was accepted is the one that is stored. */
function checkDecision(
  { actionId, status, approvedArguments }: AcceptedDecision,
  approvals: StoredApproval[],
): string[] {
  const stored = approvals.find((one) => one.actionId === actionId);
  // It belongs to a turn of the other execution mode.
  if (!stored) return [];
  const isSame = stored.status === status && isDeepStrictEqual(stored.approvedArguments, approvedArguments);
  return isSame ? [] : [`action ${actionId} was ${status} by its answer, and is ${stored.status}`];
}

function findUnasked(order: string, approvals: StoredApproval[], executions: Execution[]): string[] {
  return executions
    .filter((one) => one.order === order && shopTools[one.tool] !== 'read_only')
    .filter(({ tool }) => !approvals.some((one) => one.tool === tool && one.arguments.order === order))
    .map(({ tool }) => `${tool} of ${order} took effect, and nobody was asked`);
}
