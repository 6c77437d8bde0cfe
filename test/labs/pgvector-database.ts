import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import knexFactory, { type Knex } from 'knex';
import { toWorkspaceId, type RowScope } from '../../src/domain/row-scope.ts';
import { readMigrations } from '../../src/platform/database/migration-source.ts';

/** A Postgres with pgvector inside this process, which `pg` reaches over a socket, with one session at most. */
export async function startPgvectorDatabase() {
  const postgres = await PGlite.create({ extensions: { vector } });
  const server = createServer((socket) => serve(socket, postgres));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const knex = knexFactory({
    client: 'pg',
    connection: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    pool: { min: 1, max: 1 },
  });
  const { source } = await readMigrations();
  await knex.migrate.latest({ migrationSource: source, disableTransactions: true });
  return {
    system: knex,
    inWorkspace: <Result>(scope: RowScope, run: (trx: Knex.Transaction) => Promise<Result>) =>
      knex.transaction(async (trx) => {
        await trx.raw('SET LOCAL ROLE holdfast_app');
        await trx.raw(`SELECT set_config('holdfast.workspace_id', ?, true)`, [toWorkspaceId(scope)]);
        return run(trx);
      }),
    close: async () => {
      await knex.destroy();
      await new Promise((resolve) => server.close(resolve));
      await postgres.close();
    },
  };
}

/** Forwards whole messages of the protocol; all but the first have a letter before their length. */
function serve(socket: Socket, postgres: PGlite): void {
  let received = Buffer.alloc(0);
  let isStarted = false;
  let last = Promise.resolve();
  socket.on('error', () => socket.destroy());
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (received.length < start + 4) return;
      const length = start + received.readUInt32BE(start);
      if (received.length < length) return;
      const message = received.subarray(0, length);
      received = received.subarray(length);
      isStarted = true;
      last = last.then(async () => void socket.write(await postgres.execProtocolRaw(message)));
    }
  });
}
