import type { Agent } from '../../api/types.ts';
import type { Basket } from './basket.ts';
import type { Present } from './offers.ts';

/** What every source of tools gets. */
export interface SourceProps {
  agent: Agent;
  /** The tools that the agent has, with their states. */
  present: Present;
  basket: Basket;
  /** Called with the name of a connector whose tools the agent has got. */
  onProvisioned: (connector: string) => void;
}
