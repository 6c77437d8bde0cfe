import pg from 'pg';
import { HoldfastError } from '../../domain/errors.ts';
import { toStorableText } from '../../domain/storable.ts';
import { toConnectError } from './connect-error.ts';
import { toConnectionOptions, type SessionTimeouts } from './pool-options.ts';
import { toSettings } from './row-settings.ts';
import type { RowScope } from '../../domain/row-scope.ts';
import { defineStatement, type Query, type Statement } from './statement.ts';

/** Runs prepared statements. `pipelined` and `transact` use one transaction, which sees the rows of its scope only. */
export interface Transactions {
  /**
   * Sends all statements of `run` with their transaction in one round trip. `run` has to call all its queries before
   * it awaits any of them. When it throws before it awaits, nothing is stored; what it throws later comes after the
   * transaction was committed.
   */
  pipelined: <Result>(scope: RowScope, run: (query: Query) => Promise<Result>) => Promise<Result>;
  /** Runs statements that depend on each other. */
  transact: <Result>(scope: RowScope, run: (query: Query) => Promise<Result>) => Promise<Result>;
  /** Sends notifications in one statement, outside of a workspace. */
  notify: (notifications: readonly Notification[]) => Promise<void>;
}

/** A channel and what is sent to its listeners. */
export type Notification = [channel: string, payload: string];

/** Notifications as the values of {@link selectNotifications}. */
export interface NotificationValues {
  channels: string[];
  payloads: string[];
}

export function toNotificationValues(notifications: readonly Notification[]): NotificationValues {
  return {
    channels: notifications.map(([channel]) => channel),
    payloads: notifications.map(([, payload]) => payload),
  };
}

/** A query that sends notifications, by itself or as the last part of a statement. */
export const selectNotifications = `SELECT pg_notify(channel, payload)
  FROM unnest(:channels::text[], :payloads::text[]) AS sent (channel, payload)`;

const notify = defineStatement<NotificationValues, unknown>('notify', selectNotifications);

/**
 * Sets how sessions plan their prepared statements: once, whatever the values, and by indexes. Plans that were made while
 * tables were small stay until statistics are collected; with sequential scans they would become slower with each turn.
 * Postgres would also compile each statement that it takes for expensive, and none runs long enough for that.
 */
export const plannerSettings =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off';

/** How a pool is opened. */
export interface TransactionOptions {
  /** The role of the sessions. `holdfast_system` sees the rows of every workspace, and is for `single` only. */
  role: 'holdfast_app' | 'holdfast_system';
  url: string;
  poolSize: number;
  timeouts: SessionTimeouts;
  /** Postgres shows the sessions under this name. */
  name: string;
  /** Commands with which each session begins. @default none */
  prepare?: string;
}

/** Opens a pool whose sessions are pipelined. `single` runs one prepared statement, without its own transaction. */
export function openTransactions({
  role,
  url,
  poolSize,
  timeouts,
  name,
  prepare = '',
}: TransactionOptions): Transactions & { single: Query; close: () => Promise<void> } {
  const options = {
    ...toConnectionOptions(url, timeouts),
    application_name: name,
    max: poolSize,
    // A new session has to take its role and to prepare its statements again.
    idleTimeoutMillis: 60_000,
    pipeline: true,
    // The pool awaits this, and does not use a client that cannot take the role.
    onConnect: async (client: pg.ClientBase) => {
      // The pool handles errors of idle clients only; an unhandled error of a client in use would end the process.
      client.on('error', () => undefined);
      await client.query(`SET ROLE ${role}; ${plannerSettings}; ${prepare}`);
    },
  };
  const pool = new pg.Pool(options);
  // The pool replaces an idle client that broke.
  pool.on('error', () => undefined);

  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw toConnectError(error);
    });
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // Discards the client after an error of the database, such as a cached plan that no longer fits its tables.
      client.release(failure !== undefined && !(failure instanceof HoldfastError));
    }
  }

  const single: Query = (statement, values) =>
    retryStalePlans(poolSize, () => withClient((client) => execute(client, statement, values)));

  return {
    single,
    pipelined: (scope, run) =>
      retryStalePlans(poolSize, () => withClient((client) => sendPipelined(client, scope, run))),
    transact: (scope, run) =>
      retryStalePlans(poolSize, () => withClient((client) => sendInTurn(client, scope, run))),
    notify: async (notifications) => {
      await single(notify, toNotificationValues(notifications));
    },
    close: () => pool.end(),
  };
}

