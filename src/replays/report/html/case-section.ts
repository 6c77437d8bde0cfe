import type { ReportHead } from '../../../domain/replay-report.ts';
import { toCountText } from '../../../domain/replay-words.ts';
import { html, type Html } from '../../../lib/html.ts';

/** The list of cases, which the script of the page fills. */
export function toCaseSection({ casesLeftOut, summary }: ReportHead): Html {
  const note = html`<p class="notice">
    ${toCountText(casesLeftOut, 'case')} that changed less are left out.
  </p>`;
  return html`<section>
    <h2>Cases</h2>
    ${casesLeftOut > 0 ? note : undefined}
    <div class="filters">
      <label
        >Search <input type="search" id="search" placeholder="message, answer, tool, difference"
      /></label>
      <label
        >Result
        <select id="verdict"></select
      ></label>
      <label
        >Trajectory
        <select id="trajectory"></select
      ></label>
      <label
        >Difference
        <select id="kind"></select
      ></label>
      <label
        >Tool
        <select id="tool"></select
      ></label>
      <label ${summary.judge ? undefined : html`hidden`}
        >Judge
        <select id="judge"></select
      ></label>
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
