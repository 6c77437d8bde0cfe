import type { Knex } from 'knex';
import type { Actor } from '../../domain/actor.ts';
import { authorize } from '../../domain/authorize.ts';
import { createInvalidInput, type FieldError } from '../../domain/errors.ts';
import { mostDescribed, type PinnedSkill, type SkillPin } from '../../domain/skill.ts';
import { createSkillRepository } from './skill-repository.ts';

/**
 * Finds the versions of skills that an agent is given, in the order of `pins`.
 * @throws HoldfastError `INVALID_INPUT` with every pin that cannot be used; `FORBIDDEN` for a caller who may not read skills
 */
export async function pinSkills(
  trx: Knex,
  actor: Pick<Actor, 'scopes'>,
  pins: readonly SkillPin[],
): Promise<PinnedSkill[]> {
  if (pins.length === 0) return [];
  authorize(actor, 'skills.use', 'the skills of an agent');
  const known = await createSkillRepository(trx).listPinned([...pins]);
  const found = pins.map((pin) =>
    known.find((one) => one.skillId === pin.skillId && one.version === pin.version),
  );
  const errors: FieldError[] = [];
  for (const [index, { skillId, version }] of pins.entries()) {
    const field = `skills.${index}`;
    if (!found[index])
      errors.push({ field, message: `there is no version ${version} of a skill ${skillId}` });
    else if (pins.findIndex((pin) => pin.skillId === skillId) < index)
      errors.push({ field, message: `expected each skill once, found ${skillId} again` });
  }
  const pinned = found.flatMap((one) => one ?? []);
  const characters = pinned.reduce((sum, { name, description }) => sum + name.length + description.length, 0);
  if (characters > mostDescribed)
    errors.push({
      field: 'skills',
      message: `expected at most ${mostDescribed} characters of names and descriptions, found ${characters}`,
    });
  if (errors.length > 0) throw createInvalidInput(errors);
  return pinned;
}
