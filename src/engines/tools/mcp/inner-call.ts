import type { FailedResult, ToolOutcome, ToolRun } from '../../../domain/tool.ts';
import { hintedEffect } from '../tool-definition.ts';
import type { InnerCall } from '../tool-type.ts';
import { deadlineOf, orFailedResult, type McpToolDependencies } from './call-remote-tool.ts';
import {
  findServer,
  findServerTool,
  refuseServerCall,
  sendServerCall,
  toGatewayArguments,
  toolNotFound,
  toolsWithSameTarget,
} from './gateway-servers.ts';
import { innerEffectOf } from './inner-effect.ts';
import { findGatewayCall, toGatewayId, type GatewayCall } from './mcp-target.ts';

/**
 * Finds the tool that a call of a gateway is for, as its server lists it now; null for a call that is for no tool. A tool
 * that is not found is a failed result, as is a server that refuses for good.
 * @throws HoldfastError when the server may answer later; the signal's reason when aborted
 */
export async function findInnerCall(
  dependencies: McpToolDependencies,
  run: ToolRun<'mcp'>,
): Promise<InnerCall | FailedResult | null> {
  const wanted = run.tool.config.gateway === true ? findGatewayCall(run.arguments) : null;
  return wanted && orFailedResult(() => findInnerTool(dependencies, run, wanted));
}

/** Finds the tool of a call through a gateway; `send` makes the call, if it may be made. */
export async function findInnerTool(
  dependencies: McpToolDependencies,
  run: ToolRun<'mcp'>,
  wanted: GatewayCall,
): Promise<(InnerCall & { send: () => Promise<ToolOutcome> }) | FailedResult> {
  const server = await findServer(dependencies, run, wanted.server);
  if (!server) return toolNotFound(wanted);
  const place = { run, tool: wanted.tool, deadline: deadlineOf(run) };
  const definition = await findServerTool(dependencies, server, place);
  if (!definition) return toolNotFound(wanted);
  const call = { ...place, arguments: toGatewayArguments(run.arguments), definition };
  const twins = toolsWithSameTarget(run, server, wanted.tool);
  const named = server.kind === 'provider' ? server.effectOf(wanted.tool) : hintedEffect(definition);
  return {
    target: toGatewayId(wanted),
    definition,
    twins,
    effect: innerEffectOf({ gateway: run.tool, twins, named }),
    findRefusal: () => refuseServerCall(dependencies, server, call),
    send: () => sendServerCall(dependencies, server, call),
  };
}
