import { z } from 'zod';
import { dollarMessage, dollarPattern, parseDollars } from './dollars.ts';
import { measureCall, wrapperTokens, type SizedCall } from './measure-call.ts';
import type { Usage } from './model.ts';
import { toCostUsd, type ModelPrice } from './prices.ts';

/** A whole number of credits, millionths of a US dollar, as decimal text. */
export const creditTextSchema = z.string().regex(/^[0-9]+$/);

/** The maximum number of credits of one call and of one budget: a billion US dollars, which a number holds exactly. */
const mostCredits = 1_000_000_000_000_000n;

/** A number of credits as callers write it: decimal text, or a number. */
export const creditInputSchema = z
  .union([z.string().regex(/^[0-9]{1,16}$/, 'expected a whole number of credits'), z.int().min(0)])
  .transform((value) => BigInt(value))
  .refine((value) => value <= mostCredits, `expected at most ${mostCredits} credits`);

const creditsPerUsd = 1_000_000;

/** An amount of US dollars as callers write it, decimal text or a number, which becomes credits. */
export const dollarInputSchema = z
  .union([z.string().regex(dollarPattern, dollarMessage), z.number().min(0)])
  .transform((value, context) => {
    const credits = parseDollars(typeof value === 'string' ? value : toDecimals(value));
    if (credits === null) context.addIssue({ code: 'custom', message: dollarMessage });
    return credits ?? 0n;
  });

/** Returns a number as decimal text: all of its decimals, but for the rounding errors of sums such as 0.1 + 0.2. */
function toDecimals(value: number): string {
  const text = value.toFixed(6);
  return Math.abs(Number(text) - value) < 1e-9 * Math.max(1, value) ? text : String(value);
}

/** Smaller than every price of a token, and larger than the rounding errors of a sum of them. */
const rounding = 1e-6;

/** Returns US dollars as credits, rounded up. */
export function toCredits(usd: number): bigint {
  const credits = BigInt(Math.max(0, Math.ceil(usd * creditsPerUsd - rounding)));
  return credits < mostCredits ? credits : mostCredits;
}

/** Returns what a model call has cost, rounded up; null for a model without a price. */
export function toModelCredits(usage: Usage, price: ModelPrice | undefined): bigint | null {
  const usd = toCostUsd(usage, price);
  return usd === null ? null : toCredits(usd);
}

/** The maximum number of tokens of an answer under a budget when neither the call nor the price of its model says it. */
const defaultOutputTokens = 16_384;

const noTokens: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** The maximum cost of a model call, and the limit of its answer for which that holds. */
export interface CallEstimate {
  credits: bigint;
  maxOutputTokens: number;
}

/** Returns the maximum cost of a call: a token is at least one byte of its text. */
export function estimateCall(call: SizedCall, price: ModelPrice): CallEstimate {
  const maxOutputTokens = call.maxOutputTokens ?? price.maxOutputTokens ?? defaultOutputTokens;
  const { bytes, texts, fileTokens } = measureCall(call);
  const inputTokens = bytes + texts * wrapperTokens + fileTokens;
  const { input, cacheRead = input, cacheWrite = input } = price;
  const dearest = { ...price, input: Math.max(input, cacheRead, cacheWrite) };
  const usage = { ...noTokens, inputTokens, outputTokens: maxOutputTokens };
  return { credits: toModelCredits(usage, dearest) ?? 0n, maxOutputTokens };
}

/** The fewest tokens of an answer for which a model is called under a budget. */
const leastOutputTokens = 2_048;

/**
 * Shortens the answer of a call, which may have `most` tokens, until its maximum cost is left of a budget. Null when that
 * is too short for one.
 */
export function fitCall(
  call: SizedCall,
  price: ModelPrice,
  { most, left }: { most: number; left: bigint },
): CallEstimate | null {
  const request = estimateCall({ ...call, maxOutputTokens: 0 }, price);
  // A price is in US dollars for a million tokens, which is credits for one. The token less makes up for rounding.
  const fitting = Math.floor(Number(left - request.credits) / price.output) - 1;
  const maxOutputTokens = Math.min(most, fitting);
  if (!(maxOutputTokens >= Math.min(most, leastOutputTokens))) return null;
  return estimateCall({ ...call, maxOutputTokens }, price);
}

/** Returns what the embedding of texts has cost, rounded up; null for a model without a price. */
export function toEmbeddingCredits(tokens: number, price: ModelPrice | undefined): bigint | null {
  return toModelCredits({ ...noTokens, inputTokens: tokens }, price);
}

/** Returns the maximum cost of the embedding of texts: a token is at least one byte of its text. */
export function estimateEmbedding(texts: readonly string[], price: ModelPrice): bigint {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + wrapperTokens, 0);
  return toEmbeddingCredits(bytes, price) ?? 0n;
}

/** Names a run of a replay's case in the ledger of credits. */
export function toCreditPart({
  position,
  lane,
  repeat,
}: {
  position: number;
  lane: string;
  repeat: number;
}): string {
  return `run/${position}/${lane}/${repeat}`;
}
