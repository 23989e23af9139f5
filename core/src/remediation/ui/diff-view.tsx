import { msg } from '../../platform/model/message.ts';
import { visibleText } from '../../platform/model/visible-text.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { type DiffLineKind, diffFiles } from '../model/diff-lines.ts';

const SPOKEN: Readonly<Partial<Record<DiffLineKind, string>>> = { add: msg('Added:'), del: msg('Removed:') };

/** What a screen reader says before a changed line. */
function Spoken({ kind }: { kind: DiffLineKind }) {
  const text = SPOKEN[kind];
  return text === undefined ? null : <span className="sr">{`${t(text)} `}</span>;
}

/** A unified diff, file by file; added and removed lines are told by their sign too. */
export function DiffView({ diff }: { diff: string }) {
  return (
    <>
      {diffFiles(diff).map(({ path, lines }) => (
        <section key={path} className="code diff" aria-label={t('Change of {path}', { path })}>
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
                <Spoken kind={kind} />
                {visibleText(text)}
              </span>
            ))}
          </pre>
        </section>
      ))}
    </>
  );
}
