// The health check of the image: succeeds when the API or the worker of this container answers.
const { PORT = '3400', HOLDFAST_HEALTH_PORT = '3401' } = process.env;
const answers = await Promise.allSettled(
  [PORT, HOLDFAST_HEALTH_PORT].map((port) =>
    fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(3_000) }),
  ),
);
process.exitCode = answers.some(({ value }) => value?.ok) ? 0 : 1;
