import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Returns a text that occurs nowhere else. */
export function mark(name: string): string {
  return `${name}-${randomBytes(12).toString('hex')}`;
}

/** Returns the history of a workflow as JSON. */
export async function exportHistory({ client }: { client: Client }, workflowId: string): Promise<string> {
  const json = historyToJSON(await client.workflow.getHandle(workflowId).fetchHistory()) as unknown;
  return typeof json === 'string' ? json : JSON.stringify(json);
}

/** A payload of a history that was exported. */
export interface JsonPayload {
  metadata: Record<string, string>;
  data?: string;
}

/** Every payload of an exported history, wherever it stands; search attributes have a type. */
export function listPayloads(json: string): JsonPayload[] {
  const payloads: JsonPayload[] = [];
  JSON.parse(json, (_name, value: Partial<JsonPayload> | null) => {
    const { encoding, type } = value?.metadata ?? {};
    if (encoding !== undefined && type === undefined) payloads.push(value as JsonPayload);
    return value;
  });
  return payloads;
}

/** Returns true for a payload that is encrypted. */
export function isSealed({ metadata }: JsonPayload): boolean {
  return Buffer.from(metadata['encoding'] ?? '', 'base64').toString() === 'binary/encrypted';
}
