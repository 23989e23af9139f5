import { Fragment, type ReactNode } from 'react';
import { translated } from './translate.ts';

type Part = ReactNode | ((text: string) => ReactNode);

/** `<a>text</a>`, `{name}`. */
// our own text
const MARK = /<(\w+)>(.*?)<\/\1>|\{(\w+)\}/g;

export interface WordsProps {
  /** In English: `Read <a>the guide</a>, {name}.` */
  of: string;
  /** For each `{name}` what stands there; for each `<a>…</a>` what is drawn around its text. */
  [part: string]: Part;
}

/** A sentence with elements in it, in the reader's language, whose order of words may be another. */
export function Words({ of, ...parts }: WordsProps): ReactNode {
  const text = translated(of);
  const drawn: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    const [whole, element = '', inner = '', value = ''] = match;
    const part = parts[element === '' ? value : element];
    drawn.push(text.slice(end, match.index), typeof part === 'function' ? part(inner) : (part ?? whole));
    end = match.index + whole.length;
  }
  drawn.push(text.slice(end));
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sentence keep their order
  return drawn.map((node, place) => <Fragment key={place}>{node}</Fragment>);
}
