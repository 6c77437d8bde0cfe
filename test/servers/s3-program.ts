import { startFauxqs } from 'fauxqs';

/** An S3 server in a separate process. `BUCKET` names its bucket. */
const buckets = [process.env['BUCKET'] ?? ''];
const { port } = await startFauxqs({ port: 0, logger: false, init: { buckets } });
process.send?.({ port });
