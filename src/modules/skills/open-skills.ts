import type { SkillFile, SkillPin } from '../../domain/skill.ts';
import type { Database } from '../../platform/database/connect-database.ts';
import { createSkillReaderRepository, type SkillReaderRepository } from './skill-reader-repository.ts';

interface ReadingCall {
  workspaceId: string;
  turnId: string;
  toolCallId: string;
}

/** Opens the skills of a workspace for one call of a tool that reads them. */
export function openSkills(
  { transact }: Pick<Database, 'transact'>,
  { workspaceId, turnId, toolCallId }: ReadingCall,
) {
  const within = <Result>(read: (skills: SkillReaderRepository) => Promise<Result>) =>
    transact(workspaceId, (query) => read(createSkillReaderRepository(query)));
  return {
    readInstructions: (skill: SkillPin): Promise<{ body: string; files: SkillFile[] } | null> =>
      within((skills) => skills.findInstructions(skill)),
    readFile: (file: SkillPin & { path: string }): Promise<string | null | undefined> =>
      within((skills) => skills.findText(file)),
    listEarlier: (names: readonly string[]) =>
      within((skills) => skills.listEarlier({ turnId, toolCallId, names })),
  };
}
