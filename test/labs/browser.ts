/** A browser with its cookies, which follows redirects and submits forms; it runs no scripts. */
export function createBrowser() {
  const cookies = new Map<string, { value: string; path: string }>();

  async function send(url: string | URL, init: RequestInit): Promise<Response> {
    const { host, pathname } = new URL(url);
    const sent = [...cookies]
      .filter(([key, { path }]) => key.startsWith(`${host} `) && pathname.startsWith(path))
      .map(([key, { value }]) => `${key.slice(host.length + 1)}=${value}`);
    const headers = { ...(init.headers as Record<string, string>), cookie: sent.join('; ') };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) keep(host, cookie);
    const location = response.headers.get('location');
    return location === null ? response : send(new URL(location, url), { method: 'GET' });
  }

  function keep(host: string, cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const [, path = '/'] = /; Path=([^;]*)/.exec(cookie) ?? [];
    if (cookie.includes('Max-Age=0')) cookies.delete(`${host} ${name}`);
    else cookies.set(`${host} ${name}`, { value, path });
  }

  return {
    /** Opens an address and returns the last page. */
    open: (url: string | URL): Promise<Response> => send(url, { method: 'GET' }),

    /** Presses a button of the form of a page, after a person has written into some of its fields. */
    press: (
      page: string,
      button: { name: string; value: string },
      written: Record<string, string> = {},
    ): Promise<Response> => {
      const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page) ?? [];
      const fields = { ...readFields(page), ...written, [button.name]: button.value };
      return send(unescape(action), { method: 'POST', body: new URLSearchParams(fields) });
    },
  };
}

/** Opens the link of a consent in a browser, and agrees. Returns the text of both pages of Holdfast. */
export async function consentInBrowser(link: string) {
  const browser = createBrowser();
  const page = await browser.open(link);
  const question = await page.text();
  const answer = await browser.press(question, { name: 'decision', value: 'connect' });
  return { question, answer, text: await answer.text() };
}

/** The fields of a form as they are on the page. Browsers leave out a line break at the start of a text area. */
function readFields(page: string): Record<string, string> {
  const inputs = page.matchAll(/<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"/g);
  const areas = page.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea/g);
  return Object.fromEntries(
    [...inputs, ...areas].map(([, name = '', value = '']) => [name, unescape(value)]),
  );
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
