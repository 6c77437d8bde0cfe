import type { Agent } from '../../domain/agent.ts';
import { createInvalidInput } from '../../domain/errors.ts';
import { skillToolNames } from '../../domain/skill-tools.ts';

/** @throws HoldfastError `INVALID_INPUT` for an agent with skills that has a tool with the name of one that reads them */
export function refuseSkillToolNames({ tools, skills }: Pick<Agent, 'tools' | 'skills'>): void {
  const taken = tools.find(({ name }) => skillToolNames.includes(name));
  if (!taken || skills.length === 0) return;
  const message = `an agent with skills gets a tool "${taken.name}" for them: give its own tool another name`;
  throw createInvalidInput([{ field: 'skills', message }]);
}
