// Runs in the browser. Texts of a report are untrusted: they become text nodes only.

/** The members of an element that the script of the page uses. */
export interface PageElement {
  textContent: string;
  value: string;
  disabled: boolean;
  open: boolean;
  className: string;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  querySelectorAll: (selectors: string) => Iterable<PageElement>;
  append: (...children: (PageElement | string)[]) => void;
  replaceChildren: (...children: PageElement[]) => void;
  setAttribute: (name: string, value: string) => void;
  addEventListener: (name: string, listener: (event: { key: string }) => void) => void;
  focus: () => void;
  scrollIntoView: (options: { block: 'nearest' }) => void;
}

declare const document: {
  createElement: (name: string) => PageElement;
  getElementById: (id: string) => PageElement | null;
};

/** Creates an element with a class and children. */
export function create(name: string, className: string, ...children: (PageElement | string)[]): PageElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** Finds an element of the page. */
export function find(id: string): PageElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}
