import { html } from '../../platform/lib/html.ts';

const size = 48;

/**
 * Draws the logo of a provider as SVG: two letters of its title on a colour that follows from its name. Letters are white
 * and the lightness is low, so that the contrast is at least 4.5:1 (WCAG 2.2, 1.4.3) in every hue.
 */
export function drawMonogram({ name, title }: { name: string; title: string }): string {
  const hue = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${size}"
    height="${size}"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${title}"
  >
    <rect width="${size}" height="${size}" rx="10" fill="hsl(${hue} 60% 26%)" />
    <text
      x="50%"
      y="50%"
      dy=".36em"
      text-anchor="middle"
      font-family="system-ui, sans-serif"
      font-size="20"
      font-weight="600"
      fill="#fff"
    >
      ${toLetters(title)}
    </text>
  </svg>`.toString();
}

/** The initials of the first two words, or the first two letters of the only one. */
function toLetters(title: string): string {
  const [first = '', second] = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = Array.from(first);
  return second === undefined ? letters.slice(0, 2).join('') : `${letters[0]}${Array.from(second)[0]}`;
}
