import { listVerdicts, toTrustLine, type VerdictRow } from '../../compare/judge-words.ts';
import type { ReportHead } from '../replay-report.ts';
import { html, type Html } from '../../../../platform/lib/html.ts';
import { toTable } from './table.ts';

/** The verdicts of the judge about the candidate; nothing for a replay without a judge. */
export function toJudgeSection({ summary, lanes, replay }: ReportHead): Html | undefined {
  const { judge } = summary;
  if (!judge) return undefined;
  const { model = '', rubric = '' } = replay.input.judge ?? {};
  return html`<section>
    <h2>Judge</h2>
    ${toTable({
      label: 'Verdicts of the judge',
      head: html`<th scope="col">candidate's answer</th>
        <th scope="col">runs</th>
        <th scope="col">share</th>
        <th scope="col">95 % interval</th>`,
      rows: listVerdicts(judge).map(toRow),
    })}
    <p class="quiet">${model} judged: ${toTrustLine(judge, lanes.candidate?.runs ?? 0)}.</p>
    <details>
      <summary class="plain">Rubric</summary>
      <pre class="body">${rubric}</pre>
    </details>
  </section>`;
}

function toRow({ verdict, count, share, interval }: VerdictRow): Html {
  return html`<tr>
    <th scope="row"><span class="badge ${verdict}">${verdict}</span></th>
    <td>${count}</td>
    <td>${share}</td>
    <td>${interval}</td>
  </tr>`;
}
