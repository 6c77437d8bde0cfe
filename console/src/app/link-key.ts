/**
 * Takes the key out of an address such as `npm start` prints, `#key=…`, and returns it. A fragment is not sent to any server,
 * but it stays in the history of the browser.
 */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}

let linkKey = takeKey();

/** Returns the key of the link that has opened the page; null for none. Any site can have such a link. */
export function readLinkKey(): string | null {
  return linkKey;
}

/** Forgets the key once somebody is signed in, so that the next person does not find it. */
export function forgetLinkKey(): void {
  linkKey = null;
}

// A link on the page itself, or a page that has opened this one, changes the fragment without a new page.
addEventListener('hashchange', takeKey);
