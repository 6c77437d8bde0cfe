import { z } from 'zod';
import { approvalModes } from '../../../domain/approval.ts';

/** A workspace with the settings that hold for it: its own, or else those of the installation. */
export const workspaceSettingsSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** The age in days at which turns, deliveries and the like are removed; null keeps them. */
  retentionDays: z.int().nullable(),
  /** Whether people approve the calls that change something, of tools without a setting. */
  approval: z.enum(approvalModes),
  /** How long a turn waits for a worker, in milliseconds. */
  startTimeoutMs: z.int(),
  /** The maximum number of turns that run at once; null for no limit. */
  maxRunningTurns: z.int().nullable(),
});
export type WorkspaceSettings = z.infer<typeof workspaceSettingsSchema>;
