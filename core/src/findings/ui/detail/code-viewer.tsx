import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { aroundMarked } from './fold-code.ts';

const KINDS = {
  code: { copy: msg('Copy code'), lines: msg('Code of {path}, lines {first} to {last}') },
  http_request: { copy: msg('Copy request'), lines: msg('Request of {path}, lines {first} to {last}') },
  http_response: { copy: msg('Copy response'), lines: msg('Response of {path}, lines {first} to {last}') },
  curl_command: { copy: msg('Copy curl command'), lines: msg('curl command of {path}, lines {first} to {last}') },
} as const;

interface CodeViewerProps {
  /** Above the code; also how it is called: its path. */
  path: string;
  /** What is shown, where it is no code. */
  kind?: keyof typeof KINDS;
  /** Code as text. */
  code: string;
  firstLine: number;
  markFrom: number | null;
  markTo: number | null;
  onCopy: (text: string) => void;
}

/** Reported code with line numbers and the finding's lines marked. */
export function CodeViewer({ path, kind = 'code', code, firstLine, markFrom, markTo, onCopy }: CodeViewerProps) {
  const all = codeLines(code, { firstLine, markFrom, markTo });
  const [isWhole, setWhole] = useState(false);
  const lines = isWhole ? all : aroundMarked(all);
  const last = lines.at(-1)?.number ?? firstLine;
  const copyLabel = t(KINDS[kind].copy);
  const name = t(KINDS[kind].lines, { path, first: String(lines[0]?.number ?? firstLine), last: String(last) });
  return (
    <section className="code" aria-label={name}>
      <div className="fh">
        <span className="trunc grow" title={path}>
          {path}
        </span>
        <Button
          variant="minimal"
          size="small"
          icon={<Duplicate size={14} />}
          aria-label={copyLabel}
          title={copyLabel}
          onClick={() => onCopy(code)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>
        {lines.map((line) => (
          <span key={line.number} className={line.isMarked ? 'l hit' : 'l'}>
            <b>{line.number}</b>
            {line.isMarked && <span className="sr">{t('Marked:')} </span>}
            {visibleText(line.text)}
          </span>
        ))}
      </pre>
      {lines.length < all.length && (
        <button type="button" className="link code-more" onClick={() => setWhole(true)}>
          {t('Show all {count} lines', { count: all.length })}
        </button>
      )}
    </section>
  );
}

interface ReportedCodeProps extends Omit<CodeViewerProps, 'code'> {
  /** base64, as on the wire. */
  encoded: string;
}

/** Code as it comes from the server: base64 of what the scanner reported. */
export function ReportedCode({ encoded, ...props }: ReportedCodeProps) {
  const code = decodeCode(encoded);
  if (code === undefined) return <p className="muted">{t('The code in the report cannot be decoded.')}</p>;
  if (code.trim() === '') return <p className="muted">{t('The report holds no code for this place.')}</p>;
  return <CodeViewer {...props} code={code} />;
}

/** One line of reported code. */
interface CodeLine {
  number: number;
  text: string;
  isMarked: boolean;
}

/** Longest code that is shown; a minified bundle on one line must not freeze the page. */
const MAX_CHARACTERS = 100_000;

/** Decodes base64 of UTF-8; undefined when it is not base64. */
export const decodeCode = (encoded: string): string | undefined => {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
};

interface CodeRange {
  /** Line number of the first line of the code. */
  firstLine: number;
  markFrom: number | null;
  markTo: number | null;
}

/** Splits code into numbered lines, those of the finding marked. */
export const codeLines = (code: string, { firstLine, markFrom, markTo }: CodeRange): CodeLine[] => {
  const lines = code
    .slice(0, MAX_CHARACTERS)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const last = Math.max(markTo ?? markFrom ?? 0, markFrom ?? 0);
  return lines.map((text, index) => {
    const number = firstLine + index;
    return { number, text, isMarked: markFrom !== null && number >= markFrom && number <= last };
  });
};
