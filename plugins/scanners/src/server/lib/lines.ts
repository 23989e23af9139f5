import { LIMITS } from './limits.ts';
import { clean } from './read.ts';

export interface TextLine {
  /** Counted from 1. */
  number: number;
  text: string;
}

/** Lines of a text report, one at a time; longer ones than any text field are cut. */
export function* linesOf(bytes: Buffer, signal: AbortSignal): Generator<TextLine> {
  let number = 0;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    number += 1;
    if (number % 1024 === 0) signal.throwIfAborted();
    yield { number, text: clean(bytes.toString('utf8', at, Math.min(end, at + LIMITS.textChars))).trimEnd() };
    at = end + 1;
  }
}
