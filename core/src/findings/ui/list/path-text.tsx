import type { SplitPath } from '../../model/finding-headline.ts';
import './path-text.css';

interface PathTextProps {
  path: SplitPath;
  /** What stands before it in the same line. */
  before?: string;
  /** Line, behind the name of the file. */
  position?: string;
}

/**
 * A path in one line of an element of the class `place`: where it is wider than that, the folders in its middle give way first, then what
 * stands before it. The name of the file and the line always show.
 */
export function PathText({ path, before = '', position = '' }: PathTextProps) {
  return (
    <>
      {before !== '' && <span className="path-before">{before}</span>}
      {path.head !== '' && <bdi className="path-head">{path.head}</bdi>}
      <bdi className="path-tail">{path.tail}</bdi>
      {position !== '' && <span className="path-line">{position}</span>}
    </>
  );
}
