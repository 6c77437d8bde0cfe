import { html } from '../../../platform/lib/html.ts';
import type { BuiltReport } from './build-report.ts';
import type { ReportPage } from './read-report-page.ts';
import type { ReportHead } from '../../../domain/replay-report.ts';
import { toScriptJson } from './texts.ts';
import { toJsonPieces } from './to-json.ts';

/** The headers of a page, which may stand in no frame. */
export function toHtmlHeaders({ policy }: ReportPage): Record<string, string> {
  return {
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** Writes a report as one page that loads nothing, in pieces. Its data is JSON in a script that is not run. */
export function* toHtmlPieces(report: BuiltReport, page: ReportPage): Generator<string> {
  yield toTop(report.head, page);
  yield '<script type="application/json" id="report">';
  yield* toJsonPieces(report, toScriptJson);
  yield '</script>\n';
  // Its hash is in the policy: nothing may stand around the text.
  yield `<script>${page.script}</script>\n</body>\n</html>\n`;
}

function toTop({ replay }: ReportHead, { style, policy }: ReportPage): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8" />',
    html`<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    '<meta name="viewport" content="width=device-width, initial-scale=1" />',
    '<meta name="color-scheme" content="light dark" />',
    html`<title>${replay.name} · Holdfast</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    '<noscript><p>This report needs JavaScript. As Markdown it needs none.</p></noscript>',
    '',
  ].join('\n');
}
