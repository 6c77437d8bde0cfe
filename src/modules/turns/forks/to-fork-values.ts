import type { ForkedTurn, ForkVersion } from './fork-repository.ts';
import type { ForkValues } from './fork-statement.ts';
import type { ActorRef } from '../../../domain/actor.ts';
import type { ForkInput } from './fork.ts';
import { defaultLimits } from '../../../domain/limits.ts';
import { toOwnerKey } from '../../../domain/person.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { toStoredContent } from '../../../domain/message-text.ts';
import { toPreview } from '../../../domain/text.ts';
import { newId, toForkedTurnId } from '../../../platform/lib/ids.ts';

/** A checked request for a fork. */
interface CheckedFork {
  forkId: string;
  parentId: string;
  input: ForkInput;
  forked: ForkedTurn;
  version: ForkVersion;
  hash: string;
  startedBy: ActorRef;
}

/** Returns the values with which a fork is stored. */
export function toForkValues({ forkId, parentId, input, forked, ...fork }: CheckedFork): ForkValues {
  const { iteration = null, toolResults = [], tools, run } = input;
  const { text, parts } = toStoredContent(input.message ?? forked.message);
  return {
    ...{ forkId, parentId, iteration },
    ...{ parentTurnId: forked.turn.id, parentOrdinal: forked.ordinal },
    ...{ agentId: fork.version.agentId, versionId: fork.version.id, forkHash: fork.hash },
    edits: toStorableJson(toolResults.map(toEdit)),
    ...{ runs: run, recorded: tools === 'recorded' },
    turnId: toForkedTurnId(forkId),
    startedBy: toStorableJson(fork.startedBy),
    person: toOwnerKey(fork.startedBy.actingFor),
    timeoutMs: defaultLimits.turnTimeoutMs,
    startTimeoutMs: defaultLimits.startTimeoutMs,
    messageId: newId(),
    message: text,
    parts: parts === null ? null : toStorableJson(parts),
    started: toStorableJson({ message: toPreview(text) }),
    auditId: newId(),
    auditPayload: toStorableJson({
      ...{ parent_id: parentId, turn_id: forked.turn.id, iteration },
      ...{ agent_version_id: fork.version.id, tools: run ? tools : null },
      ...{ message_edited: input.message !== undefined },
      edited_tool_calls: toolResults.map(({ toolCallId }) => toolCallId),
    }),
  };
}

function toEdit({ toolCallId, result }: NonNullable<ForkInput['toolResults']>[number]) {
  return { id: toolCallId, result, bytes: Buffer.byteLength(result), shown: toPreview(result) };
}
