/** What the list of agents shows. */
export interface AgentsSearch {
  /** A text of the names, models, tools or projects. */
  search?: string;
  /** Shows the deleted agents in place of those in use. */
  state?: 'deleted';
}

/** Reads what the list of agents shows from an address. */
export function parseAgentsSearch(given: Record<string, unknown>): AgentsSearch & Record<string, unknown> {
  // The router reads digits as a number.
  const search = ['string', 'number'].includes(typeof given['search']) ? String(given['search']) : '';
  return {
    ...(search === '' ? {} : { search }),
    ...(given['state'] === 'deleted' ? { state: 'deleted' as const } : {}),
  };
}

/** The views of one agent. */
export const agentTabs = ['configuration', 'tools', 'versions'] as const;

/** What the page of one agent shows. */
export interface AgentSearch {
  tab: (typeof agentTabs)[number];
  /** The id of the tool that is open. */
  tool?: string;
  /** The number of the version that is shown. */
  version?: number;
  /** The number of the version that it is compared with. @default the one before it */
  against?: number;
}

const toNumber = (value: unknown) => {
  const number = Number(value);
  return Number.isInteger(number) && number > 0 ? number : undefined;
};

/** Reads what the page of one agent shows from an address. */
export function parseAgentSearch(given: Record<string, unknown>): AgentSearch & Record<string, unknown> {
  const tab = agentTabs.find((one) => one === given['tab']) ?? 'configuration';
  const { tool } = given;
  const [version, against] = [toNumber(given['version']), toNumber(given['against'])];
  return {
    tab,
    ...(tab === 'tools' && typeof tool === 'string' && tool !== '' ? { tool } : {}),
    ...(tab === 'versions' && version !== undefined ? { version } : {}),
    ...(tab === 'versions' && against !== undefined ? { against } : {}),
  };
}
