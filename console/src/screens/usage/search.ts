/** The measures that the chart shows. */
export const measures = ['cost', 'tokens', 'turns'] as const;
export type Measure = (typeof measures)[number];

/** The lengths of the time up to today that can be chosen, in days. */
export const periods = ['7', '30', '90'] as const;
type Period = (typeof periods)[number];

/** What is shown of the usage, as it stands in the address. */
export interface UsageSearch {
  show: Measure;
  /** How many days up to today are shown; `from` and `to` go before it. */
  days?: Period;
  /** The first day and the last one, in UTC, such as `2026-01-31`. */
  from?: string;
  to?: string;
  agentId?: string;
  person?: string;
}

const texts = ['agentId', 'person'] as const;
const dates = ['from', 'to'] as const;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Reads what is shown of the usage from an address. */
export function parseUsageSearch(given: Record<string, unknown>): UsageSearch & Record<string, unknown> {
  const days = periods.find((one) => one === String(given['days']));
  const keep = (name: string, isFit: (text: string) => boolean) => {
    const value = given[name];
    return typeof value === 'string' && isFit(value) ? { [name]: value } : {};
  };
  return Object.assign(
    { show: measures.find((one) => one === given['show']) ?? 'cost' },
    days === undefined ? {} : { days },
    ...texts.map((name) => keep(name, (text) => text !== '')),
    ...dates.map((name) => keep(name, (text) => dayForm.test(text) && !Number.isNaN(Date.parse(text)))),
  ) as UsageSearch & Record<string, unknown>;
}
