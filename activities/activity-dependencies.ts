import type { Logger } from 'pino';
import type { AgentVersion } from '../src/domain/agent.ts';
import type {
  DocumentGeneration,
  DocumentIngestion,
  StartIngestion,
} from '../workflows/contract/document-steps.ts';
import type { JsonObject } from '../src/domain/json.ts';
import type { CallLanguageModel } from '../src/domain/model.ts';
import type { WorkspaceModelStates } from '../src/domain/model-state.ts';
import type { PartFiles } from '../src/domain/part-files.ts';
import type { ActorRef } from '../src/domain/actor.ts';
import type { ReplayInput } from '../src/domain/replay.ts';
import type { Tool, ToolEffect, ToolExecutor, ToolResult, ToolRun } from '../src/domain/tool.ts';
import type { Stuck, WorkflowRef } from '../src/domain/stuck-workflow.ts';
import type { TurnWorkflowState } from '../src/domain/turn-status.ts';
import type { AgentTurnInput } from '../workflows/contract/turn-steps.ts';
import type { WorkflowState, WorkflowTargets } from '../src/domain/workflow-target.ts';
import type { ActionRepository } from '../src/db/actions/action-repository.ts';
import type { CompactionRepository } from '../src/db/turns/compaction-repository.ts';
import type { CreditLedgerRepository } from '../src/db/credits/credit-ledger-repository.ts';
import type { CreditSweepRepository } from '../src/db/credits/credit-sweep-repository.ts';
import type { GrantRepository } from '../src/db/actions/grant-repository.ts';
import type { GrantedCalls } from '../src/db/actions/granted-calls.ts';
import type { LiveCallRepository } from '../src/db/replays/live-call-repository.ts';
import type { ReplayCaseRepository } from '../src/db/replays/replay-case-repository.ts';
import type { ReplaySweepRepository } from '../src/db/replays/replay-sweep-repository.ts';
import type { ReplayRepository } from '../src/db/replays/replay-repository.ts';
import type { RoutineCallRepository } from '../src/db/routines/routine-call-repository.ts';
import type { RoutineEventRepository } from '../src/db/routines/routine-event-repository.ts';
import type { RoutineRunRepository } from '../src/db/routines/routine-run-repository.ts';
import type { RoutineSweepRepository } from '../src/db/routines/routine-sweep-repository.ts';
import type { ToolPinReader } from '../src/db/agents/tool-pin-repository.ts';
import type { WaitingTurnRepository } from '../src/db/actions/waiting-turn-repository.ts';
import type { ChildTurnRepository } from '../src/db/turns/child-turn-repository.ts';
import type { RecordedStepRepository } from '../src/db/turns/recorded-step-repository.ts';
import type { StoredResultRepository } from '../src/db/turns/stored-result-repository.ts';
import type { StreamChunkWriter } from '../src/db/turns/stream-chunk-writer.ts';
import type { DocumentSweepRepository } from '../src/db/knowledge/document-sweep-repository.ts';
import type { SteeringRepository } from '../src/db/turns/steering-repository.ts';
import type { SweepRepository } from '../src/db/turns/turn-sweep-repository.ts';
import type {
  UnsettledCallRepository,
  UnsettledCallSweepRepository,
} from '../src/db/turns/unsettled-call-repository.ts';
import type { SwarmSweepRepository } from '../src/db/swarms/swarm-sweep-repository.ts';
import type { DeliverySweepRepository } from '../src/db/webhooks/delivery-sweep-repository.ts';
import type { StuckSweepRepository } from '../src/db/stuck-workflow-repository.ts';
import type { ToolCallRepository } from '../src/db/turns/tool-call-repository.ts';
import type { TurnAnswerRepository } from '../src/db/turns/turn-answer-repository.ts';
import type { TurnContextRepository } from '../src/db/turns/turn-context-repository.ts';
import type { TurnRepository } from '../src/db/turns/turn-repository.ts';
import type { TriggerSweepRepository } from '../src/db/triggers/trigger-sweep-repository.ts';
import type { Notifier, Wakeups } from '../src/db/wakeups.ts';
import type { RemoveRecords } from '../src/retention/create-record-removal.ts';
import type { RoutineDependencies } from '../src/routines/routine-dependencies.ts';
import type { SwarmDependencies } from '../src/swarms/swarm-dependencies.ts';
import type { StartDependencies } from '../src/triggers/trigger-dependencies.ts';
import type { TurnDependencies } from '../src/turns/turn-dependencies.ts';
import type { PolicyChecks } from '../src/rules/tool-policy.ts';
import type { FindInnerCall } from '../src/tools/run-tool.ts';
import type { ReadOpenApi } from '../src/tools/openapi/read-document.ts';
import type { SummarizableCall } from '../src/tools/tool-summary.ts';
import type { AttemptDependencies } from '../src/webhooks/attempt-delivery.ts';
import type { ReplayPlace } from '../workflows/contract/replay-steps.ts';
import type { ScheduledRunDependencies } from '../src/schedules/scheduled-run.ts';
import type { ScheduleSweepRepository } from '../src/db/schedules/schedule-sweep-repository.ts';
import type { DeliveryPlace } from '../workflows/contract/webhook-steps.ts';
import type { SweepFailures } from './sweep/sweep-failures.ts';

