import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import type { Database } from '../../src/platform/database/connect-database.ts';
import type { Agent, ExecutionMode } from '../../src/domain/agent.ts';
import type { CompactionMode } from '../../src/domain/compaction.ts';
import type { TurnLimits } from '../../src/domain/limits.ts';
import type { MessageContent } from '../../src/domain/message-part.ts';
import type { ModelSettings } from '../../src/domain/model-settings.ts';
import type { Rules } from '../../src/domain/rules.ts';
import type { PinnedSkill } from '../../src/domain/skill.ts';
import type { ToolInput } from '../../src/domain/tool.ts';
import type { TurnInput } from '../../src/domain/turn.ts';
import type { AgentTurnInput } from '../../src/contract/turn-steps.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { storeTurn, submitTurn } from '../../src/modules/turns/submit-turn.ts';
import type { TurnDependencies } from '../../src/modules/turns/turn-dependencies.ts';
import { eventually } from './eventually.ts';
import type { ScriptedModel, ScriptedRequest, ScriptEntry } from '../servers/scripted-model.ts';

/** The fields of a lab's agent that a test sets; all others have defaults. */
export interface LabSceneOptions {
  execution?: ExecutionMode;
  tools?: ToolInput[];
  limits?: Partial<TurnLimits>;
  instructions?: string;
  rules?: Rules;
  /** The versions of skills that the agent uses, also those that no API would give it. */
  skills?: PinnedSkill[];
  toolCallsInText?: boolean;
  modelSettings?: ModelSettings;
  /** How the context is shortened. @default 'oldest_first' */
  compaction?: CompactionMode;
  compactionThreshold?: number;
  /** The number of the fallback that writes summaries. @default the agent's model */
  summaryFallback?: number;
  /** How many models answer for the first one, each with the same name and a number. @default 0 */
  fallbacks?: number;
}

/** The fields of a lab's message that a test sets. */
export interface SayOptions extends Partial<Omit<TurnInput, 'message'>> {
  turnId?: string;
}

/** An agent with a scripted model, and a conversation with it. */
export interface LabScene {
  agent: Agent;
  conversationId: string;
  /** Adds to the script of this agent's model alone. */
  reply: (...entries: ScriptEntry[]) => void;
  /** Adds to the script of the model that answers for it, by its number from 1. */
  replyAs: (fallback: number, ...entries: ScriptEntry[]) => void;
  /** Returns the requests to this agent's model so far. */
  requests: () => ScriptedRequest[];
  /** Returns the times of the requests to this agent's model, in epoch milliseconds. */
  requestTimes: number[];
  /** Waits for a number of requests, and returns the last one. */
  waitForRequest: (count: number) => Promise<ScriptedRequest>;
  /** Stores a turn without starting its workflow. */
  submit: (
    message: MessageContent,
    options?: SayOptions,
  ) => Promise<{ turnId: string; start: AgentTurnInput | null; accepted: boolean }>;
  /** Stores and starts a turn, and returns its id. */
  say: (message: MessageContent, options?: SayOptions) => Promise<string>;
}

interface LabBase {
  workspaceId: string;
  database: Database;
  model: ScriptedModel;
  turns: TurnDependencies;
}

/** Creates an agent with a unique model name, so that scenes never use each other's script. */
export async function createLabScene(lab: LabBase, options: LabSceneOptions = {}): Promise<LabScene> {
  const modelName = `scene-${newId()}`;
  const { agent, conversationId } = await createAgentAndConversation(lab, modelName, options);
  const requestTimes: number[] = [];
  const requests = () => lab.model.requests.filter(({ body }) => body.model === modelName);
  const submit: LabScene['submit'] = async (message, { turnId = newId(), ...more } = {}) => {
    const submission = { turnId, conversationId, input: { onBusy: 'reject' as const, ...more, message } };
    const { start, accepted } = await storeTurn(lab.turns, lab, submission);
    return { turnId, start, accepted };
  };
  return {
    agent,
    conversationId,
    requests,
    requestTimes,
    reply: (...entries) =>
      lab.model.reply(...entries.map((entry) => forModel(entry, modelName, requestTimes))),
    waitForRequest: async (count) => {
      const all = await eventually(requests, (list) => list.length >= count);
      return all[count - 1] as ScriptedRequest;
    },
    replyAs: (fallback, ...entries) =>
      lab.model.reply(...entries.map((entry) => forModel(entry, `${modelName}-${fallback}`, []))),
    submit,
    say: async (message, { turnId = newId(), ...more } = {}) => {
      const submission = { turnId, conversationId, input: { onBusy: 'reject' as const, ...more, message } };
      await submitTurn(lab.turns, lab, submission);
      return turnId;
    },
  };
}

function forModel(entry: ScriptEntry, modelName: string, requestTimes: number[]): ScriptEntry {
  return {
    ...entry,
    when: (body) => {
      const matches = body.model === modelName && (entry.when?.(body) ?? true);
      if (matches) requestTimes.push(Date.now());
      return matches;
    },
  };
}

function createAgentAndConversation(lab: LabBase, modelName: string, options: LabSceneOptions) {
  return lab.database.inWorkspace(lab.workspaceId, async (trx) => {
    const agent = await createAgentRepository(trx).createAgent({
      name: 'Scripted agent',
      model: `compatible/${modelName}`,
      instructions: options.instructions ?? 'Help the user.',
      tools: options.tools ?? [],
      limits: options.limits ?? {},
      execution: options.execution ?? 'inspectable',
      ...(options.compaction ? { compaction: options.compaction } : {}),
      compactionThreshold: options.compactionThreshold ?? null,
      summaryModel: options.summaryFallback ? `compatible/${modelName}-${options.summaryFallback}` : null,
      ...(options.modelSettings ? { modelSettings: options.modelSettings } : {}),
      fallbackModels: Array.from({ length: options.fallbacks ?? 0 }, (_, index) => ({
        model: `compatible/${modelName}-${index + 1}`,
        modelConnectionId: null,
      })),
      ...(options.rules ? { rules: options.rules } : {}),
      ...(options.skills ? { skills: options.skills } : {}),
      ...(options.toolCallsInText === undefined ? {} : { toolCallsInText: options.toolCallsInText }),
    });
    const conversation = await createConversationRepository(trx).createConversation({ agentId: agent.id });
    return { agent, conversationId: conversation.id };
  });
}
