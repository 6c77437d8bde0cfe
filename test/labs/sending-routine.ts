/** The document of a routine that sends the secrets of four connections to a server, and keeps its errors. */
export function toSendingRoutine(url: string): object {
  const send = {
    method: 'post',
    endpoint: { uri: `${url}/any`, authentication: { use: 'machine' } },
    headers: { 'x-api-key': '${ $secrets.key.key }' },
    query: { user: '${ $secrets.basic.username }' },
    body: { kept: 'nothing' },
  };
  const get = (authentication: object) => ({
    method: 'get',
    endpoint: { uri: `${url}/any`, authentication },
  });
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
    do: [
      { all: guard(send) },
      { bearer: guard(get({ bearer: { token: '${ $secrets.bearer.token }' } })) },
      { basic: guard(get({ basic: { use: 'basic' } })) },
    ],
  };
}
