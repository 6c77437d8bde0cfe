import { mostShownSteps, type RoutineStep } from '../../domain/routine.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';

/** The stored steps of runs of routines. */
export function createRoutineStepAccess(query: Query) {
  return {
    /** The newest steps of a run, in their order. */
    listNewestSteps: async (runId: string): Promise<RoutineStep[]> => {
      const rows = await query(listNewestSteps, { runId, most: mostShownSteps });
      return rows.map(({ step }) => step).reverse();
    },

    /** The steps of a run after the one with a number, in their order. */
    listSteps: async (
      runId: string,
      { after, most }: { after: number; most: number },
    ): Promise<RoutineStep[]> => {
      const rows = await query(listSteps, { runId, after, most });
      return rows.map(({ step }) => step);
    },

    /** Stores steps; a later state of a step replaces the one before. */
    storeSteps: async (runId: string, steps: RoutineStep[]): Promise<void> => {
      if (steps.length > 0) await query(storeSteps, { runId, steps: toStorableJson(steps) });
    },
  };
}

const listNewestSteps = defineStatement<{ runId: string; most: number }, { step: RoutineStep }>(
  'list_newest_routine_steps',
  'SELECT step FROM routine_steps WHERE run_id = :runId ORDER BY number DESC LIMIT :most::int',
);

const listSteps = defineStatement<{ runId: string; after: number; most: number }, { step: RoutineStep }>(
  'list_routine_steps',
  `SELECT step FROM routine_steps WHERE run_id = :runId AND number > :after::int ORDER BY number LIMIT :most::int`,
);

const storeSteps = defineStatement<{ runId: string; steps: string }, unknown>(
  'store_routine_steps',
  `INSERT INTO routine_steps (run_id, number, step)
   SELECT :runId::uuid, (step ->> 'number')::int, step FROM jsonb_array_elements(:steps::jsonb) AS step
   ON CONFLICT (run_id, number) DO UPDATE SET step = excluded.step`,
);
