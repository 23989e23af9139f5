import type { NavigationEntry } from '@breakwater/core/shell/ui/navigation-entry.ts';

/** The rail, top to bottom. */
export const navigation: readonly NavigationEntry[] = [];
