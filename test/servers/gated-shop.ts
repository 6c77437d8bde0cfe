import { eventually } from '../labs/eventually.ts';
import { startScriptedServer, textResult, type ScriptedTool } from './mcp-servers.ts';

/** An MCP server with the tools `book`, `look` and `pay`, whose calls end when a test lets them. */
export interface GatedShop {
  url: string;
  /** Lets the first calls end, in the order in which they came. @default all calls, those that come later too */
  open: (count?: number) => void;
  /** Waits until so many calls have begun. */
  waitForCalls: (count: number) => Promise<void>;
  /** Waits until so many calls have ended. */
  waitForAnswers: (count: number) => Promise<void>;
  /** How often a tool took effect: once for each key, as a careful server does it. */
  effects: (tool: string) => number;
  close: () => Promise<void>;
}

/** Starts the shop. No call of it ends before `open`. */
export async function startGatedShop(): Promise<GatedShop> {
  const calls: { tool: string; key: string | undefined; gate: PromiseWithResolvers<undefined> }[] = [];
  let [openCount, answers] = [0, 0];
  const tool =
    (name: string): ScriptedTool =>
    async ({ idempotencyKey }) => {
      const gate = Promise.withResolvers<undefined>();
      calls.push({ tool: name, key: idempotencyKey, gate });
      if (calls.length <= openCount) gate.resolve(undefined);
      await gate.promise;
      answers += 1;
      return textResult(`${name} is done`);
    };
  const server = await startScriptedServer({ book: tool('book'), look: tool('look'), pay: tool('pay') });
  const reach = async (read: () => number, count: number) => {
    await eventually(read, (reached) => reached >= count);
  };
  return {
    url: server.url,
    open: (count = Infinity) => {
      openCount = count;
      for (const { gate } of calls.slice(0, count)) gate.resolve(undefined);
    },
    waitForCalls: (count) => reach(() => calls.length, count),
    waitForAnswers: (count) => reach(() => answers, count),
    effects: (name) => new Set(calls.filter((call) => call.tool === name).map(({ key }) => key)).size,
    close: server.close,
  };
}
