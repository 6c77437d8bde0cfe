import type { Knex } from 'knex';
import type { ErrorCode } from '../../domain/errors.ts';
import type {
  ModelChoice,
  ModelFailure,
  ModelState,
  ModelStates,
  WorkspaceModelStates,
} from '../../domain/model-state.ts';

/** As many failures without an answer open a circuit. */
const mostFailures = 5;

/** Failures that lie further apart than this are not counted together, in seconds. */
const windowSeconds = 120;

/** A circuit stays open so long the first time, and twice as long each time after that; in seconds. */
const firstOpenSeconds = 15;
const longestOpenSeconds = 300;

/** One trial is made in this time, in seconds; a trial whose process died is made again after it. */
const trialSeconds = 60;

/** A model with the operator's key is passed over for all workspaces when this many have an open circuit. */
const leastWorkspaces = 2;

/** The holder of the operator's key in a workspace is this with the id of the workspace. */
const operatorPrefix = 'operator/';

/** Default of `maxAgeMs`. */
const staleMs = 2_000;

/** Maximum age of a last failure, in seconds: older states, such as those of unused names, are ignored and removed. */
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
  /** Called with the error when states could not be read or written; calls continue without them. */
  onError: (error: unknown) => void;
  /** Maximum age of the cached circuit-breaker states, in milliseconds. @default 2000 */
  maxAgeMs?: number;
}

/** The row of a circuit breaker: a model with a key, and with the workspace for a key of the operator. */
interface StateRef {
  model: string;
  holder: string;
}

/**
 * Stores circuit breakers in the table `model_states`. It needs `system`, since the operator's keys belong to no workspace.
 * Calls of models that have no other one to answer for them read no state, and answers write none unless the model failed before.
 */
export function createModelStates(system: Knex, options: ModelStateOptions): WorkspaceModelStates {
  const { onError } = options;
  const cache = createStateCache(system, options);

  async function isUnavailable(ref: StateRef): Promise<boolean> {
    const state = await cache.find(ref);
    if (state?.openUntil && state.openUntil.getTime() > Date.now()) return true;
    if (cache.findShared(ref)) return true;
    return state?.openUntil ? !(await takeTrial(system, ref)) : false;
  }

  return (workspaceId): ModelStates => {
    const toRef = ({ model, connectionId }: ModelChoice): StateRef => ({
      model,
      holder: connectionId ?? `${operatorPrefix}${workspaceId}`,
    });
    return {
      isUnavailable: (choice) =>
        isUnavailable(toRef(choice)).catch((error: unknown) => {
          onError(error);
          return false;
        }),

      failed: async (choice, failed) => {
        try {
          const row = await storeFailure(system, toRef(choice), failed);
          cache.add(row);
          if (row.failures === 1) await removeOld(system);
        } catch (failure) {
          onError(failure);
        }
      },

      answered: (choice) => {
        const ref = toRef(choice);
        if (cache.remove(ref)) system('model_states').where(ref).delete().catch(onError);
      },

      list: () => cache.list(`${operatorPrefix}${workspaceId}`),
    };
  };
}

/** Keeps the rows of all circuit breakers for a moment. */
function createStateCache(system: Knex, { maxAgeMs = staleMs }: ModelStateOptions) {
  /** The rows of each model by their holders. */
  let models = new Map<string, Map<string, StateRow>>();
  let readAt = -Infinity;

  function add(row: StateRow): void {
    models.set(row.model, (models.get(row.model) ?? new Map<string, StateRow>()).set(row.holder, row));
  }

  async function read(): Promise<void> {
    const rows = await system<StateRow>('model_states')
      .select(...(['model', 'holder', 'failures', 'open_until', 'error_code', 'failed_at'] as const))
      .whereRaw('failed_at > now() - make_interval(secs => ?)', [keptSeconds]);
    models = new Map();
    for (const row of rows) add(row);
    readAt = performance.now();
  }

  /** The state of a model whose circuit is open in other workspaces; null when too few of their circuits are open. */
  function findShared({ model, holder }: StateRef): ModelState | null {
    if (!isOperator(holder)) return null;
    const openRows = [...(models.get(model)?.values() ?? [])].filter(
      (row) => isOperator(row.holder) && row.holder !== holder && toOpenMs(row) > Date.now(),
    );
    const last = openRows.toSorted((one, other) => toOpenMs(other) - toOpenMs(one))[leastWorkspaces - 1];
    return last ? toState(last) : null;
  }

  return {
    add,
    findShared,
    remove: ({ model, holder }: StateRef): boolean => models.get(model)?.delete(holder) ?? false,

    find: async ({ model, holder }: StateRef): Promise<ModelState | null> => {
      if (performance.now() - readAt > maxAgeMs) await read();
      const row = models.get(model)?.get(holder);
      return row ? toState(row) : null;
    },

    /** Lists the states of all connections, and those that the holder of the operator's key meets. */
    list: async (holder: string): Promise<ModelState[]> => {
      await read();
      return [...models].flatMap(([model, rows]) => {
        const own = rows.get(holder);
        const isOpen = own !== undefined && toOpenMs(own) > Date.now();
        const met = (isOpen ? null : findShared({ model, holder })) ?? (own ? toState(own) : null);
        const others = [...rows.values()].filter((row) => !isOperator(row.holder)).map(toState);
        return met ? [met, ...others] : others;
      });
    },
  };
}

function isOperator(holder: string): boolean {
  return holder.startsWith(operatorPrefix);
}

function toOpenMs({ open_until }: StateRow): number {
  return open_until?.getTime() ?? 0;
}

function toState({ model, holder, failures, open_until, error_code, failed_at }: StateRow): ModelState {
  const connectionId = isOperator(holder) ? null : holder;
  return { model, connectionId, failures, openUntil: open_until, errorCode: error_code, failedAt: failed_at };
}

/** Removes states that are not read any more, when a new one has come. */
async function removeOld(system: Knex): Promise<void> {
  await system('model_states')
    .whereRaw('failed_at <= now() - make_interval(secs => ?)', [keptSeconds])
    .delete();
}

async function takeTrial(system: Knex, ref: StateRef): Promise<boolean> {
  const taken = await system('model_states')
    .where(ref)
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

async function storeFailure(system: Knex, ref: StateRef, { code, waitMs }: ModelFailure): Promise<StateRow> {
  const { rows } = await system.raw<{ rows: [StateRow] }>(failure, {
    ...ref,
    code,
    waitSeconds: waitMs === undefined ? null : waitMs / 1000,
    ...{ most: mostFailures, window: windowSeconds, first: firstOpenSeconds, longest: longestOpenSeconds },
  });
  return rows[0];
}
