import { findUnfinishedEscape } from './decode-escapes.ts';
import {
  findBeginning,
  findRanges,
  joinRanges,
  toPlainView,
  toTextView,
  type TextRange,
  type TextView,
} from './text-view.ts';
import type { WantedTexts } from './wanted-texts.ts';

/** A view of a text, and the forms to look for in it. */
export interface SearchedView {
  view: TextView;
  forms: WantedTexts;
}

/** Reads a text in all views in which something is looked for; `decoded` is the one without escapes. */
export type ToViews = (raw: TextView) => { decoded: TextView; views: SearchedView[] };

/** Returns whether a text holds one of the forms. */
export function holdsForm(toViews: ToViews, text: string): boolean {
  return toViews(toPlainView(text)).views.some(({ view, forms }) => forms.areIn(view.text));
}

/** Finds all places of the forms in a text. */
export function findForms(toViews: ToViews, text: string): TextRange[] {
  // Few texts hold a form, and places take most of the time.
  if (!holdsForm(toViews, text)) return [];
  const { views } = toViews(toTextView(text));
  return joinRanges(views.flatMap(({ view, forms }) => forms.list.flatMap((form) => findRanges(view, form))));
}

/** Returns where a form may begin whose end is missing; null when none does. */
export function findUnfinishedForm(toViews: ToViews, text: string): number | null {
  if (findUnfinished(toViews, toPlainView(text)) === null) return null;
  return findUnfinished(toViews, toTextView(text));
}

function findUnfinished(toViews: ToViews, raw: TextView): number | null {
  const { text, starts, ends } = raw;
  const { decoded, views } = toViews(raw);
  const escape = findUnfinishedEscape(decoded);
  // The beginning of an escape, or of `0x`, may belong to a form that begins before it.
  const end = escape ?? (text.endsWith('0') ? text.length - 1 : text.length);
  const shorter = end < text.length ? toViews({ text: text.slice(0, end), starts, ends }).views : [];
  const begun = [...views, ...shorter].flatMap(({ view, forms }) =>
    forms.list.map((form) => findBeginning(view, form)),
  );
  return begun.reduce<number | null>(
    (least, place) => (place === null ? least : Math.min(least ?? place, place)),
    escape,
  );
}
