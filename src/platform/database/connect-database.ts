import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import { prepareChunkSession } from './announced-chunks.ts';
import { toConnectionOptions, type SessionTimeouts } from './pool-options.ts';
import { toSettings } from './row-settings.ts';
import type { RowScope } from '../../domain/row-scope.ts';
import type { Query } from './statement.ts';
import { openTransactions, type TransactionOptions, type Transactions } from './transactions.ts';

const int8Oid = pg.types.builtins.INT8;

// `pg` returns int8 as strings by default. Counters and token sums stay far below 2^53, so numbers are exact.
pg.types.setTypeParser(int8Oid, Number);

/** The access of the program to its tables. */
export interface Database extends Transactions {
  /** Sees the rows of every workspace. Only authentication, the sweeper and set-up use it. */
  system: Knex;
  /** Runs one prepared statement that sees the rows of every workspace. Only authentication uses it, at requests and for open streams. */
  lookUp: Query;
  /**
   * Runs one prepared statement that sees the rows of every workspace, and whose commit does not wait for the disk. Only the
   * writer of stream chunks and the owners of direct turns use it.
   */
  storeUnsynced: Query;
  /** Sessions for the readers of event streams alone, so that no number of streams delays other work. */
  forStreams: Pick<Transactions, 'pipelined'>;
  /** Runs one prepared statement for all readers of event streams, which sees the rows of every workspace. */
  readStreams: Query;
  /** Runs in one transaction that sees the rows of its scope and no others. */
  inWorkspace: <Result>(scope: RowScope, run: (trx: Knex.Transaction) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}

/** The maximum number of sessions for the readers of event streams, each of which is used for one round trip. */
const streamPoolSize = 4;

/** The maximum number of sessions for look-ups, each of which is used for one statement. */
const lookUpPoolSize = 4;

interface DatabaseOptions extends SessionTimeouts {
  url: string;
  /** The maximum number of sessions of each of the two pools for work inside workspaces; `system` has a few more. @default 10 */
  poolSize?: number;
}

/** Opens pools to one Postgres. Each uses its own role, which may not change the schema. */
export function connectDatabase({ url, poolSize = 10, ...timeouts }: DatabaseOptions): Database {
  const system = openKnex({ url, role: 'holdfast_system', max: 4, timeouts });
  const app = openKnex({ url, role: 'holdfast_app', max: poolSize, timeouts });
  const open = (name: string, size: number, more: Partial<TransactionOptions> = {}) =>
    openTransactions({ ...{ name, url, timeouts, poolSize: size, role: 'holdfast_app' }, ...more });
  const { pipelined, transact, notify, close } = open('holdfast-steps', poolSize);
  const forStreams = open('holdfast-streams', streamPoolSize);
  const lookUps = open('holdfast-look-ups', lookUpPoolSize, { role: 'holdfast_system' });
  const streams = open('holdfast-all-streams', 1, { role: 'holdfast_system' });
  const chunks = open('holdfast-chunks', 1, { role: 'holdfast_system', prepare: prepareChunkSession });
  return {
    ...{ pipelined, transact, notify, system, forStreams },
    lookUp: lookUps.single,
    storeUnsynced: chunks.single,
    readStreams: streams.single,
    inWorkspace: (scope, run) =>
      app.transaction(async (trx) => {
        const settings = Object.entries(toSettings(scope));
        const calls = settings.map(() => 'set_config(?, ?, true)').join(', ');
        await trx.raw(`SELECT ${calls}`, settings.flat());
        return run(trx);
      }),
    close: async () => {
      const pools = [forStreams, lookUps, streams, chunks];
      await Promise.all([system.destroy(), app.destroy(), close(), ...pools.map((pool) => pool.close())]);
    },
  };
}

interface KnexOptions {
  url: string;
  role: string;
  max: number;
  timeouts: SessionTimeouts;
}

function openKnex({ url, role, max, timeouts }: KnexOptions): Knex {
  return knexFactory({
    client: 'pg',
    // Every error reaches a caller. During an outage knex would print each of them with its stack as well.
    log: { warn: () => undefined, error: () => undefined },
    connection: { ...toConnectionOptions(url, timeouts), application_name: 'holdfast' },
    pool: {
      min: 0,
      max,
      afterCreate: (client: pg.Client, done: (error: Error | null, client: pg.Client) => void) => {
        client.query(`SET ROLE ${role}`, (error: Error | null) => done(error, client));
      },
    },
  });
}
