/** The names under which the parts of the application are found in the workspace. */
export const warehouse = 'Warehouse';
export const handbook = 'Handbook';
export const budgetMessage = 'That was all for today. Write to us again tomorrow, or call 030 123.';
