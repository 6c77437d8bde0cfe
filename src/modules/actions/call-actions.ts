import type { ActionKind, ActionStatus } from '../../domain/action.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { QuestionSource } from '../../domain/question.ts';

/** The approval that a call waits for, or has waited for. */
export interface CallApproval {
  actionId: string;
  status: ActionStatus;
  /** SHA-256 over what may run. */
  hash: string;
  /** SHA-256 over the tool, with the definition of its server. */
  toolHash: string | null;
  reason: string | null;
  /** The arguments that a person has put in place of the proposed ones. */
  arguments: JsonObject | null;
}

/** A question of a call, or its execution by another program, with the decision about it. */
export interface AskedRequest {
  actionId: string;
  kind: Exclude<ActionKind, 'approval'>;
  status: ActionStatus;
  reason: string | null;
  answer: JsonValue;
  isError: boolean | null;
  /** SHA-256 over what was asked. */
  hash: string;
  /** The server that asked; null when the answer is the result of the call. */
  source: QuestionSource | null;
  /** How long it could be decided, in milliseconds. */
  timeoutMs: number;
}
