import type { Consent } from './consent.ts';
import { html, type Html } from '../../../platform/lib/html.ts';
import { toPage } from '../../../platform/http/page.ts';

/** The page at the end of an authorization: one sentence, and the way back where the caller has named one. */
export function toEndPage(title: string, sentence: string, returnUrl: string | null): string {
  const back = returnUrl === null ? undefined : toBackLink(returnUrl);
  return toPage(
    title,
    html`<p>${sentence}</p>
      ${back}`,
  );
}

/** The text has the host, so that a person sees where the link leads. */
function toBackLink(returnUrl: string): Html {
  return html`<p><a href="${returnUrl}">Back to ${new URL(returnUrl).host}</a></p>`;
}

/** The fields that the page of a consent sends back. */
interface ConsentForm {
  /** The address of the form. */
  action: string;
  /** The address at which the consent starts again. */
  startUrl: string;
  fields: Record<string, string | undefined>;
}

/** The page that names the connection and the workspace before anything is stored. */
export function toConsentPage(consent: Consent, { action, startUrl, fields }: ConsentForm): string {
  const { connection, workspace, provider, endpoint, server, scopes } = consent;
  const rows: [string, string][] = [
    ['Connection', connection],
    ['Workspace', workspace],
    ['Reaches', endpoint ?? provider],
    ['Your account at', server],
    ...(scopes.length === 0 ? [] : [['Permissions', scopes.join(', ')] as [string, string]]),
  ];
  const body = html`<p>
      ${server} has agreed. If you connect it, everybody who uses this workspace, and its agents, can act
      there with your account.
    </p>
    <dl>
      ${rows.map(
        ([term, text]) =>
          html`<dt>${term}</dt>
            <dd><bdi>${text}</bdi></dd>`,
      )}
    </dl>
    <p>Connect it only if you asked for this yourself and know the workspace.</p>
    <form method="post" action="${action}">
      ${Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
      )}
      <button class="main" name="decision" value="connect">Connect</button>
      <button name="decision" value="refuse">Do not connect</button>
      <a href="${startUrl}">Use another account</a>
    </form>`;
  return toPage(`Connect ${connection}?`, body);
}
