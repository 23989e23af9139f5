import type { AttributeValues, RowKey } from './column-catalogue.ts';
import { titleOf } from './finding-text.ts';
import { flawKind } from './flaw-kinds.ts';

type Row = Pick<AttributeValues, RowKey>;

export interface Headline {
  /** The package; undefined where no vulnerability of one is meant. */
  subject: string | undefined;
  /** The kind of flaw, marked by `msg()`; undefined where nothing tells it. */
  kind: string | undefined;
  /** What the report says of it, or its name alone. */
  sentence: string;
}

/** Ids of vulnerabilities that reports put before the sentence: `GHSA-gwrp-pvrq-jmwv: `. */
const ID_PREFIX = /^[A-Z]{2,10}-[\w-]{1,60}: (?=\S)/;

/** A title of a report without the id before its sentence. */
export const withoutId = (title: string): string => title.replace(ID_PREFIX, '');

/** What a row says first: of a vulnerability the package and the kind of flaw, of anything else its title. */
export const headlineOf = (finding: Pick<Row, 'title' | 'rule_id' | 'cve' | 'component' | 'cwe'>): Headline => {
  const { cve, component, cwe } = finding;
  const sentence = titleOf(finding);
  if (cve === null || component === null) return { subject: undefined, kind: undefined, sentence };
  const ofReport = withoutId(sentence);
  return { subject: component, kind: flawKind(ofReport, cwe), sentence: sentence === cve ? '' : ofReport };
};

/** A path that may be cut in its middle: `tail` always shows. */
export interface SplitPath {
  head: string;
  tail: string;
}

/** So much of the end of a path shows at least, if its name is not longer. */
const TAIL_LENGTH = 28;
/** A longer name is cut itself, so that the line behind it shows. */
const NAME_LENGTH = 48;

const shortName = (name: string): string =>
  name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH / 2)}…${name.slice(1 - NAME_LENGTH / 2)}`;

/** Splits a path before its last folders: the name of the file is in the tail, with as many folders as are short. */
export const splitPath = (path: string): SplitPath => {
  let from = path.lastIndexOf('/') + 1;
  while (from > 1) {
    const before = path.lastIndexOf('/', from - 2) + 1;
    if (path.length - before > TAIL_LENGTH) break;
    from = before;
  }
  // the root alone is no folder to shorten
  if (from === 1) from = 0;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { head: path.slice(0, from), tail: path.slice(from, path.length - name.length) + shortName(name) };
};

export interface RowPlace {
  /** CVE and version, or what else stands before the place. */
  lead: string;
  path: SplitPath | undefined;
  /** `:36`, or `:36:12` where the column tells two rows apart. */
  position: string;
  /** What it is about besides the file, where that tells two rows apart. */
  resource: string | undefined;
}

type Located = Pick<
  Row,
  'file_path' | 'start_line' | 'start_column' | 'cve' | 'component' | 'component_version' | 'resource'
>;

export interface PlaceShape {
  /** Another row beside it says the same without the column and the resource. */
  hasTwin?: boolean;
  /** There is little room: the version gives way to the file. */
  isTight?: boolean;
}

/** The second line of a row: id and version of a vulnerability, then file and line, or the resource where no file is known. */
export const placeOf = (finding: Located, { hasTwin = false, isTight = false }: PlaceShape = {}): RowPlace => {
  const { file_path, resource, start_line: line, start_column: column, cve, component, component_version } = finding;
  const hasFile = file_path !== null && file_path !== '';
  const path = hasFile ? file_path : resource;
  const version = isTight && cve !== null && path !== null ? null : component_version;
  const lead = [cve, cve === null ? component : undefined, version].filter((part) => part != null);
  const ofLine = !hasFile || line === null ? '' : `:${line}`;
  return {
    lead: (cve === null ? [lead.join(' ')].filter((part) => part !== '') : lead).join(' · '),
    path: path === null || path === '' ? undefined : splitPath(path),
    resource: hasTwin && hasFile && resource !== null ? resource : undefined,
    position: hasTwin && ofLine !== '' && column !== null ? `${ofLine}:${column}` : ofLine,
  };
};

/** Whether two rows read the same unless their columns or their resources are shown. */
export const readSame = (
  one: (Located & Pick<Row, 'title'>) | undefined,
  other: (Located & Pick<Row, 'title'>) | undefined,
): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.title === other.title &&
  one.file_path === other.file_path &&
  one.start_line === other.start_line &&
  (one.start_column !== other.start_column || one.resource !== other.resource);