/** The repositories that the steps of a turn use within one transaction. */
export interface StepRepositories {
  context: TurnContextRepository;
  answers: TurnAnswerRepository;
  compactions: CompactionRepository;
  toolCalls: ToolCallRepository;
  unsettledCalls: UnsettledCallRepository;
  childTurns: ChildTurnRepository;
  turns: TurnRepository;
  actions: ActionRepository;
  waiting: WaitingTurnRepository;
  steering: SteeringRepository;
  grants: GrantRepository;
  grantedCalls: GrantedCalls;
  pins: ToolPinReader;
  replays: ReplayRepository;
  replayCases: ReplayCaseRepository;
  liveCalls: LiveCallRepository;
  recordedSteps: RecordedStepRepository;
  storedResults: StoredResultRepository;
  routineRuns: RoutineRunRepository;
  routineCalls: RoutineCallRepository;
  routineEvents: RoutineEventRepository;
  credits: CreditLedgerRepository;
}

type UnitOfWork<Repositories> = <Result>(
  workspaceId: string,
  run: (repositories: Repositories) => Promise<Result>,
) => Promise<Result>;

/** The functions of `src/tools` that the steps of a turn call. */
export interface StepTools {
  run: ToolExecutor;
  findInnerCall: FindInnerCall;
  effectOf: (tool: Tool, input: JsonObject) => ToolEffect;
  /** Makes the effects of imported operations known to `effectOf`; tools of other kinds cost nothing. */
  loadEffects: (workspaceId: string, tools: readonly Tool[]) => Promise<void>;
  /** The checks of schemas, and of values against schemas and policies, for one workspace. */
  checksOf: (workspaceId: string) => PolicyChecks & {
    findSchemaProblem: (schema: JsonObject) => Promise<string | null>;
  };
  summarize: (call: SummarizableCall) => string;
}

/** The dependencies of the activities that make documents searchable. */
export interface DocumentServices {
  ingestion: DocumentIngestion;
  sweep: DocumentSweepRepository;
  engine: {
    startIngestion: StartIngestion;
    /** Tells whether the workflow of a document runs, has ended, or is unknown to Temporal. */
    findIngestion: (document: DocumentGeneration) => Promise<'running' | 'closed' | 'missing'>;
  };
}

/** The dependencies of the activities that deliver messages to webhooks. */
export interface WebhookServices {
  attempts: AttemptDependencies;
  sweep: DeliverySweepRepository;
  /** Starts the workflow of a delivery, or wakes the one that waits for its next attempt. */
  startDelivery: (delivery: DeliveryPlace) => Promise<void>;
}

/** A call that a replay sends to its tool. */
export interface LiveCall {
  place: Pick<ToolRun, 'agentId' | 'conversationId' | 'turnId' | 'connectors' | 'agentTools'>;
  call: { id: string; key: string };
  tool: Tool;
  input: JsonObject;
  signal: AbortSignal;
}

/** The parts that the live calls of a replay need besides their tools. */
export interface LiveAccess extends Pick<ActivityDependencies, 'getVersion' | 'transact'> {
  /**
   * Checks that who started the replay may still make live calls, and returns them.
   * @throws HoldfastError `RIGHTS_LOST`
   */
  authorize: () => Promise<ActorRef>;
}

/** The tools of a replay that asks for live answers. */
export interface LiveTools extends LiveAccess {
  replayId: string;
  /** Finds the tool behind a gateway that a call is for; null for a call that is for none. */
  findInner: (call: LiveCall) => ReturnType<FindInnerCall>;
  run: (call: LiveCall) => Promise<ToolResult>;
}

/**
 * The services of a replay. There is nothing in them that could run a tool or open a connection, except `live` of a
 * replay that asks for live tools.
 */
export interface ReplayServices extends Pick<ActivityDependencies, 'pipelined' | 'logger' | 'partFiles'> {
  /** Reaches the address of the model and no other one. */
  callLanguageModel: CallLanguageModel;
  tools: Pick<StepTools, 'checksOf' | 'effectOf' | 'loadEffects' | 'summarize'>;
  live: LiveTools | null;
}

