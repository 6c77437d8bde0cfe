import type { Database } from '../../platform/database/connect-database.ts';
import { createAuditChain, type ChainFault, type ChainReport } from '../../platform/outbox/audit-chain.ts';
import { HoldfastError } from '../../domain/errors.ts';

const faultTexts: Record<ChainFault, string> = {
  changed: 'was changed',
  missing: 'does not follow the event before it: something between them is gone',
  reordered: 'does not follow the event before it: one of them was moved or changed',
  cut_off: 'is gone, and with it all that came after it',
  waiting_changed: 'was changed while it waited for its place in the chain',
  waiting_missing: 'waited for its place in the chain, and something that waited before it is gone',
  waiting_cut_off: 'began a lane of events that wait for their place in the chain, and the end of it is gone',
};

/** The options of `verifyAudit`. */
interface AuditExpectations {
  /** Hashes in hex that were newest once, from a log or an earlier verification. Each must still be in a chain. */
  expected?: string[];
}

/**
 * Verifies the audit chains of all workspaces; returns lines that describe each, and whether all are whole and have the
 * expected hashes.
 * @throws HoldfastError `INVALID_INPUT` for an expected hash that is no SHA-256 in hex
 */
export async function verifyAudit(
  { system }: Pick<Database, 'system'>,
  { expected = [] }: AuditExpectations = {},
) {
  const hashes = expected.map(parseHash);
  const chain = createAuditChain(system);
  const lines: string[] = [];
  let isWhole = true;
  for (const workspaceId of await chain.listWorkspaces()) {
    const report = await chain.verify(workspaceId);
    isWhole &&= report.faults.length === 0;
    lines.push(...describeChain(report));
  }
  if (lines.length === 0) lines.push('There are no audit events.');
  for (const hash of hashes) {
    const place = await chain.findHash(hash);
    isWhole &&= place !== null;
    lines.push(describePlace(hash, place));
  }
  return { isWhole, lines };
}

function parseHash(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const message = `expected a hash of 64 hexadecimal digits, found "${text}". The log has it as "head".`;
  throw new HoldfastError('INVALID_INPUT', message);
}

function describePlace(hash: Buffer, place: { workspaceId: string; seq: number } | null): string {
  const head = hash.toString('hex');
  if (place) return `expected ${head}: event ${place.seq} of workspace ${place.workspaceId}`;
  return `expected ${head}: NOT found: the events up to it were replaced or deleted`;
}

function describeChain({ workspaceId, events, head, faults }: ChainReport): string[] {
  if (faults.length === 0) {
    return [`workspace ${workspaceId}: ${events} events, whole, newest hash ${head ?? 'none'}`];
  }
  return [
    `workspace ${workspaceId}: ${events} events, NOT whole`,
    ...faults.map(({ seq, fault }) => `  event ${seq} ${faultTexts[fault]}`),
  ];
}
