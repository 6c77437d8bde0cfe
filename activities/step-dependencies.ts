import type { Logger } from 'pino';
import type { AgentVersion } from '../src/domain/agent.ts';
import type { JsonObject } from '../src/domain/json.ts';
import type { CallLanguageModel } from '../src/domain/model.ts';
import type { WorkspaceModelStates } from '../src/domain/model-state.ts';
import type { PartFiles } from '../src/domain/part-files.ts';
import type { Tool, ToolEffect, ToolExecutor } from '../src/domain/tool.ts';
import type { TurnWorkflowState } from '../src/domain/turn-status.ts';
import type { AgentTurnInput } from '../src/contract/turn-steps.ts';
import type { WorkflowState, WorkflowTargets } from '../src/domain/workflow-target.ts';
import type { ActionRepository } from '../src/modules/actions/action-repository.ts';
import type { CompactionRepository } from '../src/modules/turns/context/compaction-repository.ts';
import type { CreditLedgerRepository } from '../src/modules/credits/credit-ledger-repository.ts';
import type { GrantRepository } from '../src/modules/actions/grant-repository.ts';
import type { GrantedCalls } from '../src/modules/actions/granted-calls.ts';
import type { LiveCallRepository } from '../src/modules/replays/recorded/live-call-repository.ts';
import type { ReplayCaseRepository } from '../src/modules/replays/replay-case-repository.ts';
import type { ReplayRepository } from '../src/modules/replays/replay-repository.ts';
import type { RoutineCallRepository } from '../src/modules/routines/calls/routine-call-repository.ts';
import type { ToolPinReader } from '../src/modules/agents/tools/tool-pin-repository.ts';
import type { WaitingTurnRepository } from '../src/modules/actions/waiting-turn-repository.ts';
import type { ChildTurnRepository } from '../src/modules/turns/calls/child-turn-repository.ts';
import type { RecordedStepRepository } from '../src/modules/turns/forks/recorded-step-repository.ts';
import type { SkillReaderRepository } from '../src/modules/skills/skill-reader-repository.ts';
import type { StoredResultRepository } from '../src/modules/turns/calls/stored-result-repository.ts';
import type { StreamChunkWriter } from '../src/modules/turns/events/stream-chunk-writer.ts';
import type { SteeringRepository } from '../src/modules/turns/messages/steering-repository.ts';
import type { SweepRepository } from '../src/modules/turns/turn-sweep-repository.ts';
import type {
  UnsettledCallRepository,
  UnsettledCallSweepRepository,
} from '../src/modules/turns/calls/unsettled-call-repository.ts';
import type { ToolCallRepository } from '../src/modules/turns/calls/tool-call-repository.ts';
import type { TurnAnswerRepository } from '../src/modules/turns/turn-answer-repository.ts';
import type { TurnContextRepository } from '../src/modules/turns/context/turn-context-repository.ts';
import type { TurnRepository } from '../src/modules/turns/turn-repository.ts';
import type { UnitOfWork } from '../src/platform/database/unit-of-work.ts';
import type { Notifier, Wakeups } from '../src/platform/database/wakeups.ts';
import type { TurnDependencies } from '../src/modules/turns/turn-dependencies.ts';
import type { PolicyChecks } from '../src/engines/rules/tool-policy.ts';
import type { FindInnerCall } from '../src/engines/tools/run-tool.ts';
import type { SummarizableCall } from '../src/engines/tools/tool-summary.ts';

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
  skills: SkillReaderRepository;
  routineCalls: RoutineCallRepository;
  credits: CreditLedgerRepository;
}

/** The functions of `src/engines/tools` that the steps of a turn call. */
export interface StepTools {
  run: ToolExecutor;
  findInnerCall: FindInnerCall;
  effectOf: (tool: Tool, input: JsonObject) => ToolEffect;
  /** Makes the effects of operations of providers known to `effectOf`; tools of other kinds cost nothing. */
  loadEffects: (workspaceId: string, tools: readonly Tool[]) => Promise<void>;
  /** The checks of schemas, and of values against schemas and policies, for one workspace. */
  checksOf: (workspaceId: string) => PolicyChecks & {
    findSchemaProblem: (schema: JsonObject) => Promise<string | null>;
  };
  summarize: (call: SummarizableCall) => string;
}

