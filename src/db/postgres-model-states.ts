import type { Knex } from 'knex';
import type { ErrorCode } from '../domain/errors.ts';
import type { ModelChoice, ModelFailure, ModelState, ModelStates } from '../domain/model-state.ts';

/** As many failures without an answer open a circuit. */
const mostFailures = 5;

/** Failures that lie further apart than this are not counted together, in seconds. */
const windowSeconds = 120;

/** A circuit stays open so long the first time, and twice as long each time after that; in seconds. */
const firstOpenSeconds = 15;
const longestOpenSeconds = 300;

/** One trial is made in this time, in seconds; a trial whose process died is made again after it. */
const trialSeconds = 60;

/** How old the states may be that a call goes by, in milliseconds. */
const staleMs = 2_000;

/** States that are older tell nothing of today, such as those of names that nobody uses; in seconds. */
const keptSeconds = 86_400;

interface StateRow {
  model: string;
  holder: string;
  failures: number;
  open_until: Date | null;
  error_code: ErrorCode;
  failed_at: Date;
}

interface ModelStateOptions {
  /** Told of states that could not be read or written; calls go on without them. */
  onError: (error: unknown) => void;
  /** How old the states may be that a call goes by, in milliseconds. @default 2000 */
  maxAgeMs?: number;
}

/**
 * Stores circuit breakers in the table `model_states`. It needs `system`, since the operator's keys belong to no workspace.
 * Calls of models that have no other one to answer for them read no state, and answers write none unless the model failed before.
 */
export function createModelStates(
  system: Knex,
  { onError, maxAgeMs = staleMs }: ModelStateOptions,
): ModelStates {
  let states = new Map<string, ModelState>();
  let readAt = -Infinity;

  async function readStates(): Promise<void> {
    const rows = await system<StateRow>('model_states')
      .select(...(['model', 'holder', 'failures', 'open_until', 'error_code', 'failed_at'] as const))
      .whereRaw('failed_at > now() - make_interval(secs => ?)', [keptSeconds]);
    states = new Map(rows.map((row) => [toKey(toState(row)), toState(row)]));
    readAt = performance.now();
  }

  async function isAway(choice: ModelChoice): Promise<boolean> {
    if (performance.now() - readAt > maxAgeMs) await readStates();
    const state = states.get(toKey(choice));
    if (!state?.openUntil) return false;
    if (state.openUntil.getTime() > Date.now()) return true;
    return !(await takeTrial(system, choice));
  }

  return {
    isAway: (choice) =>
      isAway(choice).catch((error: unknown) => {
        onError(error);
        return false;
      }),

    failed: async (choice, failed) => {
      try {
        const state = await storeFailure(system, choice, failed);
        states.set(toKey(choice), state);
        if (state.failures === 1) await removeOld(system);
      } catch (failure) {
        onError(failure);
      }
    },

    answered: (choice) => {
      if (!states.delete(toKey(choice))) return;
      system('model_states').where(toPlace(choice)).delete().catch(onError);
    },

    list: async () => {
      await readStates();
      return [...states.values()];
    },
  };
}

function toKey({ model, connectionId }: ModelChoice): string {
  return `${connectionId ?? 'operator'} ${model}`;
}

function toPlace({ model, connectionId }: ModelChoice) {
  return { model, holder: connectionId ?? 'operator' };
}

function toState({ model, holder, failures, open_until, error_code, failed_at }: StateRow): ModelState {
  const connectionId = holder === 'operator' ? null : holder;
  return { model, connectionId, failures, openUntil: open_until, errorCode: error_code, failedAt: failed_at };
}

/** Removes states that are not read any more, when a new one has come. */
async function removeOld(system: Knex): Promise<void> {
  await system('model_states')
    .whereRaw('failed_at <= now() - make_interval(secs => ?)', [keptSeconds])
    .delete();
}

async function takeTrial(system: Knex, choice: ModelChoice): Promise<boolean> {
  const taken = await system('model_states')
    .where(toPlace(choice))
    .whereRaw('open_until <= now() AND (probed_at IS NULL OR probed_at < now() - make_interval(secs => ?))', [
      trialSeconds,
    ])
    .update({ probed_at: system.fn.now() });
  return taken > 0;
}

/**
 * A circuit that was opened and has seen no answer since opens again with the next failure, for twice the time. Failures while
 * it is open are of calls that began before, and count once together. A time that the vendor names holds as it is.
 */
const failure = `
INSERT INTO model_states AS s (model, holder, failures, openings, open_until, error_code, failed_at)
VALUES (:model, :holder, 1, 0,
  CASE WHEN :waitSeconds::float IS NOT NULL THEN now() + make_interval(secs => least(:waitSeconds::float, :longest)) END,
  :code, now())
ON CONFLICT (model, holder) DO UPDATE SET
  (failures, openings, open_until) = (
    SELECT known.failures, s.openings + (decided.opens AND known.until IS NULL)::int,
      CASE WHEN known.is_open THEN greatest(s.open_until, known.until) WHEN decided.opens
        THEN coalesce(known.until, now() + make_interval(secs => least(:longest, :first * 2 ^ least(s.openings, 10)))) END
    FROM (SELECT CASE WHEN s.openings = 0 AND s.failed_at < now() - make_interval(secs => :window)
        THEN 1 ELSE s.failures + 1 END AS failures, coalesce(s.open_until > now(), false) AS is_open,
        now() + CASE WHEN :waitSeconds::float IS NOT NULL THEN make_interval(secs => least(:waitSeconds::float, :longest)) END
        AS until) AS known,
      LATERAL (SELECT NOT known.is_open AND (known.until IS NOT NULL OR s.openings > 0 OR known.failures >= :most) AS opens
      ) AS decided),
  probed_at = NULL, error_code = excluded.error_code, failed_at = now()
RETURNING model, holder, failures, open_until, error_code, failed_at`;

async function storeFailure(
  system: Knex,
  choice: ModelChoice,
  { code, waitMs }: ModelFailure,
): Promise<ModelState> {
  const { rows } = await system.raw<{ rows: [StateRow] }>(failure, {
    ...toPlace(choice),
    code,
    waitSeconds: waitMs === undefined ? null : waitMs / 1000,
    ...{ most: mostFailures, window: windowSeconds, first: firstOpenSeconds, longest: longestOpenSeconds },
  });
  return toState(rows[0]);
}
