import type { Location, NormalizedFinding, ReportRecord } from '@breakwater/sdk';

/** Folders that lie inside of a checkout: where files have one of these in common, it is a part of their names. */
const INNER = new Set(
  'src lib app apps bin cmd internal pkg packages modules services client server web public static scripts test tests spec main java kotlin scala python ruby php go js ts'.split(
    ' ',
  ),
);

const ABSOLUTE = /^(?:file:\/\/\/?(?=[a-z]:)|file:\/\/)?(\/|[a-z]:\/)/i;

/**
 * Names of files in a checkout, for tools that write them with the folder of the checkout: another folder is no other file. The folder is
 * what all files of the report have in common; findings wait until all are known.
 */
export class CheckoutPaths {
  private common: string[] | undefined;
  private known: string | undefined;
  private readonly held: NormalizedFinding[] = [];

  /** A file of the report, also one without findings. */
  see(path: string | undefined): void {
    const folders = path === undefined ? undefined : foldersOf(path);
    if (folders === undefined) return;
    const { common } = this;
    if (common === undefined) this.common = folders;
    else {
      const end = common.findIndex((name, at) => name !== folders[at]);
      if (end >= 0) common.length = end;
    }
  }

  /** Keeps a finding until the folder is known. */
  hold(finding: NormalizedFinding): void {
    for (const { path } of finding.locations?.slice(0, 1) ?? []) this.see(path);
    this.held.push(finding);
  }

  /** The folder of the checkout, where the report itself says it. */
  root(path: string | undefined): void {
    if (path !== undefined && ABSOLUTE.test(path)) this.known = `${withoutScheme(path)}/`;
  }

  /** The path below the checkout; one that was relative stays as it is. */
  relative = (path: string): string => {
    const absolute = withoutScheme(path);
    const start = this.prefix();
    return start !== '' && absolute.startsWith(start) ? absolute.slice(start.length) : path;
  };

  /** The findings that were held, with their files named. */
  *release(): Generator<NormalizedFinding> {
    const place = (location: Location): Location => ({ ...location, path: this.relative(location.path) });
    for (const finding of this.held) {
      if (finding.locations !== undefined) finding.locations = finding.locations.map(place);
      if (finding.codeFlows !== undefined) finding.codeFlows = finding.codeFlows.map((flow) => flow.map(place));
      yield finding;
    }
    this.held.length = 0;
  }

  private prefix(): string {
    const { common, known } = this;
    if (known !== undefined) return known;
    return common === undefined ? '' : checkoutFolder(common);
  }
}

/** The folder of the checkout, with its last slash, by the names of the folders that all files have in common. */
export function checkoutFolder(common: readonly string[]): string {
  // Where Java keeps its sources, a folder of a package may be what all have in common.
  const sources = common.findIndex((name, at) => name === 'src' && /^(?:main|test)$/.test(common[at + 1] ?? ''));
  let length = sources > 0 ? sources : common.length;
  while (length > 1 && INNER.has(common[length - 1] ?? '')) length -= 1;
  return `${common.slice(0, length).join('/')}/`;
}

/** Folders above an absolute path; undefined for a relative one. */
const foldersOf = (path: string): string[] | undefined =>
  ABSOLUTE.test(path) ? withoutScheme(path).split('/').slice(0, -1) : undefined;

/** `file:///a/b` and `file:///C:/a` as the system names them. */
function withoutScheme(path: string): string {
  if (!/^file:/i.test(path)) return path;
  const rest = path.slice('file:'.length).replace(/^\/{2}/, '');
  return /^\/[a-z]:/i.test(rest) ? rest.slice(1) : rest;
}

/** The records of a report whose findings name files with the folder of the checkout, with their names below it. */
export async function* inCheckout(records: AsyncIterable<ReportRecord>): AsyncGenerator<ReportRecord> {
  const paths = new CheckoutPaths();
  for await (const record of records) {
    if (record.kind === 'finding') paths.hold(record);
    else yield record;
  }
  yield* paths.release();
}
