import { z } from 'zod';
import { actorRefSchema } from './actor.ts';
import { jsonObjectSchema, jsonValueSchema } from './json-value.ts';
import { rememberInputSchema } from './remember-input.ts';
import { personNameSchema } from './person-name.ts';

/**
 * The kinds of pending actions. An `approval` lets a tool call run that waits for it; the answer to a `question` is the
 * result of a call, or what a call continues with; a `client_tool` is a call that the caller's own program executes.
 */
export const actionKinds = ['approval', 'question', 'client_tool'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** The status of an action. Every status but `pending` is final. */
export const actionStatuses = [
  'pending',
  'approved',
  'rejected',
  'answered',
  'expired',
  'cancelled',
] as const;
export type ActionStatus = (typeof actionStatuses)[number];

/** The longest reason of a decision, in characters. */
const longestReason = 2_000;

const reason = z.string().trim().min(1).max(longestReason).optional();
const actingFor = personNameSchema.optional();

/**
 * The decision of a person, or of the program that executes a tool. `arguments` replace those that the model proposed,
 * and are checked like them; `remember` approves later calls as well. An `answer` is checked by the schema of its question. `isError` is for a `client_tool`
 * whose execution failed.
 */
export const decisionInputSchema = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('approve'),
    arguments: jsonObjectSchema.optional(),
    remember: rememberInputSchema.optional(),
    reason,
    actingFor,
  }),
  z.strictObject({ decision: z.literal('reject'), reason, actingFor }),
  z.strictObject({
    decision: z.literal('answer'),
    answer: jsonValueSchema,
    isError: z.boolean().optional(),
    reason,
    actingFor,
  }),
]);
export type DecisionInput = z.infer<typeof decisionInputSchema>;

/** The API key of the program that decided, and the person for whom it acted. */
export const deciderSchema = actorRefSchema.extend({
  /** The remembered approval that decided; absent when a person decided about this action itself. */
  grantId: z.string().optional(),
});
export type Decider = z.infer<typeof deciderSchema>;

/** Something that a turn waits for, as the API shows it. Times are ISO 8601. */
export const pendingActionSchema = z.object({
  id: z.string(),
  kind: z.enum(actionKinds),
  status: z.enum(actionStatuses),
  conversationId: z.string(),
  turnId: z.string(),
  /** The turn that a client started, when this one was started by a tool call below it; otherwise the turn itself. */
  rootTurnId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  /** `server:tool` of a call through a gateway; null for every other call. */
  target: z.string().nullable(),
  /** The names of the connections whose credentials the call carries. */
  connections: z.array(z.string()),
  /** The arguments that the model proposed. */
  arguments: jsonObjectSchema,
  createdAt: z.string(),
  expiresAt: z.string(),
  remindedAt: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decidedBy: deciderSchema.nullable(),
  reason: z.string().nullable(),
  /** The arguments that the person put in place of the proposed ones. */
  approvedArguments: jsonObjectSchema.nullable(),
  /** The text of a `question`. */
  question: z.string().nullable(),
  /** JSON Schema of the answer to a `question`. */
  schema: jsonObjectSchema.nullable(),
  /** The choices of a `question` that has them; the answer is one of them. */
  options: z.array(z.string()).nullable(),
  /** The MCP server that asks; null for a question of the agent itself. */
  server: z.string().nullable(),
  /** The address that the person has to open before answering; Holdfast never reads it. */
  url: z.string().nullable(),
  /** The answer, once the status is `answered`; the result of a `client_tool`. */
  answer: jsonValueSchema.nullable(),
  /** Whether the answer of a `client_tool` says that its execution failed. */
  isError: z.boolean().nullable(),
  /** Whether an approval may be remembered for later calls; never for a tool with `always_ask`. */
  canRemember: z.boolean(),
  /** The people who started the root turn or sent messages to it while it ran. */
  askedBy: z.array(actorRefSchema),
  /** Lists of groups: the API key that decides has to be in one group of each. */
  approvers: z.array(z.array(z.string())),
  /** The conditions of `approvalWhen` that the proposed arguments match; empty for a tool that asks before every call. */
  askedBecause: z.array(z.string()),
  /** Whether those of `askedBy` may decide. */
  selfApproval: z.boolean(),
  /** When the call continued with the decision. */
  redeemedAt: z.string().nullable(),
});
export type PendingAction = z.infer<typeof pendingActionSchema>;
