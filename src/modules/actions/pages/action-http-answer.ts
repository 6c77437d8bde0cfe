import type { ShownAction } from '../find-shown-action.ts';
import type { ActorRef } from '../../../domain/actor.ts';
import { showInvisible, toVisibleJson } from '../../../domain/invisible-text.ts';
import { html, type Html } from '../../../platform/lib/html.ts';
import { toPage } from '../../../platform/http/page.ts';

/** The longest arguments that can be changed on the page, in characters; a form that is sent must not grow too large. */
const longestChange = 100_000;

/** The form of the page: where it goes, and what the person has written when it comes back with a problem. */
export interface DecisionForm {
  /** The address of the form. */
  target: string;
  token: string;
  problem?: string;
  reason?: string;
  /** JSON. */
  arguments?: string | undefined;
}

/** The page on which a person decides about a tool call. A call that was decided, or has ended, is shown as it is. */
export function toActionPage(action: ShownAction, form: DecisionForm): string {
  const isOpen = action.status === 'pending' && !action.is_expired;
  return toPage(
    isOpen ? `Let ${showInvisible(action.target ?? action.tool)} run?` : toStatus(action),
    html`${toRows(isOpen ? [...toFacts(action), ['Until', toTime(action.expires_at)]] : toFacts(action))}
    ${toArguments(action)} ${isOpen ? toForm(action, form) : toOutcome(action)}`,
  );
}

/** A page that says why a link opens nothing. */
export function toProblemPage(sentence: string): string {
  return toPage('Nothing to decide', html`<p>${sentence}</p>`);
}

function toFacts(action: ShownAction): [string, string][] {
  const askedBy = (action.asked_by ?? []).map(toName).join(', ');
  return [
    ['Tool', action.target ?? action.tool],
    ...(action.connections.length === 0
      ? []
      : [['Credentials of', action.connections.join(', ')] as [string, string]]),
    ['Agent', action.agent],
    ['Workspace', action.workspace],
    ...(askedBy === '' ? [] : [['Asked by', askedBy] as [string, string]]),
    ...(action.asked_because.length === 0
      ? []
      : [['Asks because', action.asked_because.join('; ')] as [string, string]]),
    ['Asked', toTime(action.created_at)],
  ];
}

function toRows(rows: [string, string][]): Html {
  return html`<dl>
    ${rows.map(
      ([term, text]) =>
        html`<dt>${term}</dt>
          <dd><bdi>${showInvisible(text)}</bdi></dd>`,
    )}
  </dl>`;
}

function toArguments({ arguments: proposed, approved_arguments: approved }: ShownAction): Html {
  const changed = approved && html`<p>A person approved it with these arguments instead:</p>`;
  return html`${changed ?? undefined}
    <pre>${toVisibleJson(approved ?? proposed)}</pre>`;
}

function toForm(action: ShownAction, form: DecisionForm): Html {
  return html`<form method="post" action="${form.target}">
    ${form.problem === undefined ? undefined : html`<p class="problem" role="alert">${showInvisible(form.problem)}</p>`}
    <input type="hidden" name="token" value="${form.token}" />
    ${toChange(action, form)}
    <label>
      Reason
      <input type="text" name="reason" maxlength="2000" value="${form.reason ?? ''}" />
    </label>
    <button class="main" name="decision" value="approve">Approve</button>
    <button name="decision" value="reject">Reject</button>
  </form>`;
}

function toChange({ arguments: proposed }: ShownAction, { arguments: written, problem }: DecisionForm) {
  const text = toVisibleJson(proposed);
  if (text.length > longestChange) return undefined;
  const field = html`<textarea name="arguments" aria-label="Arguments" rows="10" spellcheck="false">
${written ?? text}</textarea>`;
  return problem === undefined
    ? html`<details>
        <summary>Change the arguments</summary>
        ${field}
      </details>`
    : html`<details open>
        <summary>Change the arguments</summary>
        ${field}
      </details>`;
}

const statuses: Partial<Record<ShownAction['status'], string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
};

function toStatus({ status, tool, target }: ShownAction): string {
  return `${statuses[status] ?? 'Expired'}: ${showInvisible(target ?? tool)}`;
}

function toOutcome(action: ShownAction): Html {
  const { decided_by: by, decided_at: at, reason } = action;
  if (!by || !at) return html`<p>Nobody has to decide about this call any more.</p>`;
  const remembered = by.grantId === undefined ? '' : ', by an approval that was remembered';
  const rows: [string, string][] = [
    ['Decided by', `${toName(by)}${remembered}`],
    ['Decided', toTime(at)],
    ...(reason === null ? [] : [['Reason', reason] as [string, string]]),
  ];
  return html`${toRows(rows)}
    <p>You may close this page.</p>`;
}

function toName({ apiKeyId, actingFor }: ActorRef): string {
  return actingFor ?? (apiKeyId === null ? 'somebody in Temporal' : `the API key ${apiKeyId}`);
}

function toTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
