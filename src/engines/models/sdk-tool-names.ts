import { createHash } from 'node:crypto';
import type { ModelCall } from '../../domain/model.ts';

/** A name that all vendors accept: at most 64 characters, and no digit first, which some vendors refuse. */
const vendorName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const maxPrefixLength = 55;

/** Translates the names of tools into those that a vendor accepts, and back. */
export interface SdkToolNames {
  toSdkName: (name: string) => string;
  /** Returns a name that the model made up unchanged. */
  fromSdkName: (sdkName: string) => string;
}

/**
 * Creates the names for a call: each tool, those of its history included, keeps its own name when vendors accept it;
 * otherwise it gets a readable beginning and a hash, the same in every call.
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
