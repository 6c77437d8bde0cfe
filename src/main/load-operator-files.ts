import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { loadFunctions } from '../engines/functions/load-functions.ts';
import { loadMcpCatalogue, type McpCatalogue } from '../engines/mcp/mcp-catalogue.ts';
import { refuseBuiltInNames } from '../engines/tools/functions/function-registry.ts';
import { toToolFunction } from '../engines/tools/functions/own-function.ts';
import type { ToolFunction } from '../engines/tools/functions/tool-function.ts';
import { createWorkflowTargets, loadWorkflowCatalogue } from '../engines/tools/workflow-catalogue.ts';
import type { WorkflowTargets } from '../domain/workflow-target.ts';

/** The functions and catalogues that the operator of an installation adds in files. */
export interface OperatorFiles {
  functions: ToolFunction[];
  mcpCatalogue: McpCatalogue;
  workflowTargets: WorkflowTargets;
}

type FileConfig = Pick<Config, 'functions' | 'mcpConfigPath' | 'workflowsConfigPath' | 'environment'>;

/**
 * Loads the operator's functions and catalogues.
 * @throws HoldfastError `INVALID_INPUT` that names the invalid file
 */
export async function loadOperatorFiles(
  config: FileConfig,
  logger: Pick<Logger, 'warn'>,
): Promise<OperatorFiles> {
  const { mcpConfigPath: path, environment: env } = config;
  const functions = await loadOwnFunctions(config, logger);
  refuseBuiltInNames(functions);
  return {
    functions,
    workflowTargets: createWorkflowTargets(await loadWorkflowCatalogue(config.workflowsConfigPath)),
    mcpCatalogue: path === undefined ? new Map() : await loadMcpCatalogue({ path, env }),
  };
}

/**
 * Loads the operator's functions.
 * @throws HoldfastError `INVALID_INPUT` that names the invalid file
 */
export async function loadOwnFunctions(
  { functions: { source, secrets } }: Pick<Config, 'functions'>,
  logger: Pick<Logger, 'warn'>,
): Promise<ToolFunction[]> {
  const loaded = await loadFunctions(source);
  return loaded.map(({ definition, source: file }) => ({
    ...toToolFunction(definition, { secrets, logger }),
    source: file,
  }));
}
