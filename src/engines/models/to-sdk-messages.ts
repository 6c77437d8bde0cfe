import type { ModelMessage as SdkMessage, ToolModelMessage, UserContent } from 'ai';
import type { ModelMessage } from '../../domain/model.ts';
import { hasText } from '../../domain/text.ts';
import { findContentParts, type ContentPart } from './provider-content.ts';
import type { SdkToolNames } from './sdk-tool-names.ts';
import { toResultOutput, toUserContent, type PartOptions } from './to-sdk-parts.ts';
import { commonCallId, createUniqueCallIds } from './unique-call-ids.ts';

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;
type ToolResultPart = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

interface MessageOptions {
  /** The name of the model that is called; content that only another model can read is left out. */
  model: string;
  names: Pick<SdkToolNames, 'toSdkName'>;
  /** How the vendor is sent files. */
  files: PartOptions;
  /** The form of the ids of tool calls. @default that which all vendors take */
  callIds?: RegExp | undefined;
  /** Whether messages of the user that follow one another become one. */
  alternatesRoles?: boolean | undefined;
}

interface OpenCall {
  modelCallId: string;
  uniqueId: string;
  name: string;
}

/**
 * Maps a conversation to messages of the AI SDK. Ids of tool calls become unique in the conversation and get the form that the
 * vendor takes, since some models repeat them and vendors match results by them. Every call gets a result, since
 * vendors refuse a conversation with a call that has none; a result without a call is left out. Texts of white space only
 * are left out too, and answers without anything else.
 */
export function toSdkMessages(messages: ModelMessage[], options: MessageOptions): SdkMessage[] {
  const { model, names, files, callIds = commonCallId, alternatesRoles = false } = options;
  const mapped: SdkMessage[] = [];
  const uniqueId = createUniqueCallIds(callIds);
  let open: OpenCall[] = [];
  let results: ToolResultPart[] = [];
  let shownAfter: Exclude<UserContent, string> = [];

  const pushUser = (content: UserContent) => {
    const last = alternatesRoles ? mapped.at(-1) : undefined;
    if (last?.role === 'user') last.content = joinContents(last.content, content);
    else mapped.push({ role: 'user', content });
  };
  const closeIteration = () => {
    results.push(...open.map(toMissingResult));
    if (results.length > 0) mapped.push({ role: 'tool', content: results });
    if (shownAfter.length > 0) pushUser(shownAfter);
    open = [];
    results = [];
    shownAfter = [];
  };

  for (const message of messages) {
    if (message.role === 'tool') {
      const index = open.findIndex(({ modelCallId }) => modelCallId === message.modelCallId);
      const [call] = index < 0 ? [] : open.splice(index, 1);
      if (!call) continue;
      const { output, shownAfter: shown } = toResultOutput({ ...message, modelCallId: call.uniqueId }, files);
      results.push({ type: 'tool-result', toolCallId: call.uniqueId, toolName: call.name, output });
      shownAfter.push(...shown);
      continue;
    }
    closeIteration();
    if (message.role === 'user') {
      pushUser(toUserContent(message, files));
      continue;
    }
    open = message.toolCalls.map(({ modelCallId, name }) => ({
      modelCallId,
      uniqueId: uniqueId(modelCallId),
      name: names.toSdkName(name),
    }));
    const content = toAssistantContent(message, model, open);
    if (content.length > 0) mapped.push({ role: 'assistant', content });
  }
  closeIteration();
  return mapped;
}

function toAssistantContent(message: AssistantMessage, model: string, calls: OpenCall[]): ContentPart[] {
  const kept = findContentParts(model, message.providerContent);
  const keptCalls = kept?.filter((part) => part.type === 'tool-call').length;
  const content = kept && keptCalls === calls.length ? withIds(kept, calls) : toPlainContent(message, calls);
  const said = content.filter(isSaid);
  // Vendors refuse reasoning that nothing follows.
  return said.some(({ type }) => type !== 'reasoning') ? said : [];
}

function withIds(kept: ContentPart[], calls: OpenCall[]): ContentPart[] {
  const left = calls.values();
  return kept.map((part) => {
    const call = part.type === 'tool-call' ? left.next().value : undefined;
    return call ? { ...part, toolCallId: call.uniqueId, toolName: call.name } : part;
  });
}

/** Google signs texts, and wants back those without a character too. */
function isSaid(part: ContentPart): boolean {
  return part.type !== 'text' || hasText(part.text) || part.providerOptions?.['google'] !== undefined;
}

function toPlainContent(message: AssistantMessage, calls: OpenCall[]): ContentPart[] {
  const toolCalls = calls.map(({ uniqueId, name }, index): ContentPart => ({
    type: 'tool-call',
    toolCallId: uniqueId,
    toolName: name,
    // Vendors refuse arguments that are no object; the result of the call says what was wrong with them.
    input: message.toolCalls[index]?.arguments ?? {},
  }));
  return [{ type: 'text', text: message.text }, ...toolCalls];
}

function joinContents(before: UserContent, after: UserContent): UserContent {
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`;
  return [before, after].flatMap((content) =>
    typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
  );
}

function toMissingResult(call: OpenCall): ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: call.uniqueId,
    toolName: call.name,
    output: { type: 'error-text', value: 'There is no result: the turn ended before this call did.' },
  };
}
