import { startEverything } from '../holdfast/start-everything.ts';
import { makeFolder, type PlaceOptions } from '../place.ts';
import { measureTools, type Ask, type ToolsRow } from './measure-tools.ts';
import { startThousandTools } from './thousand-tools.ts';
import { startToolCallingModel } from './tool-calling-model.ts';

interface ToolsBenchOptions extends PlaceOptions {
  count: number;
}

/** Measures tools with all programs of `npm start`, in a separate data folder. */
export async function runToolsBench({ config, count, say, signal }: ToolsBenchOptions): Promise<ToolsRow[]> {
  await using stack = new AsyncDisposableStack();
  const dataDir = makeFolder(config.dataDir, stack);
  const [model, server] = await Promise.all([startToolCallingModel(), startThousandTools()]);
  stack.defer(model.close);
  stack.defer(server.close);
  say('starting Postgres, Temporal, the API and a worker (usually 10 seconds) …');
  const started = await startEverything({
    ...{ config, dataDir, signal, worker: true },
    environment: { HOLDFAST_COMPATIBLE_BASE_URL: model.url, HOLDFAST_ALLOW_LOOPBACK: 'true' },
  });
  stack.defer(started.stop);
  return await measureTools({ ask: createAsk(started), model, server, count });
}

function createAsk({ origin, apiKey }: { origin: string; apiKey: string }): Ask {
  return async <Data>(method: string, resource: string, body?: unknown): Promise<Data> => {
    const response = await fetch(origin + resource, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { success: boolean; data: Data };
    if (!answer.success) throw new Error(`${method} ${resource} answered ${JSON.stringify(answer)}`);
    return answer.data;
  };
}
