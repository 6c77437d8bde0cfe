import { holdfast } from '../../api/client.ts';

/** The name of the window of a consent, of which there is one. */
const windowName = 'holdfast-consent';

let opened: Window | null = null;

/**
 * Opens an empty window for a consent. A browser allows that while a person presses a button alone, so it is called before
 * anything is awaited. Returns null when the browser has blocked it.
 */
export function openConsentWindow(): Window | null {
  opened = window.open('about:blank', windowName, 'popup,width=600,height=760');
  return opened;
}

/** Closes the window of the consent, where it is open and can be reached. */
export function closeConsentWindow(): void {
  opened?.close();
  opened = null;
}

/**
 * Leads a window to the page at which a person consents; without a window, this page itself.
 * @throws HoldfastApiError such as `AUTHORIZATION_FAILED`; the window is closed
 */
export async function askForConsent(connectionId: string, window: Window | null): Promise<void> {
  const returnUrl = `${location.origin}/connections/${connectionId}?consent=${window ? 'window' : 'page'}`;
  try {
    const url = await holdfast.connections.authorize(connectionId, { returnUrl });
    if (window) window.location.href = url;
    else location.assign(url);
  } catch (error) {
    closeConsentWindow();
    throw error;
  }
}

/** Notifies the other pages of the console that a consent has come to its end in this window. */
export function announceConsent(): void {
  const channel = new BroadcastChannel(windowName);
  channel.postMessage('ended');
  channel.close();
}

/** Calls a function when a consent has come to its end in another window. Returns the function that stops that. */
export function onConsent(notify: () => void): () => void {
  const channel = new BroadcastChannel(windowName);
  channel.onmessage = notify;
  return () => channel.close();
}
