import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  title: 'Budgets',
  group: 'Govern',
  order: 1,
  anyOf: ['budgets:read'],
  pages: [
    { path: '/budgets', load: () => import('./budgets-page.tsx') },
    { path: '/budgets/new', load: () => import('./new-budget-page.tsx') },
    { path: '/budgets/$budgetId', load: () => import('./budget-page.tsx') },
  ],
};
