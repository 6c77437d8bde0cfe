import type { Agent } from '../../src/domain/agent.ts';
import type { Replay } from '../../src/domain/replay.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import type { EndedRun } from '../../src/modules/replays/replay-case-repository.ts';
import { createReplayCaseRepository } from '../../src/modules/replays/replay-case-repository.ts';
import { createReplayRepository } from '../../src/modules/replays/replay-repository.ts';
import type { ReplaySummary } from '../../src/domain/replay-report.ts';
import type { Plan } from '../servers/planned-model.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../servers/mcp-servers.ts';
import type { ChatRequestBody, ScriptEntry } from '../servers/scripted-model.ts';
import { startPlannedModel, type PlannedModel } from '../servers/planned-model.ts';
import { eventually } from './eventually.ts';
import { startLabApi, startLabApiProcess, type LabApi } from './lab-api.ts';
import { mcpTool } from './lab-tools.ts';
import { startTurnLab, type TurnLab } from './turn-lab.ts';

/** A lab with a model that does as its messages say, and an MCP server that counts the calls of its tools. */
export interface ReplayLab {
  lab: TurnLab;
  api: LabApi;
  model: PlannedModel;
  server: ScriptedServer;
  /** The tools that were called at the server, in their order. */
  called: string[];
  /** Kills the API, which has to be a separate process, and starts another one. */
  restartApi: () => Promise<void>;
  close: () => Promise<void>;
}

interface ReplayLabOptions {
  /** Starts the API in a separate process. @default false */
  apiProcess?: boolean;
  /** @default true: a worker runs in this process */
  worker?: boolean;
  /** @default 0 */
  modelDelayMs?: number;
  /** Answers a request to the model in place of its plan. */
  intercept?: (body: ChatRequestBody) => ScriptEntry | undefined;
  /** Counts the tokens of a request to the model. @default 10 for each message */
  countTokens?: (body: ChatRequestBody) => number;
}

const anyArguments = { type: 'object', properties: {} };

/** Starts a lab whose agents have the MCP tools `look_up` and `add`. */
export async function startReplayLab({
  worker = true,
  modelDelayMs = 0,
  apiProcess = false,
  ...planned
}: ReplayLabOptions = {}): Promise<ReplayLab> {
  const called: string[] = [];
  const note = (name: string) => ({
    [name]: (request: { arguments: Record<string, unknown> }) => {
      called.push(name);
      return Promise.resolve(textResult(`${name} ${JSON.stringify(request.arguments)}`));
    },
  });
  const server = await startScriptedServer({ ...note('look_up'), ...note('add') });
  const model = await startPlannedModel({ delayMs: modelDelayMs, ...planned });
  const lab = await startTurnLab({
    worker,
    mcpServers: { lab: { url: server.url } },
    environment: { HOLDFAST_COMPATIBLE_BASE_URL: model.baseUrl },
  });
  let program = apiProcess ? await startLabApiProcess(lab) : undefined;
  const scene: ReplayLab = {
    ...{ lab, model, server, called },
    api: program ?? (await startLabApi(lab)),
    restartApi: async () => {
      await program?.kill();
      program = await startLabApiProcess(lab);
      scene.api = program;
    },
    close: async () => {
      await scene.api.stop();
      await lab.close();
      await server.close();
      await model.close();
    },
  };
  return scene;
}

/** Creates an agent with the tools of the lab. */
export async function createReplayedAgent(
  { api }: Pick<ReplayLab, 'api'>,
  instructions = 'Do as you are told.',
  execution: Agent['execution'] = 'direct',
): Promise<Agent> {
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', {
    ...{ name: 'Replayed', model: 'compatible/planned', instructions, execution },
    tools: [
      { ...mcpTool('look_up', { effect: 'read_only' }, anyArguments), description: 'Looks something up.' },
      { ...mcpTool('add', { effect: 'idempotent' }, anyArguments), description: 'Adds something.' },
    ],
  });
  return agent;
}

/** Runs a conversation whose messages are plans. */
export async function recordConversation(
  { api }: Pick<ReplayLab, 'api'>,
  agentId: string,
  plans: Plan[],
): Promise<TurnDetails[]> {
  const { conversation } = await api.ask<{ conversation: { id: string } }>('POST', '/api/conversations', {
    agentId,
  });
  const turns: TurnDetails[] = [];
  for (const plan of plans) {
    const path = `/api/conversations/${conversation.id}/turns?wait=true`;
    const { turn } = await api.ask<{ turn: TurnDetails }>('POST', path, { message: JSON.stringify(plan) });
    turns.push(turn);
  }
  return turns;
}

/** Starts a replay and waits until it has ended. */
export async function replay({ api }: Pick<ReplayLab, 'api'>, input: object): Promise<Replay> {
  const { replay: started } = await api.ask<{ replay: Replay }>('POST', '/api/replays', input);
  return waitForReplay({ api }, started.id);
}

export async function waitForReplay(
  { api }: Pick<ReplayLab, 'api'>,
  id: string,
  until: (replay: Replay) => boolean = ({ settledAt }) => settledAt !== null,
): Promise<Replay> {
  const read = () => api.ask<{ replay: Replay }>('GET', `/api/replays/${id}`).then(({ replay }) => replay);
  return eventually(read, until);
}

/** The stored summary of a replay. */
export async function readSummary({ lab }: Pick<ReplayLab, 'lab'>, replayId: string): Promise<ReplaySummary> {
  const summary = await lab.database.pipelined(lab.workspaceId, (query) =>
    createReplayRepository(query).findSummary(replayId),
  );
  if (!summary) throw new Error('the replay has no summary');
  return summary as ReplaySummary;
}

/** All stored runs of a replay, in the order of their cases. */
export function readRuns({ lab }: Pick<ReplayLab, 'lab'>, replayId: string): Promise<EndedRun[]> {
  return lab.database.pipelined(lab.workspaceId, (query) =>
    createReplayCaseRepository(query).listRuns(replayId, 0, 100_000),
  );
}
