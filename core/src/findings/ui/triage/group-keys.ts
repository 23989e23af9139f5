/** Heads of groups and the findings of those that are open, in the order of the page. */
const ROWS = '[data-groups] :is([data-group], [data-finding])';
const FINDINGS = '[data-groups] [data-finding]';

const focusedRow = (): HTMLElement | null => {
  const { activeElement } = document;
  const within = activeElement?.closest('tr, li');
  return within?.querySelector<HTMLElement>(':is([data-group], [data-finding])') ?? null;
};

/** Moves the focus to the next row (1) or the one before (-1). */
export const moveInGroups = (step: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const focused = focusedRow();
  const at = focused === null ? -1 : rows.indexOf(focused);
  const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

/** The finding after (1) or before (-1) an open one, among those of the groups that are open. */
export const besideInGroups = (id: string, step: 1 | -1): string | undefined => {
  const ids = [...document.querySelectorAll<HTMLElement>(FINDINGS)].map((row) => row.dataset.finding);
  const at = ids.indexOf(id);
  return at < 0 ? undefined : ids[at + step];
};

/** The finding whose row has the focus. */
export const findingInFocus = (): string | undefined => focusedRow()?.dataset.finding;

/** Picks the row in focus, or puts it back: a finding, or all of a group. */
export const pickInFocus = (): void =>
  focusedRow()?.closest('tr, li')?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();

/** Whether the row in focus is the head of a group. */
export const isGroupInFocus = (): boolean => focusedRow()?.dataset.group !== undefined;

/** Gives the focus back to the row of a finding that was open. */
export const focusInGroups = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-groups] [data-finding="${CSS.escape(id)}"]`)?.focus();
