import type { Database } from '../db/connect-database.ts';
import type { FieldError } from '../domain/errors.ts';
import type { JsonObject } from '../domain/json.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';

/** Everything that the use cases of actions need from outside. */
export interface ActionDependencies extends Pick<TurnDependencies, 'notifier' | 'tellDecision' | 'logger'> {
  database: Pick<Database, 'pipelined' | 'transact'>;
  /** Returns the checks of schemas, and of values against them, within the limits of one workspace. */
  checksOf: (workspaceId: string) => {
    checkSchema: (schema: JsonObject, input: JsonObject) => Promise<FieldError[]>;
    findSchemaProblem: (schema: JsonObject) => Promise<string | null>;
  };
}
