import { createActionRepository } from '../../src/modules/actions/action-repository.ts';
import type { NewAction } from '../../src/modules/actions/request-action.ts';
import { createTurnAnswerRepository } from '../../src/modules/turns/turn-answer-repository.ts';
import { toApprovalHash, toToolHash } from '../../src/modules/actions/approval-hash.ts';
import type { ApproverRules } from '../../src/domain/approver.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Tool } from '../../src/domain/tool.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { openConversation, type Api } from './api-lab.ts';
import { calculate } from './lab-tools.ts';
import { createAnswer, createToolCall } from './turn-rows.ts';

/** The tool whose calls wait. */
export const askedTool = { ...calculate, id: newId() };

/** A call that waits for an approval, and the turn that asks for it. */
export interface AskedCall {
  agentId: string;
  conversationId: string;
  turnId: string;
  actionId: string;
}

interface AskedCallParts {
  input: JsonObject;
  timeoutMs: number;
  tool: Tool;
  canRemember: boolean;
  rules: ApproverRules;
  /** The key and the person of the turn. */
  start: { key?: string; actingFor?: string };
  beforeAsking: (turnId: string) => Promise<void>;
  place: { agentId: string; conversationId: string };
  /** Of another action than an approval. */
  asked: Pick<NewAction, 'kind' | 'question' | 'schema' | 'options' | 'source' | 'askedBecause'>;
}

/** Lets a tool call of a new turn wait for an approval. */
export async function askForApproval(api: Api, parts: Partial<AskedCallParts> = {}): Promise<AskedCall> {
  const { input = { expression: '1 + 1' }, timeoutMs = 60_000, tool = askedTool, canRemember = true } = parts;
  const { agentId, conversationId } = parts.place ?? (await openConversation(api));
  const { key = api.key, actingFor } = parts.start ?? {};
  const started = await api.call('POST', `/api/conversations/${conversationId}/turns`, {
    ...{ key, body: { message: 'Hello', actingFor } },
  });
  const turnId = started.data.turn.id;
  await parts.beforeAsking?.(turnId);
  const call = { ...createToolCall(0), name: tool.name, tool, arguments: input };
  const answer = createAnswer(turnId, { toolCalls: [call], claimId: newId() });
  const action = await api.database.transact(api.workspaceId, async (query) => {
    await createTurnAnswerRepository(query).storeAnswer(answer);
    return createActionRepository(query).request({
      ...{ toolCallId: call.id, arguments: input, timeoutMs, canRemember },
      hash: toApprovalHash({ tool, arguments: input }),
      toolHash: toToolHash({ tool, target: null, definitionHash: null }),
      ...(parts.rules ? { rules: parts.rules } : {}),
      ...parts.asked,
    });
  });
  return { agentId, conversationId, turnId, actionId: action?.id ?? '' };
}
