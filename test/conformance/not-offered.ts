/** The scenarios of the suite whose feature Holdfast does not offer, each with the reason. */
export const notOffered: Readonly<Record<string, string>> = {
  'auth/enterprise-managed-authorization':
    'extension SEP-990: Holdfast holds no identity token of a user that it could exchange',
  'auth/dpop': 'extension SEP-1932: tokens are not bound to a key (DPoP)',
  'auth/dpop-nonce': 'extension SEP-1932: tokens are not bound to a key (DPoP)',
  'auth/wif-jwt-bearer': 'extension: Holdfast has no identity of a workload that it could exchange',
};
