import type { CreateTriggerData, Trigger, UpdateTriggerData } from '../../api/types.ts';
import { parseJson } from '../../ui/parse-json.ts';

type Body = CreateTriggerData['body'];
type Change = UpdateTriggerData['body'];

/** A trigger as a form has it. */
export interface TriggerDraft {
  name: string;
  provider: string;
  /** How a custom sender signs, as JSON. */
  rule: string;
  secret: string;
  /** A type in each line. */
  events: string;
  filter: string;
  bots: 'no' | 'yes';
  kind: Trigger['action']['kind'];
  place: 'agent' | 'conversation';
  agentId: string;
  conversationKey: string;
  conversationId: string;
  message: string;
  actingFor: string;
  routineId: string;
  input: string;
  maxPerMinute: string;
}

/** A part of a form for a trigger. */
export interface DraftProps {
  draft: TriggerDraft;
  onChange: (change: Partial<TriggerDraft>) => void;
  /** The messages of the API by the names of its fields. */
  errors: Readonly<Record<string, string>>;
}

/** A rule to begin with: a signature over the body alone. */
const exampleRule = { signature: { header: 'x-signature', encoding: 'hex', content: '{body}' } };

/** A trigger that nobody has filled in. */
export const emptyDraft: TriggerDraft = {
  ...{ name: '', provider: 'github', rule: JSON.stringify(exampleRule, null, 2), secret: '', events: '*' },
  ...{ filter: '', bots: 'no', kind: 'turn', place: 'agent', agentId: '', conversationKey: '' },
  ...{ conversationId: '', message: '', actingFor: '', routineId: '', input: '', maxPerMinute: '' },
};

/** Returns the fields of a form for a stored trigger. */
export function toDraft({
  name,
  provider,
  events,
  filter,
  includeBots,
  action,
  maxPerMinute,
}: Trigger): TriggerDraft {
  const draft: TriggerDraft = {
    ...{ ...emptyDraft, name, provider, events: events.join('\n'), filter: filter ?? '' },
    ...{ bots: includeBots ? 'yes' : 'no', maxPerMinute: String(maxPerMinute) },
  };
  if (action.kind === 'routine')
    return { ...draft, kind: 'routine', routineId: action.routineId, input: action.input ?? '' };
  const { agentId = '', conversationId = '', conversationKey = '', message = '', actingFor = '' } = action;
  const place = conversationId === '' ? 'agent' : 'conversation';
  return { ...draft, ...{ place, agentId, conversationId, conversationKey, message, actingFor } };
}

/** Returns the change of a trigger for a form; undefined while something in it is missing or wrong. */
export function toChange(
  draft: TriggerDraft,
): (Change & Pick<Body, 'name' | 'events' | 'action'>) | undefined {
  const action = toAction(draft);
  const events = draft.events.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const limit = draft.maxPerMinute.trim();
  if (!action || events.length === 0 || draft.name.trim() === '') return undefined;
  if (limit !== '' && !/^[1-9]\d*$/.test(limit)) return undefined;
  return {
    ...{ name: draft.name.trim(), events, action, includeBots: draft.bots === 'yes' },
    filter: draft.filter.trim() === '' ? null : draft.filter,
    ...(limit === '' ? {} : { maxPerMinute: Number(limit) }),
  };
}

/** Returns the request for a new trigger; undefined while something in the form is missing or wrong. */
export function toBody(draft: TriggerDraft): Body | undefined {
  const change = toChange(draft);
  const { provider, secret } = draft;
  const rule = provider === 'custom' ? parseJson(draft.rule) : null;
  if (!change || provider === '' || rule === undefined) return undefined;
  return {
    ...{ ...change, provider },
    // The API checks what it has.
    ...(rule === null ? {} : { rule: rule as object as NonNullable<Body['rule']> }),
    ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
  };
}

function toAction(draft: TriggerDraft): Body['action'] | undefined {
  const { kind, place, routineId, input, message, actingFor, conversationKey } = draft;
  if (kind === 'routine')
    return routineId === '' ? undefined : { kind, routineId, ...(input.trim() === '' ? {} : { input }) };
  const id = (place === 'agent' ? draft.agentId : draft.conversationId).trim();
  if (id === '') return undefined;
  const hasKey = place === 'agent' && conversationKey.trim() !== '';
  return {
    kind,
    ...(place === 'agent' ? { agentId: id } : { conversationId: id }),
    ...(hasKey ? { conversationKey: conversationKey.trim() } : {}),
    ...(message.trim() === '' ? {} : { message }),
    ...(actingFor.trim() === '' ? {} : { actingFor: actingFor.trim() }),
  };
}
