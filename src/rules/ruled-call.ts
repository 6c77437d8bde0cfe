import type { JsonObject } from '../domain/json.ts';

/** A call as rules see it. */
export interface RuledCall {
  /** What it is called in messages: the tool's name, or `server:tool` through the gateway. */
  name: string;
  /** The names of which an allowlist has to hold one. */
  listed: string[];
  /** The tools that it calls; one that is quarantined is enough to stop it. */
  toolIds: string[];
  /** Arguments, with the names of the policies that hold for them. */
  subjects: { names: string[]; arguments: JsonObject }[];
}
