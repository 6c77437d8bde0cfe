import { z } from 'zod';

/** The name of a tool. A name that a model vendor refuses is sent to that vendor in another form. */
export const toolNameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_.:/-]+$/, 'expected letters, digits, "_", "-", ".", ":" and "/" only');