/** The calls that activities make to Temporal. */
export interface TurnEngine {
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Starts a turn again whose workflow is missing or ended before its first step. */
  restartTurn: (input: AgentTurnInput) => Promise<void>;
  findTurnWorkflow: (turnId: string) => Promise<TurnWorkflowState>;
  /** Asks a turn to stop; does nothing when its workflow has ended or was never started. */
  cancelTurn: (turnId: string) => Promise<void>;
  /** Signals a turn that an action was decided; does nothing when its workflow has ended. */
  notifyDecision: (turnId: string, actionId: string) => Promise<void>;
  /** Asks a workflow to stop; does nothing when it has ended or was never started. */
  cancelWorkflow: (workflowId: string) => Promise<void>;
  /** Waits at most so many milliseconds for the end of a workflow, and returns its state at that time. */
  readWorkflow: (options: {
    workflowId: string;
    waitMs: number;
    signal: AbortSignal;
  }) => Promise<WorkflowState>;
}

/** The transactions of a step, with the repositories that it names and no others. */
export interface Transactions<Name extends keyof StepRepositories> {
  /** A transaction of one round trip: the work must call all its statements before it awaits one of them. */
  pipelined: UnitOfWork<Pick<StepRepositories, Name>>;
  /** A transaction for statements that depend on the results of earlier ones. */
  transact: UnitOfWork<Pick<StepRepositories, Name>>;
}

/** Reads the rules that hold in a turn: agent versions, and the names of the connections that their rules name. */
export interface RulePort extends Pick<Transactions<'context'>, 'pipelined'> {
  getVersion: (workspaceId: string, versionId: string) => Promise<AgentVersion>;
}

interface CommonPort extends Pick<RulePort, 'getVersion'> {
  notifier: Notifier;
  wakeups: Pick<Wakeups, 'onStop' | 'onSteerNow' | 'onEvents'>;
  logger: Logger;
}

type ModelRepository =
  'actions' | 'answers' | 'compactions' | 'context' | 'credits' | 'steering' | 'toolCalls';

/** The dependencies of model calls and summaries. */
export interface ModelPort extends CommonPort, Transactions<ModelRepository> {
  writeChunk: StreamChunkWriter;
  callLanguageModel: CallLanguageModel;
  /** Reads the files of messages for model calls. */
  partFiles: PartFiles;
  modelStates: WorkspaceModelStates;
  tools: Pick<StepTools, 'checksOf' | 'effectOf' | 'loadEffects' | 'summarize'>;
  /** The dependencies of the use cases in `src/modules/turns`. */
  turnDependencies: TurnDependencies;
}

type ToolRepository =
  | ('actions' | 'answers' | 'childTurns' | 'context' | 'credits')
  | ('grantedCalls' | 'grants' | 'pins' | 'toolCalls' | 'waiting');

/** The dependencies of tool calls. */
export interface ToolPort extends CommonPort, Transactions<ToolRepository> {
  tools: Pick<StepTools, 'checksOf' | 'findInnerCall' | 'run'>;
}

type SettleRepository =
  'actions' | 'answers' | 'childTurns' | 'credits' | 'steering' | 'toolCalls' | 'waiting';

/** The dependencies of the tool calls of routines. */
export interface RoutinePort
  extends
    Omit<ToolPort, keyof Transactions<never> | 'tools'>,
    Pick<ModelPort, 'turnDependencies'>,
    Transactions<ToolRepository | 'routineCalls'> {
  tools: StepTools;
}

/** The repositories that end a turn. */
export type SettleRepositories = Pick<StepRepositories, SettleRepository>;

/** The dependencies of the ends of turns, and of what turns wait for. */
export interface SettlePort extends Pick<CommonPort, 'notifier' | 'logger'>, Transactions<SettleRepository> {
  /** The dependencies of the use cases in `src/modules/turns`. */
  turnDependencies: TurnDependencies;
  engine: TurnEngine;
}

/** The dependencies of tool calls that start other workflows, whose turns they may have to end. */
export interface ChildPort
  extends
    Omit<ToolPort & SettlePort, keyof Transactions<never>>,
    Transactions<ToolRepository | SettleRepository | 'turns'> {
  /** Reads and starts the workflows that tools of type `workflow` name. */
  workflowTargets: WorkflowTargets;
}

/** The dependencies of all steps of turns, and of replays and routines, which make the same model and tool calls. */
export interface StepDependencies
  extends
    Omit<ModelPort & ChildPort, keyof Transactions<never> | 'tools'>,
    Transactions<keyof StepRepositories> {
  tools: StepTools;
  /** Aborted when the worker stops: it begins no further step of a turn that another worker can continue. */
  shutdown: AbortSignal;
}

/** The dependencies of the sweeps that repair turns and their tool calls. */
export interface RepairDependencies
  extends
    Omit<ToolPort & SettlePort, keyof Transactions<never>>,
    Transactions<ToolRepository | SettleRepository | 'turns' | 'unsettledCalls'> {
  sweep: SweepRepository;
  /** Takes calls whose outcome is unknown and that may be made again. */
  unsettledCalls: UnsettledCallSweepRepository;
}
