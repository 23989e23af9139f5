import { Button, Checkbox, Tag } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useState } from 'react';
import { visibleText } from '../../../platform/model/visible-text.ts';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import {
  countLines,
  type DraftFile,
  type DraftHunk,
  editorText,
  isWhitespaceOnly,
  withEditorText,
} from '../../model/patch-draft.ts';
import { linesOf } from '../../model/unified-diff.ts';
import type { PatchStore } from './patch.store.ts';

// the editor weighs more than the rest of the page
const LazyEditor = lazy(async () => ({ default: (await import('./hunk-editor.tsx')).HunkEditor }));

/** Each hunk is an editor: a lock file has hundreds. */
const HUNKS_AT_ONCE = 20;

export interface PatchLook {
  isSideBySide: boolean;
  isWhitespaceShown: boolean;
  /** Changes of nothing but whitespace keep their heads alone. */
  isWhitespaceFolded: boolean;
}

interface HunkProps {
  store: PatchStore;
  path: string;
  index: number;
  hunk: DraftHunk;
  firstNewLine: number;
  look: PatchLook;
  isReadOnly: boolean;
}

interface Range {
  first: number;
  /** Of lines; 0: only added after the line before. */
  count: number;
}

const rangeText = ({ first, count }: Range): string => {
  if (count === 0) return t('After line {line}', { line: String(first - 1) });
  if (count === 1) return t('Line {line}', { line: String(first) });
  return t('Lines {first} to {last}', { first: String(first), last: String(first + count - 1) });
};

const takeText = ({ first, count }: Range): string => {
  if (count === 0) return t('Take what comes after line {line}', { line: String(first - 1) });
  if (count === 1) return t('Take line {line}', { line: String(first) });
  return t('Take lines {first} to {last}', { first: String(first), last: String(first + count - 1) });
};

const HunkView = observer(function HunkView(props: HunkProps) {
  const { store, path, index, hunk, firstNewLine, look, isReadOnly } = props;
  const { before, after } = editorText(hunk);
  const { isSideBySide, isWhitespaceShown, isWhitespaceFolded } = look;
  const isOnlyWhitespace = isWhitespaceOnly(hunk);
  const place = { first: hunk.start + 1, count: linesOf(hunk.before).length };
  const range = rangeText(place);
  return (
    <section
      className={hunk.isTaken ? 'hunk' : 'hunk is-left'}
      aria-label={t('{lines} of {path}', { lines: range, path })}
    >
      <div className="hunk-head">
        {isReadOnly ? (
          range
        ) : (
          <Checkbox
            checked={hunk.isTaken}
            label={takeText(place)}
            onChange={() => store.changeHunk(path, index, (now) => ({ ...now, isTaken: !now.isTaken }))}
          />
        )}
        {isOnlyWhitespace && <Tag minimal>{t('Only whitespace')}</Tag>}
        {!hunk.isTaken && <span className="muted">{t('Left out: the file stays here as it is')}</span>}
      </div>
      {!(isOnlyWhitespace && isWhitespaceFolded) && (
        <Suspense fallback={<pre className="hunk-wait">{visibleText(after)}</pre>}>
          <LazyEditor
            key={store.generation}
            {...{ path, before, after, firstNewLine, isSideBySide, isWhitespaceShown }}
            firstLine={hunk.start + 1}
            isReadOnly={isReadOnly || !hunk.isTaken}
            onChange={(text) => store.changeHunk(path, index, (now) => withEditorText(now, text))}
          />
        </Suspense>
      )}
    </section>
  );
});

interface FileProps {
  store: PatchStore;
  file: DraftFile;
  look: PatchLook;
  isReadOnly: boolean;
}

/** Lines of the new file at which the hunks begin, 1-based. */
const newLinesOf = (hunks: readonly DraftHunk[]): number[] => {
  let offset = 0;
  return hunks.map(({ start, before, after, isTaken }) => {
    const first = start + 1 + offset;
    if (isTaken) offset += linesOf(after).length - linesOf(before).length;
    return first;
  });
};

/** One file of a patch with its hunks. */
export const PatchFile = observer(function PatchFile({ store, file, look, isReadOnly }: FileProps) {
  const { path, hunks, isNew, isDeleted } = file;
  const [shown, setShown] = useState(HUNKS_AT_ONCE);
  const { added, removed } = countLines(hunks);
  const newLines = newLinesOf(hunks);
  const left = hunks.length - shown;
  return (
    <section className="code patch-file" aria-label={t('Change of {path}', { path })}>
      <div className="fh">
        <span className="trunc" title={path}>
          {visibleText(path)}
        </span>
        <span className="patch-added">
          +{formatNumber(added)}
          <span className="sr"> {t('lines added')}</span>
        </span>
        <span className="patch-removed">
          −{formatNumber(removed)}
          <span className="sr"> {t('lines removed')}</span>
        </span>
        {isNew && <Tag minimal>{t('New file')}</Tag>}
        {isDeleted && <Tag minimal>{t('Deleted')}</Tag>}
      </div>
      {hunks.slice(0, shown).map((hunk, index) => (
        <HunkView
          key={hunk.start}
          {...{ store, path, index, hunk, look, isReadOnly }}
          firstNewLine={newLines[index] ?? hunk.start + 1}
        />
      ))}
      {left > 0 && (
        <Button
          variant="minimal"
          text={plural(left, 'Show {shown} more of {count} change', 'Show {shown} more of {count} changes', {
            shown: Math.min(left, HUNKS_AT_ONCE),
          })}
          onClick={() => setShown(shown + HUNKS_AT_ONCE)}
        />
      )}
    </section>
  );
});
