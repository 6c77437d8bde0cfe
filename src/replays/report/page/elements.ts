// Runs in the browser. Texts of a report are untrusted: they become text nodes only.

/** What the script of the page uses of an element. */
export interface PageElement {
  textContent: string;
  value: string;
  disabled: boolean;
  open: boolean;
  className: string;
  append: (...children: (PageElement | string)[]) => void;
  replaceChildren: (...children: PageElement[]) => void;
  setAttribute: (name: string, value: string) => void;
  addEventListener: (name: string, listener: () => void) => void;
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