/** Creates the services of one run of a replay. */
export type CreateReplayServices = (replay: {
  workspaceId: string;
  /** Names its rate limit. */
  replayId: string;
  input: Pick<ReplayInput, 'toolAnswers' | 'onMiss' | 'modelCallsPerMinute'>;
  /** @default none: the replay makes no live calls */
  access?: LiveAccess;
}) => ReplayServices;

/** The dependencies of the activities that replay batches of turns. */
export interface BatchServices {
  createServices: CreateReplayServices;
  sweep: ReplaySweepRepository;
  /** Starts the workflow of a replay, or wakes the one that runs. */
  startReplay: (replay: ReplayPlace) => Promise<void>;
}

/** The dependencies of the activities that run schedules. */
export interface ScheduleServices {
  runs: ScheduledRunDependencies;
  sweep: ScheduleSweepRepository;
  /** Gives Temporal a copy of a schedule. */
  copySchedule: (workspaceId: string, id: string) => Promise<void>;
}

/** The dependencies of the activities that start what deliveries to triggers ask for. */
export interface TriggerServices {
  starts: StartDependencies;
  sweep: TriggerSweepRepository;
}

/** The dependencies of the activities of swarms. */
export interface SwarmServices {
  dependencies: SwarmDependencies;
  sweep: SwarmSweepRepository;
}

/** The dependencies of the sweep for workflows whose tasks fail again and again. */
export interface StuckServices {
  sweep: StuckSweepRepository;
  engine: {
    /** Lists the next workflows that were open for `ageMs`; after the last ones, the first ones again. */
    listNextOpen: (options: { ageMs: number; limit: number }) => Promise<WorkflowRef[]>;
    /** Returns the failure of the task that a workflow cannot complete; null when it progresses, waits or has ended. */
    findTaskFailure: (workflowId: string) => Promise<Stuck | null>;
    terminateWorkflow: (workflowId: string, reason: string) => Promise<void>;
  };
  /** The time after which a workflow counts as stuck, in milliseconds. */
  afterMs: number;
}

/** The calls that activities make to Temporal. */
export interface TurnEngine {
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Starts a turn again whose workflow is missing or ended before its first step. */
  restartTurn: (input: AgentTurnInput) => Promise<void>;
  findTurnWorkflow: (turnId: string) => Promise<TurnWorkflowState>;
  /** Asks a turn to stop; does nothing when its workflow has ended or was never started. */
  cancelTurn: (turnId: string) => Promise<void>;
  /** Tells a turn that an action was decided; does nothing when its workflow has ended. */
  tellDecision: (turnId: string, actionId: string) => Promise<void>;
  /** Asks a workflow to stop; does nothing when it has ended or was never started. */
  cancelWorkflow: (workflowId: string) => Promise<void>;
  /** Waits at most so many milliseconds for the end of a workflow, and returns its state at that time. */
  readWorkflow: (options: {
    workflowId: string;
    waitMs: number;
    signal: AbortSignal;
  }) => Promise<WorkflowState>;
}

/** The dependencies of all activities; `createActivityDependencies` builds them once for a worker. */
export interface ActivityDependencies {
  /** A transaction of one round trip: the work must call all its statements before it awaits one of them. */
  pipelined: UnitOfWork<StepRepositories>;
  /** A transaction for statements that depend on the results of earlier ones. */
  transact: UnitOfWork<StepRepositories>;
  /** The dependencies of the use cases in `src/turns`. */
  turnDependencies: TurnDependencies;
  getVersion: (workspaceId: string, versionId: string) => Promise<AgentVersion>;
  sweep: SweepRepository;
  /** Takes calls whose outcome is unknown and may be asked for again. */
  unsettledCalls: UnsettledCallSweepRepository;
  creditSweep: CreditSweepRepository;
  sweepFailures: SweepFailures;
  stuck: StuckServices;
  /** Removes rows that were deleted or are too old. */
  removeRecords: RemoveRecords;
  appendChunks: StreamChunkWriter;
  callLanguageModel: CallLanguageModel;
  /** Reads the files of messages for model calls. */
  partFiles: PartFiles;
  modelStates: WorkspaceModelStates;
  tools: StepTools;
  /** Reads and starts the workflows that tools of type `workflow` name. */
  workflowTargets: WorkflowTargets;
  engine: TurnEngine;
  documents: DocumentServices;
  webhooks: WebhookServices;
  replays: BatchServices;
  schedules: ScheduleServices;
  /** Starts, wakes and stops runs of routines. */
  routines: RoutineDependencies & { sweep: RoutineSweepRepository; readOpenApi: ReadOpenApi };
  swarms: SwarmServices;
  triggers: TriggerServices;
  notifier: Notifier;
  wakeups: Pick<Wakeups, 'onStop' | 'onSteerNow' | 'onEvents'>;
  /** Tells whether this worker was told to stop: it begins no further step of a turn that another one can go on with. */
  isShuttingDown: () => boolean;
  logger: Logger;
}
