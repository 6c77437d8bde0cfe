import { z } from 'zod';
import { HoldfastError } from '../../domain/errors.ts';

/** The schema of an optional address of an HTTP server. */
export const optionalUrl = z.url({ protocol: /^https?$/ }).optional();

/** The schema of the folder in which `npm start` keeps its data. */
export const dataDirSchema = z.string().min(1).default('.holdfast');

/**
 * Reads environment variables by a schema. An empty variable counts as not set.
 * @throws HoldfastError `INVALID_INPUT` that names each wrong variable and what it should be
 */
export function parseEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.output<Schema> {
  const present = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(present));
  if (!parsed.success) throw toConfigError(parsed.error);
  return parsed.data;
}

function toConfigError(error: z.ZodError): HoldfastError {
  const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return new HoldfastError('INVALID_INPUT', `Wrong settings in the environment. ${problems.join('; ')}`);
}
