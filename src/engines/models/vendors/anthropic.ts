import { createAnthropic } from '@ai-sdk/anthropic';
import { anthropicFiles } from '../file-support.ts';
import type { HostedVendor } from '../model-vendor.ts';
import { messagesPieces } from '../pieces/messages-pieces.ts';
import { isClosedSchema } from '../schemas/closed-schema.ts';

/**
 * Models that reason with a budget. Later ones reason as they like, and want none in front.
 * See https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking.
 */
const reasonsByBudget = /^claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8})?$)/;

/** Models of Anthropic, through its Messages API. */
export const anthropic: HostedVendor = {
  kind: 'hosted',
  apiKeyVariable: 'ANTHROPIC_API_KEY',
  needsApiKey: true,
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  publicBaseUrl: 'https://api.anthropic.com/v1',
  keyPattern: /\bsk-ant-[\w*.-]{4,}/g,
  toKeyHeaders: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  connect: ({ apiKey = '', ...options }) => createAnthropic({ apiKey, ...options }),
  pieces: messagesPieces,
  makesEmbeddings: false,
  makesImages: false,
  takesIdempotencyKey: true,
  declaresWithheldTools: true,
  declaresFormerTools: true,
  // The vendor wants entries of an hour before those of five minutes, so all marks of a request are alike.
  toCacheMark: (isForHour) => ({ cacheControl: { type: 'ephemeral', ...(isForHour && { ttl: '1h' }) } }),
  beginsWithReasoning: (modelId) => reasonsByBudget.test(modelId),
  optionsName: 'anthropic',
  toSchemaOptions: ({ schema }) => (isClosedSchema(schema) ? { structuredOutputMode: 'outputFormat' } : null),
  files: anthropicFiles,
  // See https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes, which says what a custom tool may have.
  tools: { refusedOnTop: ['oneOf', 'anyOf', 'allOf'], fieldName: /^[a-zA-Z0-9_.-]{1,64}$/ },
  toParallelOptions: (allowed) => ({ disableParallelToolUse: !allowed }),
};
