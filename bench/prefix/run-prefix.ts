import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/domain/json.ts';
import { startEverything } from '../holdfast/start-everything.ts';
import { makeFolder, type PlaceOptions } from '../place.ts';
import { findChange, readPrefix, type RequestPrefix } from './request-prefix.ts';
import type { VendorAnswer, VendorName } from './vendor-answers.ts';
import { startVendorModels, type VendorModel } from './vendor-models.ts';

/** The requests of one conversation. */
export interface PrefixRow {
  model: string;
  turns: number;
  requests: number;
  /** The requests that do not begin with the one before them. */
  changes: number;
  /** Hashes of the tools and instructions of all requests; one when they are always the same. */
  heads: string[];
  /** The parts of the messages of the first request of the last turn, and the hash of those in it and in the last request. */
  parts: number;
  hashes: string[];
}

interface PrefixOptions extends PlaceOptions {
  turns: number;
}

const models: [VendorName, string][] = [
  ['openai', 'openai/gpt-5'],
  ['anthropic', 'anthropic/claude-sonnet-4-5'],
  ['compatible', 'compatible/any'],
];

const calculate = {
  ...{ type: 'function', name: 'calculate', description: 'Calculates.' },
  schema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
  config: { functionName: 'calculate' },
};

/** Holds a long conversation with a model of each vendor, and compares the bodies of its requests. */
export async function runPrefix({ config, turns, say, signal }: PrefixOptions): Promise<PrefixRow[]> {
  await using stack = new AsyncDisposableStack();
  const dataDir = makeFolder(config.dataDir, stack);
  const server = await startVendorModels(answer);
  stack.defer(server.close);
  say('starting Postgres, Temporal, the API and a worker (usually 10 seconds) …');
  const started = await startEverything({
    ...{ config, dataDir, signal, worker: true, environment: server.environment },
  });
  stack.defer(started.stop);
  const rows: PrefixRow[] = [];
  for (const [vendor, model] of models) {
    say(`${turns} turns with ${model} …`);
    await converse(started, { model, turns, signal });
    rows.push(toRow(server.of(vendor), { model, turns }));
  }
  return rows;
}

/** Two rounds of tools, the first with parallel calls, and then a text. */
function answer({ requests }: VendorModel): VendorAnswer {
  const number = requests.length;
  const call = (index: number) => ({
    ...{ id: `call_${number}_${index}`, name: 'calculate' },
    arguments: { expression: `${number} * ${index + 6}` },
  });
  const round = number % 3;
  if (round === 1) return { text: 'I calculate.', calls: [call(0), call(1)] };
  return round === 2 ? { calls: [call(0)] } : { text: `That is answer ${number}.` };
}

async function converse(
  { origin, apiKey }: { origin: string; apiKey: string },
  { model, turns, signal }: { model: string; turns: number; signal: AbortSignal },
): Promise<void> {
  const send = async <Data>(path: string, body: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(origin + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    const { success, data } = (await response.json()) as { success: boolean; data: Data };
    if (!success) throw new Error(`POST ${path} answered ${response.status}`);
    return data;
  };
  const agent = {
    name: 'Prefix',
    model,
    instructions: 'Calculate.',
    execution: 'direct',
    tools: [calculate],
  };
  const { agent: created } = await send<{ agent: { id: string } }>('/api/agents', agent);
  const { conversation } = await send<{ conversation: { id: string } }>('/api/conversations', {
    agentId: created.id,
  });
  for (let turn = 1; turn <= turns; turn += 1)
    await send(`/api/conversations/${conversation.id}/turns?wait=true`, { message: `Message ${turn}.` });
}

function toRow(
  { vendor, requests }: VendorModel,
  { model, turns }: { model: string; turns: number },
): PrefixRow {
  const prefixes = requests.map((body: JsonObject) => readPrefix(vendor, body));
  const changes = prefixes.filter((after, index) => {
    const before = prefixes[index - 1];
    return before !== undefined && findChange(before, after) !== null;
  });
  const first = prefixes.at(-3);
  const parts = first?.parts.length ?? 0;
  return {
    ...{ model, turns, requests: requests.length, changes: changes.length, parts },
    heads: [...new Set(prefixes.map(({ head }) => toHash(head)))],
    hashes: [first, prefixes.at(-1)].map((prefix) => toHash(toBeginning(prefix, parts))),
  };
}

function toBeginning(prefix: RequestPrefix | undefined, parts: number): string {
  return JSON.stringify([prefix?.head, prefix?.parts.slice(0, parts)]);
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
