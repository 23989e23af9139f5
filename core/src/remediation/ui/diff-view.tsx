import { visibleText } from '../../platform/model/visible-text.ts';

type Kind = 'add' | 'del' | 'head' | 'same';

interface DiffFile {
  path: string;
  lines: { kind: Kind; text: string }[];
}

const NOT_SHOWN = /^(?:--- |\+\+\+ |index |new file |deleted file )/;
const KINDS: Readonly<Record<string, Kind>> = { '+': 'add', '-': 'del', '@': 'head', '\\': 'head' };
const SPOKEN: Readonly<Partial<Record<Kind, string>>> = { add: 'Added: ', del: 'Removed: ' };

/** The file that a head names, twice: `diff --git a/file b/file`. */
const namedIn = (line: string): string | undefined => {
  if (!line.startsWith('diff --git a/')) return undefined;
  const names = line.slice('diff --git '.length);
  const path = names.slice(2, (names.length - 1) / 2);
  return names === `a/${path} b/${path}` ? path : undefined;
};

/** The files of a unified diff with the lines to show: what only names a file stands in its head. */
export const diffFiles = (diff: string): DiffFile[] => {
  const files: DiffFile[] = [];
  let isHead = true;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const path = namedIn(line);
    if (path !== undefined) {
      files.push({ path, lines: [] });
      isHead = true;
      continue;
    }
    if (line.startsWith('@@ ')) isHead = false;
    if (isHead && NOT_SHOWN.test(line)) continue;
    files.at(-1)?.lines.push({ kind: KINDS[line[0] ?? ''] ?? 'same', text: line });
  }
  return files;
};

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
