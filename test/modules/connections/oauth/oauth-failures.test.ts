import { ResponseBodyError } from 'oauth4webapi';
import { expect, test } from 'vitest';
import { toOAuthFailure } from '../../../../src/modules/connections/oauth/oauth-failures.ts';

const secret = `s/${crypto.randomUUID()}`;

function failWith(description: string) {
  const cause = { error: 'invalid_client', error_description: description };
  const error = new ResponseBodyError('refused', { cause, response: new Response(null, { status: 400 }) });
  return toOAuthFailure(error, { url: 'https://as.example/token', secrets: [secret, undefined] });
}

test.each([0, 250, 270, 280, 283])(
  'a secret at character %i of a description is redacted before that is cut',
  (offset) => {
    const { message } = failWith(`${'x'.repeat(offset)}${secret} ${'and more '.repeat(50)}`);
    expect(message).toContain('The authorization server at https://as.example refused: invalid_client (');
    expect(message).not.toContain(secret.slice(0, 4));
  },
);

test('an encoded secret is redacted before characters of other alphabets are replaced', () => {
  const { message } = failWith(`grüße, ${encodeURIComponent(secret)}`);
  expect(message).toMatch(/gr e, \[redacted\]/);
});
