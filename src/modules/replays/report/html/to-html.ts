import { createHash } from 'node:crypto';
import type { ReportHead } from '../replay-report.ts';
import { html, type Html } from '../../../../platform/lib/html.ts';
import type { BuiltReport } from '../build-report.ts';
import { toScriptJson } from '../texts.ts';
import { toJsonPieces } from '../to-json.ts';
import { pageScript } from '../generated/page-script.ts';
import { pageStyle } from './page-style.ts';
import { toCaseSection } from './case-section.ts';
import { toHeader, toOverview } from './sections.ts';

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
