import { visibleText } from '../../../platform/model/visible-text.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PACKAGE_USE_LABELS } from '../../model/labels.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';

/** The first place that imports a package, and how many files do. */
export interface ImportedBy {
  path: string;
  line: number;
  files: number;
}

/** How the code uses a package, in a word. */
export const packageUseText = (use: NonNullable<FindingDetails['package_use']>): string => t(PACKAGE_USE_LABELS[use]);

/** `imported by src/a.ts:3 and 2 more files`, with signs that hide text made visible. */
export const importedByText = ({ path, line, files }: ImportedBy): string => {
  const place = `${path}:${line}`;
  if (files === 1) return visibleText(t('imported by {place}', { place }));
  const more = plural(
    files - 1,
    'imported by {place} and {count} more file',
    'imported by {place} and {count} more files',
    { place },
  );
  return visibleText(more);
};
