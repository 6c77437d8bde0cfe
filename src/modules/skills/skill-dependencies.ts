import type { Database } from '../../platform/database/connect-database.ts';
import type { FileDependencies } from '../files/file-dependencies.ts';

/** Everything that the use cases of skills need from outside. */
export interface SkillDependencies extends Pick<FileDependencies, 'scanFile'> {
  database: Database;
}
