import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

it('the handlers need nothing of Node, so that they run where only the Fetch standard is', async () => {
  const build = await rolldown({
    input: 'src/clients/handlers/index.ts',
    platform: 'browser',
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await build.generate({ format: 'es', minify: true });
  expect(output[0].code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b|\bzod\b/);
});
