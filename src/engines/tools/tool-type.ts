import type { z } from 'zod';
import type { Agent } from '../../domain/agent.ts';
import type { Connection } from '../../domain/connection.ts';
import type { AttachedConnector, Connector } from '../../domain/connector.ts';
import type { ToolDefinition } from '../../domain/discovered-tool.ts';
import type { FieldError } from '../../domain/errors.ts';
import type { FunctionCatalogue } from '../../domain/function.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { SearchKnowledge } from '../../domain/knowledge.ts';
import type {
  FailedResult,
  Place,
  Tool,
  ToolConfigs,
  ToolDraftOf,
  ToolEffect,
  ToolInputOf,
  ToolOf,
  ToolOutcome,
  ToolRun,
  ToolType,
} from '../../domain/tool.ts';
import type { WorkflowTargets } from '../../domain/workflow-target.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import type { BeginChildCall, EndChildCall, StartedChildCall } from './children/child-call.ts';
import type { FunctionRegistry } from './functions/function-registry.ts';
import type { OperationEffects } from './mcp/operation-effects.ts';
import type { McpToolDependencies } from './mcp/call-remote-tool.ts';
import type { ToolServices } from './tool-services.ts';

/** The catalogues that the check of a tool reads before anything is looked up. */
export interface ToolCatalogues {
  functions: FunctionCatalogue;
}

/** Finds what the `config` of a tool points to, in the workspace of the caller. */
export interface ToolLookups {
  /** @throws HoldfastError `CONNECTION_ACCESS_DENIED` when the caller has no such connection */
  getConnection: (id: string) => Promise<Connection>;
  findConnector: (id: string) => Promise<Connector | null>;
  findAgent: (id: string) => Promise<Pick<Agent, 'name'> | null>;
  hasKnowledgeBase: (id: string) => Promise<boolean>;
  /** Those of the names that belong to a connector or a connection. */
  findServerNames: (names: string[]) => Promise<ReadonlySet<string>>;
  /** The names of the operator's MCP catalogue; undefined when they are not known here. */
  mcpServers: readonly string[] | undefined;
  findWorkflow: (id: string) => ReturnType<WorkflowTargets['find']>;
  listWorkflows: () => ReturnType<WorkflowTargets['list']>;
}

/** A tool after its `config` was looked up, with what that added to it, and what is wrong with it. */
export interface CheckedTool<Type extends ToolType = ToolType> {
  tool: ToolInputOf<Type>;
  errors: FieldError[];
}

/** A tool as far as its effect depends on it. */
export type EffectiveTool<Type extends ToolType = ToolType> = {
  [Each in Type]: Pick<ToolInputOf<Each>, 'type' | 'name' | 'config' | 'settings'>;
}[Type];

/** Parts that know the effects of functions and of the operations of providers. */
export interface EffectSources {
  functions: Pick<FunctionRegistry, 'find'>;
  /** Without it all operations of providers are `unsafe`. */
  operations?: Pick<OperationEffects, 'effectOf'>;
}

/** A call that goes through a tool of the agent to a tool behind it. */
export interface InnerCall {
  /** `server:tool` */
  target: string;
  /** The tool behind it, as its server lists it now. */
  definition: ToolDefinition;
  /** The agent's own tools that lead to the same place. */
  twins: Tool[];
  /** The effect of a call of the tool behind it. */
  effect: ToolEffect;
  /** Returns why the call must not be sent: its tool is quarantined, or its arguments do not fit. */
  findRefusal: () => Promise<FailedResult | null>;
}

/** Services that the tools of an agent need. */
export interface ToolDependencies {
  /** For the addresses that a tenant or a model names. */
  fetch: GuardedFetch;
  mcp: McpToolDependencies;
  functions: FunctionRegistry;
  knowledge: { search: SearchKnowledge };
  now: () => Date;
  /** The services that core functions call. */
  services: Partial<ToolServices>;
}

