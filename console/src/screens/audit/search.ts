/** The filters of the audit log and the chosen event, as they stand in the address. */
export interface AuditSearch {
  /** What was done, such as `tool.executed`. */
  type?: string;
  /** The id of what it was done to. */
  subjectId?: string;
  /** The person or the id of the API key that did it. */
  person?: string;
  apiKeyId?: string;
  /** The first day and the last one, in UTC, such as `2026-01-31`. */
  from?: string;
  to?: string;
  /** The number of the chosen event. */
  event?: number;
}

const forms = {
  type: /^\S{1,100}$/,
  subjectId: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  person: /^\S(.{0,198}\S)?$/u,
  apiKeyId: /^\S{1,100}$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
};

/** Reads the filters of an address; what is none of them is left out. */
export function parseAuditSearch(given: Record<string, unknown>): AuditSearch & Record<string, unknown> {
  const texts = Object.entries(forms).filter(([name, form]) => {
    const value = given[name];
    return typeof value === 'string' && form.test(value);
  });
  const event = Number(given['event']);
  return {
    ...Object.fromEntries(texts.map(([name]) => [name, given[name]])),
    ...(Number.isSafeInteger(event) && event > 0 ? { event } : {}),
  };
}

/** Returns the filters of what is shown, without the chosen event. */
export function toFilters(search: AuditSearch): Omit<AuditSearch, 'event'> {
  const { type, subjectId, person, apiKeyId, from, to } = search;
  return {
    ...(type === undefined ? {} : { type }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(person === undefined ? {} : { person }),
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
