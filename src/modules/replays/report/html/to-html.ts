import { createHash } from 'node:crypto';
import type { ReportHead } from '../replay-report.ts';
import { html, type Html } from '../../../../platform/lib/html.ts';
import type { BuiltReport } from '../build-report.ts';
import { toScriptJson } from '../texts.ts';
import { toJsonPieces } from '../to-json.ts';
import { pageScript } from '../generated/page-script.ts';
import { pageStyle } from './page-style.ts';
import { toHeader, toOverview } from './sections.ts';
import { toCountText } from '../../replay-words.ts';

/** Returns the policy of the page, which may run its own script and use its own style, and nothing else. */
function toPolicy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; script-src ${hash(pageScript)}; style-src ${hash(pageStyle)}; base-uri 'none'; form-action 'none'`;
}

/** The headers of a page, which may stand in no frame. */
export function htmlHeaders(): Record<string, string> {
  return {
    'content-security-policy': `${toPolicy()}; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** Writes a report as one page that loads nothing, in pieces. Its data is JSON in a script that is not run. */
export function* toHtmlPieces(report: BuiltReport): Generator<string> {
  yield toTop(report.head).toString();
  yield '<script type="application/json" id="report">';
  yield* toJsonPieces(report, toScriptJson);
  yield '</script>\n';
  // Its hash is in the policy: nothing may stand around the text.
  yield `<script>${pageScript}</script>\n</body>\n</html>\n`;
}

function toTop(head: ReportHead): Html {
  const style = { isHtml: true, toString: () => `<style>${pageStyle}</style>` } as const;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${toPolicy()}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${head.replay.name} · Holdfast replay</title>
        ${style}
      </head>
      <body>
        ${toHeader(head)}
        <main>${toOverview(head)} ${toCaseSection(head)}</main>
      </body>
    </html> `;
}

/** The list of cases, which the script of the page fills. */
function toCaseSection({ casesLeftOut, summary }: ReportHead): Html {
  const note = html`<p class="notice">
    ${toCountText(casesLeftOut, 'case')} that changed less are left out.
  </p>`;
  return html`<section>
    <h2>Cases</h2>
    ${casesLeftOut > 0 ? note : undefined}
    <div class="filters">
      <p class="search">
        <label for="search">Search</label>
        <input type="search" id="search" placeholder="message, answer, tool, difference" />
      </p>
      ${toFilter('verdict', 'Result')} ${toFilter('trajectory', 'Trajectory')}
      ${toFilter('kind', 'Difference')} ${toFilter('tool', 'Tool')}
      ${toFilter('judge', 'Judge', summary.judge === null)}
    </div>
    <p id="count" class="quiet" role="status"></p>
    <div id="cases"></div>
    <nav class="pages" aria-label="Pages of cases">
      <button type="button" id="previous">Previous</button>
      <span id="page" class="quiet"></span>
      <button type="button" id="next">Next</button>
    </nav>
    <noscript><p class="notice">The list of cases needs JavaScript.</p></noscript>
  </section>`;
}

function toFilter(id: string, label: string, isHidden = false): Html {
  return html`<p ${isHidden ? html`hidden` : undefined}>
    <label for="${id}">${label}</label>
    <select id="${id}"></select>
  </p>`;
}
