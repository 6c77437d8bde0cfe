import { invalid } from '../../../clients/cli/option-values.ts';

/** The smallest differences that matter, as shares; those that are left out are the ones of the replay. */
export interface MarginOptions {
  margins?: string[];
}

const names: Record<string, 'passed' | 'scores' | 'costUsd' | 'durationMs'> = {
  passed: 'passed',
  scores: 'scores',
  cost: 'costUsd',
  latency: 'durationMs',
};

/**
 * Parses margins such as `passed=0.05`, `cost=0.2` and `latency=0.5`; undefined without any.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function parseMargins(parts: readonly string[] | undefined) {
  if (parts === undefined) return undefined;
  const entries = parts.map((part) => {
    const [, name = '', digits = ''] = /^\s*(\w+)=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    const field = Object.hasOwn(names, name) ? names[name] : undefined;
    if (field) return [field, Number(digits)] as const;
    throw invalid(
      `--margin takes passed=0.1, scores=0.1, cost=0.1 and latency=0.1; found ${JSON.stringify(part)}`,
    );
  });
  return Object.fromEntries(entries) as Partial<Record<(typeof names)[string], number>>;
}
