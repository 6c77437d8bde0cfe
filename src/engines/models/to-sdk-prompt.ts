import type { ModelMessage as SdkMessage, SystemModelMessage } from 'ai';
import type { ModelCall, ModelMessage } from '../../domain/model.ts';
import { hasText } from '../../domain/text.ts';
import type { HostedVendor } from './model-vendor.ts';
import type { SdkToolNames } from './sdk-tool-names.ts';
import type { PartOptions } from './to-sdk-parts.ts';
import { toSdkMessages } from './to-sdk-messages.ts';

/** The instructions and messages of a request. */
interface SdkPrompt {
  instructions?: string | SystemModelMessage;
  messages: SdkMessage[];
}

interface PromptOptions {
  vendor: Pick<
    HostedVendor,
    'optionsName' | 'toCacheMark' | 'declaresWithheldTools' | 'alternatesRoles' | 'toCallIds'
  >;
  /** The vendor's own name of the model. */
  modelId: string;
  names: Pick<SdkToolNames, 'toSdkName'>;
  /** The messages of the call, with what else its user says. */
  messages: ModelMessage[];
  /** How the vendor is sent files. */
  files: PartOptions;
}

/**
 * Maps the instructions and messages of a call to the AI SDK. The requests of a conversation begin alike, so that the vendor's
 * cache holds: a note for this call alone stands behind the messages. A vendor that is shown no tools in such a call
 * caches nothing of it anyway, and gets the note with the instructions, since some servers want roles to alternate.
 */
export function toSdkPrompt(
  call: ModelCall,
  { vendor, modelId, names, messages, files }: PromptOptions,
): SdkPrompt {
  const { model, note } = call;
  const { alternatesRoles } = vendor;
  const isLast = note !== undefined && vendor.declaresWithheldTools;
  const instructions = note === undefined || isLast ? call.instructions : `${call.instructions}\n\n${note}`;
  const prompt = withCacheMarks(call, {
    vendor,
    prompt: {
      ...(hasText(instructions) && { instructions }),
      messages: toSdkMessages(messages, {
        ...{ model, names, files, alternatesRoles, callIds: vendor.toCallIds?.(modelId) },
      }),
    },
  });
  return isLast ? { ...prompt, messages: [...prompt.messages, { role: 'user', content: note }] } : prompt;
}

interface MarkOptions {
  vendor: Pick<HostedVendor, 'optionsName' | 'toCacheMark'>;
  prompt: SdkPrompt & { instructions?: string };
}

/**
 * Marks the places up to which a vendor caches: the instructions with the tools before them, the end of the messages, and
 * the end of those that the former call had. The vendor looks for a former end only some blocks back, and an answer with
 * many tool calls has more.
 */
function withCacheMarks(
  { promptCaching }: Pick<ModelCall, 'promptCaching'>,
  { vendor: { optionsName, toCacheMark }, prompt }: MarkOptions,
): SdkPrompt {
  if (!toCacheMark || promptCaching === 'off') return prompt;
  const { instructions, messages } = prompt;
  const providerOptions = { [optionsName]: toCacheMark(promptCaching === '1h') };
  const ends = new Set([messages.findLastIndex(({ role }) => role === 'assistant') - 1, messages.length - 1]);
  return {
    ...(instructions !== undefined && {
      instructions: { role: 'system', content: instructions, providerOptions },
    }),
    messages: messages.map((message, index) => (ends.has(index) ? { ...message, providerOptions } : message)),
  };
}