interface ToolTypeParts<Type extends ToolType> {
  /** The value of a tool's `type`. */
  type: Type;
  /** The fields of a tool's `config`. All are optional: `needs` and `check` say which are missing. */
  config: z.ZodObject & z.ZodType<ToolConfigs[Type]>;
  /** The fields of `config` of which a tool has to have one. @default none */
  needs?: readonly (keyof ToolConfigs[Type] & string)[];
  /**
   * Adds the description and the schema that a caller has left out, for types whose tools have them anywhere else.
   * @default both are needed
   */
  complete?: (draft: ToolDraftOf<Type>, catalogues: ToolCatalogues) => ToolDraftOf<Type>;
  /** Says what is wrong with a tool, from the tool and the catalogues alone. The fields are relative to the tool. */
  check?: (tool: ToolInputOf<Type>, catalogues: ToolCatalogues) => FieldError[];
  /**
   * Checks that what `config` points to exists and belongs to the caller.
   * @throws HoldfastError `CONNECTION_ACCESS_DENIED` or `CONNECTION_NOT_ACTIVE`
   */
  checkTarget?: (tool: ToolInputOf<Type>, lookups: ToolLookups) => Promise<CheckedTool<Type>>;
  /** Whether a call changes nothing, whatever effect the operator has set for the tool. @default false */
  isHarmless?: (tool: EffectiveTool<Type>, toolArguments: JsonObject | undefined) => boolean;
  /** Whether the calls of a tool only wait for an answer, so that an attempt to run one sends nothing. @default false */
  onlyAsks?: (tool: ToolOf<Type>) => boolean;
  /** Whether a call destroys something, so that a person approves it unless the operator has set otherwise. @default false */
  destroys?: (tool: ToolOf<Type>, toolArguments: JsonObject) => boolean;
  /** The effect of a call when the operator has not set one. @default `unsafe` */
  effect?: (
    tool: EffectiveTool<Type>,
    toolArguments: JsonObject | undefined,
    sources: EffectSources,
  ) => ToolEffect;
  /** Finds the name of the connector, server or provider that answers a tool. @default none: it runs here */
  server?: (tool: ToolOf<Type>, connectors: AttachedConnector[]) => string | null;
  /** Finds the place that a tool leads to, which policies of other tools with the same place hold for; null for none. */
  place: (tool: ToolOf<Type>, connectors: AttachedConnector[]) => Place | null;
  /** One line on a call. @default its name and its most informative argument */
  summary?: (tool: ToolOf<Type>, toolArguments: JsonObject) => string;
}

/** A type of tool whose calls run inside one step of their turn. */
export interface StepToolType<Type extends ToolType = ToolType> extends ToolTypeParts<Type> {
  route: 'step';
  /**
   * Finds the tool behind the agent's tool that a call is for, before it is decided whether the call may run; null for
   * a call that is for none. Throws what a retry may mend. @default none
   */
  findInnerCall?: (
    run: ToolRun<Type>,
    dependencies: ToolDependencies,
  ) => Promise<InnerCall | FailedResult | null>;
  /** Runs one call. The turn's signal has not fired when it is called. */
  run: (run: ToolRun<Type>, dependencies: ToolDependencies) => ToolOutcome | Promise<ToolOutcome>;
}

/** A type of tool whose calls start a separate workflow, because its end may come later than a step can wait. */
export interface ChildToolType<Type extends ToolType = ToolType> extends ToolTypeParts<Type> {
  route: 'child';
  /** Prepares the child, or finds the one that an earlier attempt has prepared. */
  begin: BeginChildCall<Type>;
  /** Reads how the child has ended, waiting for it if there is time left. */
  end: EndChildCall<Type>;
  /** Whether a call that was cut off after it had started may have had an effect. */
  mayHaveActed: (call: StartedChildCall) => boolean;
}

/** All that Holdfast knows about one type of tool. */
export type ToolTypeRecord<Type extends ToolType = ToolType> = StepToolType<Type> | ChildToolType<Type>;
