import type { PayloadCodec } from '@temporalio/common';
import type { Logger } from 'pino';
import type { LinkDependencies } from '../../actions/action-link.ts';
import type { ActionDependencies } from '../../actions/action-dependencies.ts';
import type { AgentDependencies, ModelListDependencies } from '../../agents/agent-dependencies.ts';
import type { Database } from '../../db/connect-database.ts';
import type { AuthenticatorDependencies } from './authenticate.ts';
import type { AuditDependencies } from '../../audit/audit-dependencies.ts';
import type { ConnectionDependencies } from '../../connections/connection-dependencies.ts';
import type { Login } from '../../workspaces/login.ts';
import type { WorkspaceDependencies, WorkspaceLimits } from '../../workspaces/workspace-dependencies.ts';
import type { FileDependencies } from '../../files/file-dependencies.ts';
import type { FileStore } from '../../domain/file.ts';
import type { FunctionCatalogue } from '../../domain/function.ts';
import type { DependencyState } from '../../lib/dependency-state.ts';
import type { KnowledgeDependencies } from '../../knowledge/knowledge-dependencies.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import type { RecordingDependencies } from '../../recordings/export-recordings.ts';
import type { ReplayDependencies } from '../../replays/replay-dependencies.ts';
import type { ScheduleDependencies } from '../../schedules/schedule-dependencies.ts';
import type { RoutineDependencies } from '../../routines/routine-dependencies.ts';
import type { SwarmDependencies } from '../../swarms/swarm-dependencies.ts';
import type { FollowDependencies } from '../../turns/follow/follow-turn.ts';
import type { ImportDependencies } from '../../imports/import-dependencies.ts';
import type { TriggerDependencies } from '../../triggers/trigger-dependencies.ts';
import type { TurnDependencies } from '../../turns/turn-dependencies.ts';
import type { PressDependencies } from '../../webhooks/slack/decide-in-slack.ts';
import type { WebhookDependencies } from '../../webhooks/webhook-dependencies.ts';

/** Everything that the HTTP API needs from the rest of the program. */
export interface Dependencies
  extends
    ActionDependencies,
    AuthenticatorDependencies,
    AgentDependencies,
    AuditDependencies,
    ConnectionDependencies,
    FileDependencies,
    FollowDependencies,
    KnowledgeDependencies,
    LinkDependencies,
    ModelListDependencies,
    TurnDependencies,
    PressDependencies,
    RecordingDependencies,
    ReplayDependencies,
    ScheduleDependencies,
    RoutineDependencies,
    SwarmDependencies,
    TriggerDependencies,
    ImportDependencies,
    WebhookDependencies,
    WorkspaceDependencies,
    WorkspaceLimits {
  database: Database;
  /** Told of each request that failed because the database is away. */
  databaseState: Pick<DependencyState, 'failed'>;
  providers: ProviderRegistry;
  functions: FunctionCatalogue;
  fileStore: FileStore;
  /** Encrypts and decrypts the payloads in Temporal. */
  payloadCodec: PayloadCodec;
  /** Origins from which browsers may ask to decrypt payloads. @default none */
  codecOrigins?: readonly string[];
  /** Lets people sign in with a browser. @default nobody */
  login?: Login;
  /** Origins of pages that may use the API. @default none */
  apiOrigins?: readonly string[];
  /**
   * Whether the parts that turns need can be reached, whether a worker lives that runs them, and how many workflows are
   * stuck.
   */
  isReady: () => Promise<{ database: boolean; temporal: boolean; worker: boolean; stuckWorkflows: number }>;
  logger: Logger;
}
