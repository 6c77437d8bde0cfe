import { html, type Html } from '../../../../platform/lib/html.ts';

interface Table {
  /** Names the table for screen readers. */
  label: string;
  /** The cells of its first row. */
  head: Html | Html[];
  rows: Html[];
}

/** A table that scrolls sideways where the page is too narrow for it, also by keyboard. */
export function toTable({ label, head, rows }: Table): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
