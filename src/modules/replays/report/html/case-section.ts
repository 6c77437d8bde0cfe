import type { ReportHead } from '../replay-report.ts';
import { toCountText } from '../../replay-words.ts';
import { html, type Html } from '../../../../platform/lib/html.ts';

/** The list of cases, which the script of the page fills. */
export function toCaseSection({ casesLeftOut, summary }: ReportHead): Html {
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
