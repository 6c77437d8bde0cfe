import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/domain/json.ts';
import { toVendorEvents, type VendorAnswer, type VendorName } from './vendor-answers.ts';

/** A model that is reached in the format of a vendor. */
export interface VendorModel {
  vendor: VendorName;
  /** The bodies of its requests so far. */
  requests: JsonObject[];
}

/** Models behind one server, each in the format of its vendor. */
export interface VendorModels {
  /** Variables that lead the programs of Holdfast here. */
  environment: Record<string, string>;
  /** The models by the names of their vendors. */
  of: (vendor: VendorName) => VendorModel;
  close: () => Promise<void>;
}

const folders: Record<string, VendorName> = {
  '/openai/responses': 'openai',
  '/anthropic/messages': 'anthropic',
  '/compatible/chat/completions': 'compatible',
};

/** Starts models that answer each request as `answer` says. */
export async function startVendorModels(
  answer: (model: VendorModel, body: JsonObject) => VendorAnswer | Promise<VendorAnswer>,
): Promise<VendorModels> {
  const models = new Map<VendorName, VendorModel>();
  const of = (vendor: VendorName): VendorModel => {
    const model = models.get(vendor) ?? { vendor, requests: [] };
    models.set(vendor, model);
    return model;
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const vendor = folders[request.url ?? ''] ?? 'compatible';
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as JsonObject;
      const model = of(vendor);
      model.requests.push(body);
      void Promise.resolve(answer(model, body)).then((said) => send(response, vendor, said));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    of,
    environment: {
      ...{ OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${url}/openai` },
      ...{ ANTHROPIC_API_KEY: 'bench', ANTHROPIC_BASE_URL: `${url}/anthropic` },
      HOLDFAST_COMPATIBLE_BASE_URL: `${url}/compatible`,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, vendor: VendorName, answer: VendorAnswer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of toVendorEvents(vendor, answer)) {
    const name = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
