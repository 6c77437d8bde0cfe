import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** The revisions of the protocol that the suite has requirements for. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

/** A scenario of the suite for clients, run at one revision of the protocol. */
export interface Scenario {
  name: string;
  revision: Revision;
  /** Whether the revision requires it; the others are extensions and later additions. */
  isRequired: boolean;
}

/** The folder of the suite. */
export const suite = path.join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance');

const requirementsSchema = z.object({
  client: z.array(z.string()),
  not_scored: z.array(z.object({ scenario: z.string(), leg: z.enum(['client', 'server']) })),
});

/** Lists the scenarios for clients of a revision, from the requirements that the suite ships. */
export function listScenarios(revision: Revision): Scenario[] {
  const file = path.join(suite, 'requirements', `${revision}.yaml`);
  const { client, not_scored: notScored } = requirementsSchema.parse(parse(readFileSync(file, 'utf8')));
  const others = notScored.filter(({ leg }) => leg === 'client').map(({ scenario }) => scenario);
  return [
    ...client.map((name) => ({ name, revision, isRequired: true })),
    ...others.map((name) => ({ name, revision, isRequired: false })),
  ];
}
