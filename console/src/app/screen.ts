import type { ComponentType } from 'react';
import type { Scope } from '../api/scope.ts';

/** A page of a screen. */
export interface ScreenPage {
  /** Such as `/runs/$turnId`. */
  path: string;
  /** Loads the page when it is opened first. */
  load: () => Promise<{ Page: ComponentType }>;
  /** Reads the query of the address; what it does not return is dropped. @default no query */
  search?: (given: Record<string, unknown>) => Record<string, unknown>;
}

/** The groups of the navigation, in its order. */
export const groups = ['Now', 'Build', 'Automate', 'Measure', 'Govern'] as const;

/** A screen: a folder of `screens`, registered by its `screen.ts`. The first page is the one of the navigation. */
export interface Screen {
  title: string;
  group: (typeof groups)[number];
  /** The place within its group, lowest first. */
  order: number;
  /** A screen without any of these scopes is not shown. @default shown to everybody */
  anyOf?: readonly Scope[];
  pages: readonly [ScreenPage, ...ScreenPage[]];
  /** Shown beside the title in the navigation, such as a count of what waits; made by `lazy`. */
  Badge?: ComponentType;
}
