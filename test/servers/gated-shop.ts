import { eventually } from '../labs/eventually.ts';
import { startScriptedServer, textResult, type ScriptedTool } from './mcp-servers.ts';

/** An MCP server with the tools `book`, `look` and `pay`, which do not answer until the gate is open. */
export interface GatedShop {
  url: string;
  /** Lets all calls end, those that come later too. */
  open: () => void;
  /** Lets new calls wait until the gate opens again. */
  shut: () => void;
  /** Waits until so many calls have begun. */
  waitForCalls: (count: number) => Promise<void>;
  /** How often a tool took effect: once for each key, as a careful server does it. */
  effects: (tool: string) => number;
  close: () => Promise<void>;
}

/** Starts the shop with its gate shut. */
export async function startGatedShop(): Promise<GatedShop> {
  let gate = Promise.withResolvers<undefined>();
  const calls: { tool: string; key: string | undefined }[] = [];
  const tool =
    (name: string): ScriptedTool =>
    async ({ idempotencyKey }) => {
      calls.push({ tool: name, key: idempotencyKey });
      await gate.promise;
      return textResult(`${name} is done`);
    };
  const server = await startScriptedServer({ book: tool('book'), look: tool('look'), pay: tool('pay') });
  return {
    url: server.url,
    open: () => gate.resolve(undefined),
    shut: () => {
      gate = Promise.withResolvers<undefined>();
    },
    waitForCalls: async (count) => {
      await eventually(
        () => calls.length,
        (length) => length >= count,
      );
    },
    effects: (name) => new Set(calls.filter(({ tool: one }) => one === name).map(({ key }) => key)).size,
    close: server.close,
  };
}
