import type { Viewer } from '../../../domain/actor.ts';

/**
 * The condition of SQL that limits entries `e` to those that a viewer sees, in a transaction with the rows of the viewer: all of a
 * workspace, or those of the conversations that a person sees.
 */
export const toSeenEntries = ({ reach }: Pick<Viewer, 'reach'>): string =>
  reach === 'own' ? 'AND EXISTS (SELECT FROM conversations seen WHERE seen.id = e.conversation_id)' : '';
