import { createHash } from 'node:crypto';
import type { ModelCall } from '../domain/model.ts';

/** What all vendors take as the name of a tool: at most 64 of these, and for some of them no digit first. */
const vendorName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const maxPrefixLength = 55;

/** The names of the tools of a call as its vendor is given them, and back. */
export interface SdkToolNames {
  toSdkName: (name: string) => string;
  /** A name that a model made up stays as it is. */
  fromSdkName: (sdkName: string) => string;
}

/**
 * Gives each tool of a call, those of its history included, a name that every vendor takes: its own where that
 * fits, otherwise a readable beginning and a hash, which is the same in every call.
 */
export function createSdkToolNames({ tools, messages }: Pick<ModelCall, 'tools' | 'messages'>): SdkToolNames {
  const names = new Set([
    ...tools.map(({ name }) => name),
    ...messages.flatMap((message) =>
      'toolCalls' in message ? message.toolCalls.map(({ name }) => name) : [],
    ),
  ]);
  const aliases = new Map<string, string>();
  const originals = new Map<string, string>();
  for (const name of names) {
    if (vendorName.test(name)) continue;
    const alias = toAlias(name, (candidate) => names.has(candidate) || originals.has(candidate));
    aliases.set(name, alias);
    originals.set(alias, name);
  }
  return {
    toSdkName: (name) => aliases.get(name) ?? name,
    fromSdkName: (sdkName) => originals.get(sdkName) ?? sdkName,
  };
}

function toAlias(name: string, isTaken: (alias: string) => boolean): string {
  const readable = name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_');
  for (let count = 0; ; count += 1) {
    const salted = count === 0 ? name : `${name}\n${count}`;
    const hash = createHash('sha256').update(salted).digest('hex').slice(0, 8);
    const alias = `${readable.slice(0, maxPrefixLength)}_${hash}`;
    if (!isTaken(alias)) return alias;
  }
}
