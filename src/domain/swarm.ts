import { z } from 'zod';
import { actionKinds } from './action.ts';
import { actorRefSchema } from './actor.ts';
import { creditInputSchema, creditTextSchema } from './credits.ts';
import { dateTimeSchema } from './date-time.ts';
import { topicMessageSchema } from './inbox.ts';
import { jsonValueSchema } from './json-value.ts';
import { stuckSchema } from './stuck-workflow.ts';
import { workflowLinkSchema } from './workflow-link.ts';
import { errorInfoSchema } from './turn.ts';

/**
 * The status of a swarm. `ending` starts nothing more. It has ended as `completed` when its goal was reached, as `ended` by a
 * request or with the swarm above, as `stopped` at one of its limits, and as `failed` when its leader failed or subtasks are
 * left that cannot run.
 */
export const swarmStatuses = [
  'running',
  'paused',
  'ending',
  'completed',
  'ended',
  'stopped',
  'failed',
] as const;
export type SwarmStatus = (typeof swarmStatuses)[number];

/** The status of a swarm that has ended. */
export type SwarmOutcome = Exclude<SwarmStatus, 'running' | 'paused' | 'ending'>;

/** The status of a subtask; `done`, `failed` and `canceled` ones have ended. */
export const subtaskStatuses = ['todo', 'in_progress', 'done', 'failed', 'canceled'] as const;
export type SubtaskStatus = (typeof subtaskStatuses)[number];

const priorities = ['low', 'medium', 'high'] as const;

/** The maximum number of subtasks of a swarm, of items of its blackboard, and of bytes of one of them. */
export const swarmBounds = { subtasks: 1000, items: 1000, itemBytes: 32 * 1024 };

/** Ways to end a swarm: `graceful` lets running subtasks finish, `force` stops them. */
const endModes = ['graceful', 'force'] as const;

const subtaskId = z.string().trim().min(1).max(100);
const itemId = z.string().trim().min(1).max(200);

/** A subtask as it is set: fields that are left out keep their values, a new one needs a description. */
export const subtaskChangeSchema = z.strictObject({
  id: subtaskId,
  description: z
    .string()
    .trim()
    .min(1)
    .max(16_000)
    .optional()
    .describe('The work, in full; required for a new subtask'),
  assignee: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The agent that does it: its id, or its name in the team. The leader when it is left out'),
  depends_on: z.array(subtaskId).max(100).optional().describe('Ids of subtasks that have to be done before'),
  priority: z.enum(priorities).optional(),
  status: z
    .enum(['todo', 'done', 'canceled'])
    .optional()
    .describe('"todo" runs it again, "done" and "canceled" end it'),
  created_at: dateTimeSchema.optional().describe('Kept for a subtask that exists'),
});
export type SubtaskChange = z.infer<typeof subtaskChangeSchema>;

/** A member of a team. */
const memberSchema = z.looseObject({
  agentId: z.uuid(),
  name: z.string().trim().min(1).max(200).optional(),
  role: z.string().max(2_000).optional(),
});

/** The configuration of a team: its members, and anything else that they should know. */
export const teamConfigSchema = z.looseObject({
  leader: z.uuid().optional(),
  members: z.array(memberSchema).max(100).optional(),
});
export type TeamConfig = z.infer<typeof teamConfigSchema>;

/** The fields of a team among the resources that a swarm uses. */
export const storedTeamSchema = z.object({
  name: z.string(),
  goal: z.string().default(''),
  leaderId: z.uuid().optional(),
  members: z.array(z.object({ agentId: z.uuid(), role: z.string().default('') })),
});

/** A change of the shared state of a swarm; it is applied as a whole or not at all. */
export const swarmChangeSchema = z.strictObject({
  subTasks: z
    .strictObject({
      set: z.array(subtaskChangeSchema).max(swarmBounds.subtasks).optional(),
      delete: z.array(subtaskId).max(swarmBounds.subtasks).optional(),
    })
    .optional(),
  blackboard: z
    .strictObject({
      set: z
        .array(z.strictObject({ id: itemId, value: jsonValueSchema }))
        .max(swarmBounds.items)
        .optional(),
      delete: z.array(itemId).max(swarmBounds.items).optional(),
    })
    .optional(),
  teamConfig: teamConfigSchema.optional().describe('Replaces the fields that it has'),
});
export type SwarmChange = z.infer<typeof swarmChangeSchema>;

const dayMs = 24 * 60 * 60 * 1000;

/** The limits of a swarm. Those of one in a swarm are parts of what that one has left. */
export const swarmLimitsSchema = z.strictObject({
  /** How many subtasks run at the same time. */
  concurrency: z.int().min(1).max(100).default(5),
  /** The maximum number of turns of the leader and of all members. */
  turns: z.int().min(1).max(10_000).default(200),
  /** The time from its start, in milliseconds. */
  timeMs: z
    .int()
    .min(1_000)
    .max(90 * dayMs)
    .default(7 * dayMs),
  /** The maximum number of tokens of all turns; null for no limit. */
  tokens: z.int().min(1).nullable().default(null),
  /** The maximum number of credits of all calls of models and tools; null for no limit. A call that would break it is not made. */
  credits: creditInputSchema.transform(String).nullable().default(null),
  /** How deep swarms may be started inside of it. */
  depth: z.int().min(0).max(5).default(1),
  /** How often a subtask that failed is tried again before the leader decides. */
  retries: z.int().min(0).max(5).default(1),
});
export type SwarmLimits = z.infer<typeof swarmLimitsSchema>;

