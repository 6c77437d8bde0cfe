import { rolldown } from 'rolldown';

const notice = '// Generated from src/modules/replays/report/page by "npm run generate".\n';

/** Bundles the script of a report's page, and returns a module that exports it as text. */
export async function bundlePage(): Promise<string> {
  const build = await rolldown({
    input: 'src/modules/replays/report/page/case-list.ts',
    platform: 'browser',
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await build.generate({ format: 'iife', comments: false });
  const { code } = output[0];
  // The script is inserted into the page unescaped.
  if (code.includes('</')) throw new Error('The script of the page has a text that could end it.');
  const text = code.replace(/[\\`]|\$\{/g, (found) => `\\${found}`);
  return `${notice}/** The script of a report's page. */\nexport const pageScript = \`${text}\`;\n`;
}
