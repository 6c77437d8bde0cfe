import type { Knex } from 'knex';
import { createConnectionRepository } from '../connections/connection-repository.ts';
import type { AgentVersion } from '../../domain/agent.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import { withSkillTools } from '../../domain/skill-tools.ts';
import { keepForLater, type Rules } from '../../domain/rules.ts';
import {
  findUnmatchedRules,
  listReferences,
  type UnmatchedRule,
} from '../../engines/tools/unmatched-rules.ts';

/** The parts of an agent that say which of its rules match a tool. */
export type RuledAgent = Pick<AgentVersion, 'rules' | 'tools' | 'connectors' | 'skills'>;

/** Lists the rules that match no tool. The names of connections are read only when a rule is left that may name one. */
export async function listUnmatchedRules(trx: Knex, agent: RuledAgent): Promise<UnmatchedRule[]> {
  const version = withSkillTools(agent);
  const unmatched = findUnmatchedRules(version.rules, version);
  if (unmatched.length === 0) return [];
  const connections = await createConnectionRepository(trx).listNamed(listReferences(version));
  return findUnmatchedRules(version.rules, version, connections);
}

interface RefuseOptions {
  /** Returns the name of a field as the caller knows it; undefined for a field that the caller has not given. */
  toField?: (field: string) => string | undefined;
}

/** @throws HoldfastError `INVALID_INPUT` for rules that match no tool of the agent and are not marked as for later */
export async function refuseUnmatchedRules(
  trx: Knex,
  agent: RuledAgent,
  { toField = (field) => field }: RefuseOptions = {},
): Promise<void> {
  const marked = new Set(agent.rules.forLater);
  const refused = (await listUnmatchedRules(trx, agent)).flatMap((rule) => {
    const field = marked.has(rule.name) ? undefined : toField(rule.field);
    const message = `the agent has no tool "${rule.name}": name it in forLater (or for_later) to keep this rule for a tool that comes later`;
    return field === undefined ? [] : [{ field, message }];
  });
  if (refused.length > 0) throw createInvalidInput(refused.slice(0, 50));
}

/** Returns the rules of an agent whose tools change, with those marked as for later that match none of the new tools. */
export async function toRulesForLater(trx: Knex, agent: RuledAgent): Promise<Rules> {
  const unmatched = await listUnmatchedRules(trx, agent);
  return keepForLater(
    agent.rules,
    unmatched.map(({ name }) => name),
  );
}
