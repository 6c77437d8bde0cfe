import { useState } from 'react';
import type { NewTool } from '../../api/types.ts';
import { toFreeName, type Offer } from './offers.ts';
import type { Approval } from './tool-texts.ts';

/** The tools that are chosen to be added, by the keys of their offers. */
export interface Basket {
  chosen: ReadonlyMap<string, NewTool>;
  /** Chooses offers, or leaves them out. */
  choose: (offers: readonly Offer[], isChosen: boolean) => void;
  /** Changes a tool that is chosen. */
  change: (key: string, tool: NewTool) => void;
}

/** Holds what is chosen, whichever source it is of; a name that is taken gets a number. */
export function useBasket(taken: readonly string[]): Basket {
  const [chosen, setChosen] = useState<ReadonlyMap<string, NewTool>>(new Map());
  const choose = (offers: readonly Offer[], isChosen: boolean) =>
    setChosen((before) => {
      const next = new Map(before);
      for (const { key, tool } of offers) {
        if (!isChosen) next.delete(key);
        else if (!next.has(key)) {
          const names = new Set([...taken, ...[...next.values()].map(({ name }) => name)]);
          next.set(key, toNamed(tool, toFreeName(tool.name, names)));
        }
      }
      return next;
    });
  const change = (key: string, tool: NewTool) => setChosen((before) => new Map(before).set(key, tool));
  return { chosen, choose, change };
}

/** Gives a tool a name; one of a server keeps the name that it has there. */
export function toNamed(tool: NewTool, name: string): NewTool {
  if (tool.type !== 'mcp' || name === tool.name) return { ...tool, name };
  return { ...tool, name, config: { tool: tool.name, ...tool.config } };
}

/** The tools of a basket as they are added. */
export function toTools({ chosen }: Basket, approval: Approval | ''): NewTool[] {
  const settings = approval === '' ? {} : { settings: { approval } };
  return [...chosen.values()].map((tool) => ({ ...tool, name: tool.name.trim(), ...settings }));
}
