import { z } from 'zod';

/** An id or a name in the `config` of a tool. */
export const configText = z.string().max(200).optional();
