import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { createConnections } from '../../src/main/create-connections.ts';
import { createKeyRing } from '../../src/platform/secrets/key-ring.ts';

interface Order {
  databaseUrl: string;
  keys: string;
  workspaceId: string;
  connectionId: string;
  url: string;
}

/** A separate process that, on request, uses a connection several times in parallel. */
process.once('message', ({ databaseUrl, keys, workspaceId, connectionId, url }: Order) => {
  void (async () => {
    const database = connectDatabase({ url: databaseUrl });
    const keyRing = createKeyRing({ keys });
    const config = { allowLoopback: { connections: true, tools: true } };
    const services = createConnections({
      config,
      database,
      keyRing,
      findProvider: () => Promise.resolve(undefined),
    });
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => services.connectionAccess.open({ workspaceId, connectionId })),
    );
    process.send?.('ready');
    process.once('message', () => {
      void Promise.all(opened.map(async ({ fetch }) => (await fetch(url)).status)).then(async (statuses) => {
        process.send?.(statuses);
        await services.close();
        await database.close();
        process.disconnect();
      });
    });
  })();
});
