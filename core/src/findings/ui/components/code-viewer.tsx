import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { codeLines, decodeCode } from './report-code.ts';

export interface CodeViewerProps {
  path: string;
  /** Code as text. */
  code: string;
  firstLine: number;
  markFrom: number | null;
  markTo: number | null;
  onCopy: (text: string) => void;
}

/** Reported code with line numbers and the finding's lines marked. */
export function CodeViewer({ path, code, firstLine, markFrom, markTo, onCopy }: CodeViewerProps) {
  const lines = codeLines(code, { firstLine, markFrom, markTo });
  const last = lines.at(-1)?.number ?? firstLine;
  return (
    <section className="code" aria-label={`Code of ${path}, lines ${firstLine} to ${last}`}>
      <div className="fh">
        <span className="trunc grow" title={path}>
          {path}
        </span>
        <Button
          variant="minimal"
          size="small"
          icon={<Duplicate size={14} />}
          aria-label="Copy code"
          title="Copy code"
          onClick={() => onCopy(code)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls has to be reachable by keyboard */}
      <pre tabIndex={0}>
        {lines.map((line) => (
          <span key={line.number} className={line.isMarked ? 'l hit' : 'l'}>
            <b>{line.number}</b>
            {line.isMarked && <span className="sr">Marked: </span>}
            {line.text}
          </span>
        ))}
      </pre>
    </section>
  );
}

export interface ReportedCodeProps extends Omit<CodeViewerProps, 'code'> {
  /** base64, as on the wire. */
  encoded: string;
}

/** Code as it comes from the server: base64 of what the scanner reported. */
export function ReportedCode({ encoded, ...props }: ReportedCodeProps) {
  const code = decodeCode(encoded);
  if (code === undefined) return <p className="muted">The code in the report cannot be decoded.</p>;
  if (code.trim() === '') return <p className="muted">The report holds no code for this place.</p>;
  return <CodeViewer {...props} code={code} />;
}
