import type { Database } from '../db/connect-database.ts';
import { createAuditChain, type ChainReport } from '../db/audit/audit-chain.ts';

const faultTexts = {
  changed: 'was changed',
  missing: 'does not follow the event before it: something between them is gone',
  reordered: 'does not follow the event before it: one of them was moved or changed',
  cut_off: 'is gone, and with it all that came after it',
};

/** Verifies the audit chains of all workspaces; returns lines that describe each, and whether all are whole. */
export async function verifyAudit({ system }: Pick<Database, 'system'>) {
  const chain = createAuditChain(system);
  const lines: string[] = [];
  let isWhole = true;
  for (const workspaceId of await chain.listWorkspaces()) {
    const report = await chain.verify(workspaceId);
    isWhole &&= report.faults.length === 0;
    lines.push(...describeChain(report));
  }
  return { isWhole, lines: lines.length === 0 ? ['There are no audit events.'] : lines };
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
