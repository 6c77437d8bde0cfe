import { toActorRef, type Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import type { SkillDependencies } from './skill-dependencies.ts';
import { createSkillRepository } from './skill-repository.ts';

/**
 * Deletes a skill with its versions. Turns of older agent versions can still read them for 30 days.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` while the newest version of an agent uses it
 */
export async function deleteSkill(
  { database }: Pick<SkillDependencies, 'database'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (trx) => {
    const skills = createSkillRepository(trx);
    const { name, version } = await skills.lockSkill(id);
    const users = await skills.listUsers(id);
    if (users.length > 0) {
      const names = users.map((agent) => `"${agent.name}"`).join(', ');
      const message = `Agents use the skill "${name}": ${names}. Take it from them first.`;
      throw new HoldfastError('CONFLICT', message, { details: { agentIds: users.map((agent) => agent.id) } });
    }
    await skills.markDeleted(id);
    const by = toActorRef(actor, undefined);
    await createAuditLog(trx).record({
      type: 'skill.deleted',
      subjectId: id,
      payload: { name, version },
      by,
    });
  });
}