/** The limits as the API answers with them. */
const shownLimitsSchema = swarmLimitsSchema.extend({ credits: creditTextSchema.nullable() });

const goal = z.string().trim().min(1).max(16_000);
const limits = swarmLimitsSchema.prefault({});

/** The order to start a swarm by its leader alone. */
export const simpleSwarmSchema = z.strictObject({
  kind: z.literal('simple'),
  leader: z.uuid().describe('The id of the agent that plans'),
  goal,
  limits,
});

/** The order to start a swarm with a team, or with the first subtasks. */
export const richSwarmSchema = z.strictObject({
  kind: z.literal('rich'),
  goal,
  teamId: z.uuid().optional().describe('A resource of kind team: its leader and its members'),
  leader: z
    .uuid()
    .optional()
    .describe('The id of the agent that plans; that of the team when it is left out'),
  teamConfig: teamConfigSchema.default({}),
  subtasks: z.array(subtaskChangeSchema).max(swarmBounds.subtasks).default([]),
  limits,
});

/** The order to start a swarm. */
export const swarmInputSchema = z.discriminatedUnion('kind', [simpleSwarmSchema, richSwarmSchema]);
export type SwarmInput = z.infer<typeof swarmInputSchema>;

/** The order to end a swarm. */
export const swarmEndSchema = z.strictObject({
  mode: z.enum(endModes).default('graceful'),
  reason: z.string().trim().min(1).max(2_000).default('It was ended.'),
});
export type SwarmEnd = z.infer<typeof swarmEndSchema>;

/** A subtask as agents and callers see it. */
export const subtaskSchema = z.object({
  id: z.string(),
  description: z.string(),
  /** The agent that leads the subtask. */
  assignee: z.string(),
  depends_on: z.array(z.string()),
  priority: z.enum(priorities),
  status: z.enum(subtaskStatuses),
  /** How often it was begun. */
  attempts: z.int(),
  /** The start of the answer of its turn; null before it is done. */
  result: z.string().nullable(),
  error: errorInfoSchema.nullable(),
  /** The last turn that worked at it. */
  turn_id: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export type Subtask = z.infer<typeof subtaskSchema>;

/** An item of the blackboard. */
const itemSchema = z.object({ id: z.string(), value: jsonValueSchema, updatedAt: z.string() });
export type BlackboardItem = z.infer<typeof itemSchema>;

/** A swarm without its shared state. */
export const swarmSchema = z.object({
  id: z.string(),
  kind: z.enum(['simple', 'rich']),
  goal: z.string(),
  leader: z.string().nullable(),
  /** The conversation in which the leader is notified of results. */
  conversationId: z.string().nullable(),
  status: z.enum(swarmStatuses),
  limits: shownLimitsSchema,
  turnsUsed: z.int(),
  tokensUsed: z.int(),
  creditsUsed: creditTextSchema,
  /** The swarm in which it was started, and the turn that did. */
  parentSwarmId: z.string().nullable(),
  parentTurnId: z.string().nullable(),
  depth: z.int(),
  /** The reason why it ends or has ended. */
  reason: z.string().nullable(),
  /** The last answer of its leader. */
  result: z.string().nullable(),
  startedBy: actorRefSchema.nullable(),
  createdAt: z.string(),
  deadlineAt: z.string(),
  settledAt: z.string().nullable(),
});
export type Swarm = z.infer<typeof swarmSchema>;

/** The shared state of a swarm. */
const swarmStateSchema = z.object({
  subTasks: z.array(subtaskSchema),
  blackboard: z.array(itemSchema),
  /** The newest messages that its agents have sent to its topics, oldest first. */
  messages: z.array(topicMessageSchema),
  /** The agent of each subtask by its id. */
  subtaskLeaders: z.record(z.string(), z.string()),
  teamConfig: teamConfigSchema,
});

/** An action that a turn of a swarm, or of one inside of it, waits for. */
const waitingActionSchema = z.object({
  id: z.string(),
  kind: z.enum(actionKinds),
  tool: z.string(),
  swarmId: z.string(),
  /** Null for a turn of the leader. */
  subtaskId: z.string().nullable(),
  turnId: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type WaitingAction = z.infer<typeof waitingActionSchema>;

/** A swarm with its shared state; of one that has ended it is the final state. */
export const swarmDetailsSchema = swarmSchema.extend({
  state: swarmStateSchema,
  /** The actions that its turns wait for, oldest first. */
  pendingActions: z.array(waitingActionSchema),
  stuck: stuckSchema.optional(),
});
export type SwarmDetails = z.infer<typeof swarmDetailsSchema>;

/** A swarm with its shared state, and where its workflow is. */
export const linkedSwarmSchema = swarmDetailsSchema.extend(workflowLinkSchema.shape);

const over: readonly SubtaskStatus[] = ['done', 'failed', 'canceled'];

/** Whether a subtask has ended. */
export function isOver(status: SubtaskStatus): boolean {
  return over.includes(status);
}

/** Whether a swarm has ended. */
export function hasEnded(status: SwarmStatus): status is SwarmOutcome {
  return status !== 'running' && status !== 'paused' && status !== 'ending';
}
