import { toolEffects, type Tool, type ToolEffect } from '../../../domain/tool.ts';

interface InnerEffectSources {
  gateway: Pick<Tool, 'settings'>;
  /** The agent's own tools that lead to the same place. */
  twins: readonly Pick<Tool, 'settings'>[];
  /** The effect that the server of the tool names. */
  named: ToolEffect | undefined;
}

/**
 * Returns the effect of a call through a gateway: the one that the operator has set for the gateway, else the strictest one
 * that the operator has set for the agent's own tools of the same place, else the one that the server names, else `unsafe`.
 */
export function innerEffectOf({ gateway, twins, named }: InnerEffectSources): ToolEffect {
  const own = twins.flatMap(({ settings }) => settings?.effect ?? []);
  const strictest = toolEffects.findLast((effect) => own.includes(effect));
  return gateway.settings?.effect ?? strictest ?? named ?? 'unsafe';
}
