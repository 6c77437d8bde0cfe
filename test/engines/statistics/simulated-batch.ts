import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { CaseMetrics, PairedCase } from '../../../src/engines/statistics/metrics.ts';

/** Numbers drawn from a seed. */
export interface Draw {
  uniform: () => number;
  normal: () => number;
}

/** A true difference of the second version: as many fewer cases pass, or the values are that much higher. */
export interface TrueDifference {
  metric: string;
  size: number;
}

interface BatchInput {
  draw: Draw;
  conversations: number;
  /** Each conversation has one to this many cases. */
  mostCases: number;
  truth?: TrueDifference;
}

export function createDraw(seed: number): Draw {
  const generator = xoroshiro128plus(seed);
  for (let index = 0; index < 64; index++) generator.next();
  const uniform = () => ((generator.next() >>> 0) + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/**
 * Draws a batch whose cases depend on their conversation, and on how each version does in that conversation, so that
 * differences within a conversation resemble each other. Costs and durations are log-normal.
 */
export function simulateBatch({ draw, conversations, mostCases, truth }: BatchInput): PairedCase[] {
  return Array.from({ length: conversations }, (_, index) => {
    const conversation = drawEffects(draw);
    const versions = [drawEffects(draw), drawEffects(draw)] as const;
    const cases = 1 + Math.floor(draw.uniform() * mostCases);
    return Array.from({ length: cases }, (): PairedCase => {
      const first = drawCase({ draw, conversation, version: versions[0] });
      const second = drawCase({ draw, conversation, version: versions[1], ...(truth && { truth }) });
      return { conversationId: `conversation-${index}`, first, second };
    });
  }).flat();
}

interface Effects {
  pass: number;
  cost: number;
  duration: number;
  score: number;
}

const drawEffects = ({ normal }: Draw): Effects => ({
  pass: normal(),
  cost: normal(),
  duration: normal(),
  score: normal(),
});

interface CaseInput {
  draw: Draw;
  conversation: Effects;
  version: Effects;
  truth?: TrueDifference;
}

function drawCase({ draw, conversation, version, truth }: CaseInput): CaseMetrics {
  const toShift = (metric: string): number => (truth?.metric === metric ? truth.size : 0);
  const chance = toPassChance(conversation.pass, version.pass) * (1 - toShift('passed') / meanPassChance);
  const single = drawEffects(draw);
  return {
    passed: draw.uniform() < chance,
    costUsd: 0.01 * Math.exp(conversation.cost + 0.4 * version.cost + 0.3 * single.cost) + toShift('costUsd'),
    durationMs:
      2_000 * Math.exp(0.7 * conversation.duration + 0.3 * version.duration + 0.5 * single.duration) +
      toShift('durationMs'),
    scores: {
      quality:
        0.8 +
        0.1 * conversation.score +
        0.08 * version.score +
        0.05 * single.score -
        toShift('scores.quality'),
    },
  };
}

const toPassChance = (conversation: number, version: number): number =>
  1 / (1 + Math.exp(-(1.2 + 1.2 * conversation + 0.8 * version)));

const meanPassChance = (() => {
  const draw = createDraw(1);
  const draws = 100_000;
  let sum = 0;
  for (let index = 0; index < draws; index++) sum += toPassChance(draw.normal(), draw.normal());
  return sum / draws;
})();
