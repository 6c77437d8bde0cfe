import type { JsonObject } from '../../domain/json.ts';

/** The parts of a tool call that rules decide on. */
export interface RuledCall {
  /** The name in messages: the tool's name, or `server:tool` through the gateway. */
  name: string;
  /** An allowlist must have one of these names. */
  listed: string[];
  /** The ids of the tools that it calls; if one of them is quarantined, the call is forbidden. */
  toolIds: string[];
  /** All `server:tool` names of the called tool, and the names of the agent's tools that lead to the same place. */
  aliases: string[];
  /** Arguments, with the names of the policies that they must keep to. */
  subjects: { names: string[]; arguments: JsonObject }[];
}
