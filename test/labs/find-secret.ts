/** Returns the forms of a secret in a text: plain, percent-encoded, in hex, and in base64 at any position. */
export function toEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last base64 characters depend on the text around the secret.
    const whole = text.slice(Math.ceil((offset * 4) / 3), -2);
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const json = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, json, encodeURIComponent(secret), hex, hex.toUpperCase(), ...base64])];
}

/** Returns the named places that contain a secret in any form, with some of the text around it. */
export function findSecret(secret: string, places: Record<string, string>): string[] {
  return toEncodings(secret).flatMap((form) =>
    Object.entries(places).flatMap(([place, text]) => {
      const index = text.indexOf(form);
      return index === -1 ? [] : [`${place}: ${text.slice(Math.max(0, index - 120), index + 40)}`];
    }),
  );
}
