import { groups, type Screen } from './screen.ts';

const found = import.meta.glob<Screen>('../screens/*/screen.ts', { eager: true, import: 'screen' });

/** Every screen, in the order of the navigation. */
export const screens: readonly Screen[] = Object.values(found).toSorted(
  (one, other) => groups.indexOf(one.group) - groups.indexOf(other.group) || one.order - other.order,
);
