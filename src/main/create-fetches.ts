import { createGuardedFetch } from '../platform/egress/guarded-fetch.ts';
import { mostDocumentCharacters } from '../modules/imports/provider-import.ts';
import { mostDocumentBytes } from '../engines/tools/openapi/read-document.ts';
import type { Config } from './config.ts';

/** The largest accepted answer of a model, in bytes. It fits an image in base64 and protects the memory. */
const longestModelAnswer = 64 * 1024 * 1024;

/** Builds the guarded fetches, one for each purpose. */
export function createFetches({ allowLoopback: { tools, connections } }: Pick<Config, 'allowLoopback'>) {
  const fetches = {
    fetch: createGuardedFetch({ allowLoopback: tools }),
    /** For OpenAPI documents, which are longer than the answers that a tool gives to a model. */
    documentFetch: createGuardedFetch({ allowLoopback: tools, maxBodyBytes: mostDocumentBytes.json }),
    /** For documents of APIs that are imported. */
    importFetch: createGuardedFetch({ allowLoopback: tools, maxBodyBytes: mostDocumentCharacters }),
    /** For files of vendors, which the reader of an answer limits. */
    fetchFile: createGuardedFetch({ allowLoopback: connections, maxBodyBytes: Infinity }),
    /** Has no timeouts, since a model may think for long before it answers: the activity limits the time. */
    modelFetch: createGuardedFetch({
      ...{ allowLoopback: connections, maxBodyBytes: longestModelAnswer },
      ...{ headersTimeoutMs: 0, bodyTimeoutMs: 0 },
    }),
    /** Webhooks reach what connections reach. An attempt has its own time limit, and reads little of an answer. */
    webhookFetch: createGuardedFetch({ allowLoopback: connections, maxBodyBytes: 64 * 1024 }),
  };
  const close = async () => {
    await Promise.all(Object.values(fetches).map((fetch) => fetch.close()));
  };
  return { ...fetches, close };
}
