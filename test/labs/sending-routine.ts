/** The document of a routine that sends the secrets of four connections to a server, and keeps its errors. */
export function toSendingRoutine(url: string): object {
  const send = {
    method: 'post',
    endpoint: { uri: `${url}/any`, authentication: { use: 'machine' } },
    headers: { 'x-password': '${ $secrets.basic.password }' },
    query: { token: '${ $secrets.bearer.token }' },
    body: { keys: ['${ $secrets.key.key }'] },
  };
  const basic = {
    method: 'get',
    endpoint: { uri: `${url}/any`, authentication: { basic: { use: 'basic' } } },
  };
  const guard = (given: object) => ({
    try: [{ send: { call: 'http', with: given } }],
    catch: { do: [{ keep: { set: { kept: '${ $error }' } } }] },
  });
  return {
    document: { dsl: '1.0.3', namespace: 'test', name: 'sends', version: '1.0.0' },
    use: {
      secrets: ['basic', 'bearer', 'key', 'machine'],
      authentications: { machine: { oauth2: { use: 'machine' } } },
    },
    do: [{ all: guard(send) }, { basic: guard(basic) }],
  };
}
