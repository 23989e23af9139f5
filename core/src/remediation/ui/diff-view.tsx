import { visibleText } from '../../platform/model/visible-text.ts';
import { type DiffLineKind, diffFiles } from '../model/diff-lines.ts';

const SPOKEN: Readonly<Partial<Record<DiffLineKind, string>>> = { add: 'Added: ', del: 'Removed: ' };

/** A unified diff, file by file; added and removed lines are told by their sign too. */
export function DiffView({ diff }: { diff: string }) {
  return (
    <>
      {diffFiles(diff).map(({ path, lines }) => (
        <section key={path} className="code diff" aria-label={`Change of ${path}`}>
          <div className="fh">
            <span className="trunc grow" title={path}>
              {visibleText(path)}
            </span>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls has to be reachable by keyboard */}
          <pre tabIndex={0}>
            {lines.map(({ kind, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never change places
              <span key={index} className={`l ${kind}`}>
                {SPOKEN[kind] !== undefined && <span className="sr">{SPOKEN[kind]}</span>}
                {visibleText(text)}
              </span>
            ))}
          </pre>
        </section>
      ))}
    </>
  );
}
