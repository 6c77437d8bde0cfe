import type { Knex } from 'knex';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { Skill, SkillImport, SkillVersionDetails } from '../../domain/skill.ts';
import { newId } from '../../platform/lib/ids.ts';
import { createAuditLog } from '../../platform/outbox/audit-log.ts';
import { scanBytes } from '../files/scan-bytes.ts';
import { readSkillArchive, readSkillFiles, type ReadSkill } from './reading/read-skill.ts';
import type { SkillDependencies } from './skill-dependencies.ts';
import { createSkillRepository } from './skill-repository.ts';

/** The maximum number of skills of a workspace. */
const mostSkills = 1000;

interface ImportRun {
  /** The bytes of an archive, or files. */
  source: { bytes: Uint8Array } | SkillImport;
  /** Ends the virus scan of the files, which are then not stored. */
  signal: AbortSignal;
}

/** The result of an import. */
export interface ImportedSkill {
  skill: Skill;
  version: SkillVersionDetails;
  /** False when a version with the same files was there already. */
  isNew: boolean;
}

/**
 * Stores a skill, or the next version of the skill that has its name. Files that a version of it has already make no new one.
 * With a virus scanner each file is scanned before.
 * @throws HoldfastError `INVALID_INPUT` with the path of the file that is wrong; `CONFLICT` when the workspace has 1000 skills;
 * `FILE_REFUSED` by the virus scan, or `SERVICE_UNAVAILABLE` without its verdict
 */
export async function importSkill(
  dependencies: SkillDependencies,
  actor: Actor,
  { source, signal }: ImportRun,
): Promise<ImportedSkill> {
  const read = 'bytes' in source ? readSkillArchive(Buffer.from(source.bytes)) : readSkillFiles(source);
  const { workspaceId } = actor;
  if (dependencies.scanFile) await scanFiles(dependencies, workspaceId, { files: read.files, signal });
  return dependencies.database.inWorkspace(workspaceId, (trx) => store(trx, actor, read));
}

/** Scans files outside the transaction that stores them, since a scan can take minutes. */
async function scanFiles(
  dependencies: SkillDependencies,
  workspaceId: string,
  { files, signal }: Pick<ReadSkill, 'files'> & Pick<ImportRun, 'signal'>,
): Promise<void> {
  for (const { path: name, content: bytes } of files)
    await scanBytes(dependencies, { workspaceId, id: newId() }, { name, bytes, signal });
}

async function store(trx: Knex, actor: Actor, skill: ReadSkill): Promise<ImportedSkill> {
  const skills = createSkillRepository(trx);
  const { name, digest, bytes, files } = skill;
  const found = await skills.lockName(name);
  const known = found && (await skills.findDigest(found.id, digest));
  if (!found && (await skills.countSkills()) >= mostSkills)
    throw new HoldfastError('CONFLICT', `A workspace has at most ${mostSkills} skills. Delete one first.`);
  const skillId = found?.id ?? newId();
  const version = known ?? (found?.version ?? 0) + 1;
  if (known === null) {
    const createdBy = toActorRef(actor, undefined);
    await skills.addVersion({ skillId, version, skill, createdBy });
    const payload = { name, version, digest, files: files.length, bytes };
    await createAuditLog(trx).record({ type: 'skill.imported', subjectId: skillId, payload, by: createdBy });
  }
  return {
    skill: await skills.getSkill(skillId),
    version: await skills.getVersion({ skillId, version }),
    isNew: known === null,
  };
}
