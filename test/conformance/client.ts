// The client program that the suite starts once for each scenario: it uses the API of Holdfast as a user does.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createHoldfastClient } from '../../src/clients/client/create-holdfast-client.ts';
import { createBrowser } from '../labs/browser.ts';
import { toAuth, toCalls, type Context, type ListedTool } from './plan.ts';

/** How often a person would consent again before giving up. */
const maxConsents = 3;

/**
 * The result of this tool is incomplete: revision 2026-07-28 demands a `resultType` of its servers. The outcome of the
 * call is unknown then; the scenario wants that it is not called again.
 */
const withoutResultType = 'test_mrtr_no_result_type';

const environment = z
  .object({
    CONFORMANCE_API_URL: z.url(),
    CONFORMANCE_API_KEY: z.string(),
    MCP_CONFORMANCE_SCENARIO: z.string(),
    MCP_CONFORMANCE_CONTEXT: z.string().default('{}'),
  })
  .parse(process.env);
const endpoint = z.url().parse(process.argv[2]);
const scenario = environment.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(environment.MCP_CONFORMANCE_CONTEXT) as Context;
const holdfast = createHoldfastClient({
  baseUrl: environment.CONFORMANCE_API_URL,
  apiKey: environment.CONFORMANCE_API_KEY,
});

let consents = 0;

/** Follows the link of a consent in a browser, and agrees. */
async function consent(link: string): Promise<void> {
  const browser = createBrowser();
  const question = await readPage(await browser.open(link));
  await readPage(await browser.press(question, { name: 'decision', value: 'connect' }));
}

/** @throws Error with the page when the answer is an error */
async function readPage(response: Response): Promise<string> {
  const page = await response.text();
  if (!response.ok) throw new Error(`The page answered ${response.status}: ${page}`);
  return page;
}

/** Consents in a browser for as long as the connection asks for it. Tells whether the connection had expired. */
async function reconnect(connectionId: string): Promise<boolean> {
  const { status, statusReason } = await holdfast.connections.get(connectionId);
  if (status === 'active') return false;
  console.log(`The connection is ${status}: ${statusReason ?? ''}`);
  if (consents >= maxConsents) throw new Error(`The connection is ${status} after ${consents} consents.`);
  consents += 1;
  await consent(await holdfast.connections.authorize(connectionId));
  return true;
}

/** Does work over the connection, and again after each time that the connection expired meanwhile. */
async function overConnection<Result>(connectionId: string, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    await reconnect(connectionId);
    const settled = await work().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    if (await reconnect(connectionId)) continue;
    if ('error' in settled) throw settled.error;
    return settled.result;
  }
}

async function createAgent(connectionId: string, tools: readonly ListedTool[]): Promise<string> {
  const { id } = await holdfast.agents.create({
    name: scenario,
    model: 'demo',
    instructions: 'You call the tools that you are asked to call.',
  });
  for (const { name, description, inputSchema } of tools) {
    await holdfast.agents.tools.add(id, {
      type: 'mcp',
      name,
      description,
      schema: inputSchema,
      config: { connectionId, provider: 'mcp' },
    });
  }
  return id;
}

/** How often the questions of a turn are looked for, in milliseconds. */
const lookEveryMs = 100;

/** Answers what a server asks during a turn: a form with its defaults, and what has no default left out. */
async function answerQuestions(turnId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { items } = await holdfast.pendingActions.list({ turnId, kind: 'question' });
    for (const { id, question } of items) {
      console.log(`The server asks: ${question ?? ''}`);
      await holdfast.pendingActions.decide(id, { decision: 'answer', answer: {} });
    }
    await setTimeout(lookEveryMs);
  }
}

/** Runs a turn whose message makes the demo model call one tool. */
async function callTool(agentId: string, { name, input }: { name: string; input: object }): Promise<void> {
  const { id: conversationId } = await holdfast.conversations.create({ agentId });
  const message = `use ${name} with ${JSON.stringify(input)}`;
  const { id } = await holdfast.turns.start({ conversationId, message });
  const ended = new AbortController();
  const answering = answerQuestions(id, ended.signal);
  const { status, toolCalls, error } = await holdfast.turns.wait(id).finally(() => ended.abort());
  await answering;
  const [call] = toolCalls;
  console.log(`${message}: turn ${status}, call ${JSON.stringify(call)}`);
  if (call?.status !== 'succeeded' && name !== withoutResultType) {
    throw new Error(`The call of ${name} did not succeed: ${JSON.stringify(call?.error ?? error ?? call)}`);
  }
}

const connection = await holdfast.connections.create({
  name: `${scenario} ${crypto.randomUUID()}`,
  provider: 'mcp',
  endpoint,
  auth: await toAuth({ scenario, context, endpoint }),
});
const { tools } = await overConnection(connection.id, () => holdfast.connections.tools(connection.id));
const calls = toCalls({ scenario, context, tools });
const called = tools.filter((tool) => calls.some(({ name }) => name === tool.name));
const agentId = await overConnection(connection.id, () => createAgent(connection.id, called));
for (const call of calls) {
  await overConnection(connection.id, () => callTool(agentId, call));
}
