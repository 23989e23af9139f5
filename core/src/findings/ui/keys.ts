/** A key of the list and what it does, for the help and the palette. Keys that do nothing yet are not here. */
export interface ListKey {
  keys: readonly string[];
  does: string;
  /** Only for those who decide. */
  isForDeciders?: true;
  /** Nothing where the list may only be read. */
  isAct?: true;
}

export const LIST_KEYS: readonly ListKey[] = [
  { keys: ['j'], does: 'Next finding' },
  { keys: ['k'], does: 'Previous finding' },
  { keys: ['Enter'], does: 'Open the finding' },
  { keys: ['Esc'], does: 'Close the panel, or drop the selection' },
  { keys: ['x'], does: 'Select the finding', isForDeciders: true },
  { keys: ['Shift x'], does: 'Select everything from the last selected one to here', isForDeciders: true },
  { keys: ['f'], does: 'False positive', isAct: true },
  { keys: ['a'], does: 'Assign to developers', isForDeciders: true },
  { keys: ['/'], does: 'Search the list' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Ctrl K', '⌘ K'], does: 'Go to a page, act, or find' },
];
