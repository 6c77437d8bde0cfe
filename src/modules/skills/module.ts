import type { Database } from '../../platform/database/connect-database.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import {
  skillFileContentSchema,
  skillSchema,
  skillVersionDetailsSchema,
  skillVersionSchema,
} from '../../domain/skill.ts';
import { createSkillRemovalRepository } from './skill-removal-repository.ts';
import { skillRoutes } from './skill-routes.ts';
import { sweepDeletedSkills } from './skill-sweep.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'skill.imported': true;
    'skill.deleted': true;
  }
}

/** The parts of a worker that the module uses. */
export interface WorkerParts {
  database: Database;
}

/** The module of skills. */
export const skills = defineModule({
  name: 'skills',
  routes: [...skillRoutes],
  schemas: {
    Skill: skillSchema,
    SkillVersion: skillVersionSchema,
    SkillVersionDetails: skillVersionDetailsSchema,
    SkillFile: skillFileContentSchema,
  },
  tables: [
    { name: 'skill_files', most: 50, key: ['skill_id', 'version', 'path'] },
    { name: 'skill_versions', most: 200, key: ['skill_id', 'version'] },
    { name: 'skills', most: 500 },
  ],
  worker: ({ database }: WorkerParts) => ({
    sweeps: [
      {
        name: 'deleted skills',
        sweep: (run) => sweepDeletedSkills(createSkillRemovalRepository(database.system), run),
      },
    ],
  }),
});
