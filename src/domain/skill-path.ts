/** The maximum number of characters of a path, and the maximum number of folders in it. */
const longestPath = 255;
const deepestPath = 10;

/** Device names of Windows, with which no file can be written there. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu;

/** Names of files and folders that programs leave beside the files of a skill, and that are no part of it. */
const leftBeside = new Set(['__MACOSX', '.DS_Store', '.git', 'node_modules', '__pycache__']);

/** Returns whether a file or folder of this name is no part of a skill. */
export function isLeftBeside(name: string): boolean {
  return leftBeside.has(name);
}

/**
 * Returns what is wrong with the path of a file in a skill; null for one that can be written below any folder, on any file
 * system, and stays below it. Folders are separated by `/`.
 */
export function findPathProblem(path: string): string | null {
  if (path.length > longestPath) return `is longer than ${longestPath} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(path)) return 'has an invisible character';
  if (/[\\:*?"<>|]/u.test(path)) return 'has one of the characters \\ : * ? " < > |';
  const parts = path.split('/');
  if (parts.length > deepestPath) return `has more than ${deepestPath} parts`;
  // Some file systems and programs read these characters as dots and slashes.
  const folded = path.normalize('NFKC');
  if (/[\\]/u.test(folded) || folded.split('/').length !== parts.length)
    return 'has a character that stands for a slash';
  return [...parts, ...folded.split('/')].map(findPartProblem).find((problem) => problem !== null) ?? null;
}

function findPartProblem(part: string): string | null {
  if (part === '') return 'is absolute, or has an empty part';
  if (part === '.' || part === '..') return 'leaves its folder with "." or ".."';
  if (/[. ]$/u.test(part) || part.startsWith(' '))
    return 'has a part that begins with a space, or ends with a space or dot';
  return deviceName.test(part) ? 'has the name of a device' : null;
}

/** Returns the key by which two paths are the same file, also where case and the form of Unicode do not count. */
export function toPathKey(path: string): string {
  return path.normalize('NFKC').toLowerCase();
}

const skillName = /^[a-z0-9]+(-[a-z0-9]+)*$/u;
const longestName = 64;

/** Returns whether a text can be the name of a skill and of its folder, by https://agentskills.io/specification. */
export function isSkillName(text: string): boolean {
  return text.length <= longestName && skillName.test(text);
}
