import { z } from 'zod';
import { deciderSchema } from '../../domain/action.ts';
import { jsonObjectSchema } from '../../domain/json-value.ts';
import { grantScopes } from '../../domain/remember-input.ts';

/** An approval that is remembered for later calls, as the API shows it. Times are ISO 8601. */
export const approvalGrantSchema = z.object({
  id: z.string(),
  scope: z.enum(grantScopes),
  /** The id of the conversation, the agent or the workspace in which it holds. */
  scopeId: z.string(),
  tool: z.string(),
  /** `server:tool` when the approved call went through a gateway: only calls of the same tool are approved. */
  target: z.string().nullable(),
  /** The values that the arguments of a call must have, by their dotted paths. */
  pins: jsonObjectSchema,
  until: z.string(),
  /** The action whose decision was remembered. */
  actionId: z.string(),
  createdAt: z.string(),
  createdBy: deciderSchema,
  revokedAt: z.string().nullable(),
  revokedBy: deciderSchema.nullable(),
});
export type ApprovalGrant = z.infer<typeof approvalGrantSchema>;
