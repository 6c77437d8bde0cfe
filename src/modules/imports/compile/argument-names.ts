import { takeName, toName } from './texts.ts';

const mostCharacters = 64;

/** Gives the fields of a request unique names that every model can write. */
export interface ArgumentNames {
  /** Returns the name of an argument for the vendor's name; with `isWord`, one that can stand in braces. */
  take: (name: string, isWord?: boolean) => string;
  /** The vendor's names of the arguments whose names differ. */
  renamed: () => Record<string, string>;
}

/** Creates the names of the arguments of one operation. */
export function createArgumentNames(): ArgumentNames {
  const taken = new Set<string>();
  const renamed: Record<string, string> = {};
  return {
    take: (name, isWord = false) => {
      const plain = toName(name, mostCharacters);
      const argument = takeName(taken, isWord ? plain.replaceAll('-', '_') : plain, mostCharacters);
      if (argument !== name && !isWord) renamed[argument] = name;
      return argument;
    },
    renamed: () => renamed,
  };
}