/**
 * Runs a unit of work again when a prepared statement answers with columns that a migration has changed since. The
 * transaction was rolled back and its client closed; the other clients of the pool may have stale plans too.
 */
async function retryStalePlans<Result>(poolSize: number, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt > poolSize || !isStalePlan(error)) throw error;
    }
  }
}

/** Compares the message too, since the code `0A000` stands for any feature that is not supported. */
function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.message.startsWith('cached plan must not change')
  );
}

async function sendPipelined<Result>(
  client: pg.PoolClient,
  rows: RowScope,
  run: (query: Query) => Promise<Result>,
) {
  const state = { sent: false, refused: false };
  const { begun, send } = begin(client, rows);
  const { execute, commit, toCause } = watchStatements(client);
  const result = callNow(() =>
    run((statement, values) => {
      if (state.sent) throw new Error(`${statement.name} came after its transaction was sent`);
      return execute(statement, values);
    }),
  );
  state.sent = true;
  result.catch(() => (state.refused = true));
  // After one turn of the microtask queue, `state.refused` is set when the function has thrown already.
  await Promise.resolve();
  // COMMIT can always be sent: after a failed statement Postgres rolls back instead.
  const ended = state.refused ? client.query('ROLLBACK') : commit();
  send();
  const settled = await Promise.allSettled([begun, result, ended]);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw toCause(failed.reason);
  return result;
}

/** Calls a function that may throw instead of returning a promise. */
function callNow<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error), { cause: error }));
  }
}

async function sendInTurn<Result>(
  client: pg.PoolClient,
  rows: RowScope,
  run: (query: Query) => Promise<Result>,
) {
  const { begun, send } = begin(client, rows);
  const { execute, commit, toCause } = watchStatements(client);
  const result = callNow(() => run(execute));
  send();
  try {
    await Promise.all([begun, result]);
    await commit();
    return await result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw toCause(error);
  }
}

/**
 * Commits, and then waits for the disk: a message in the log of Postgres, which is written in order, has a separate commit. A
 * crash in between ends the session, so the sender does not take the transaction for stored.
 */
const commitAndFlush = `COMMIT; SELECT pg_logical_emit_message(true, 'holdfast', '')`;

interface WatchedStatements {
  execute: Query;
  commit: () => Promise<unknown>;
  toCause: (error: unknown) => unknown;
}

/**
 * Executes the statements of a transaction and remembers the first that failed. All later ones fail with
 * `in_failed_sql_transaction`, and their error may reach the caller first; `toCause` puts the first one in its place.
 */
function watchStatements(client: pg.PoolClient): WatchedStatements {
  let first: unknown;
  let isFlushed = false;
  return {
    execute: (statement, values) => {
      isFlushed ||= statement.isFlushed ?? false;
      return execute(client, statement, values).catch((error: unknown) => {
        first ??= error;
        throw error;
      });
    },
    commit: () => client.query(isFlushed ? commitAndFlush : 'COMMIT'),
    toCause: (error) =>
      error instanceof pg.DatabaseError && error.code === '25P02' ? (first ?? error) : error,
  };
}

/**
 * Begins a transaction and holds back everything that is written to the client until `send` is called, so that it is one
 * write to the socket. The settings are written into the SQL, since a query with parameters cannot hold several commands.
 */
function begin(client: pg.PoolClient, rows: RowScope): { begun: Promise<unknown>; send: () => void } {
  const settings = Object.entries(toSettings(rows)).map(
    ([name, value]) => `; SET LOCAL ${name} = ${pg.escapeLiteral(value)}`,
  );
  const { stream } = (client as unknown as pg.Client).connection;
  stream.cork();
  const begun = client.query(`BEGIN${settings.join('')}`);
  return { begun, send: () => stream.uncork() };
}

async function execute<Values extends object, Row>(
  client: pg.PoolClient,
  { name, text, parameters }: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  const bindings = parameters.map((parameter) => toStorable(values[parameter]));
  const { rows } = await client.query({ name, text, values: bindings });
  return rows as Row[];
}

/**
 * Replaces NUL characters and halves of surrogate pairs, which models, tools and servers write and Postgres refuses.
 */
function toStorable(value: unknown): unknown {
  return typeof value === 'string' ? toStorableText(value) : value;
}
