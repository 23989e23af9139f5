import { checkoutFolder } from '../../lib/findings/checkout-paths.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { fields } from '../../lib/values/read.ts';

/** Path of a `file:` address: `/src/a.py`, `C:/src/a.cs`, `//host/share/a.cs`; undefined for any other address. */
export function filePath(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !/^file:/i.test(uri)) return undefined;
  const plain = decoded(uri.slice('file:'.length)).replaceAll('\\', '/');
  const slashes = /^\/*/.exec(plain)?.[0].length ?? 0;
  const rest = plain.slice(slashes);
  if (/^[a-z]:\//i.test(rest)) return normalisePath(rest);
  return normalisePath(`${slashes === 2 ? '//' : '/'}${rest}`);
}

export function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

const MARK = '"file:';

/** The `file:` addresses in the text of results. */
export function* fileAddressesIn(results: Buffer): Generator<string> {
  if (!results.includes(MARK)) return;
  for (const [, written = ''] of results
    .toString('utf8')
    .matchAll(/"uri"\s{0,9}:\s{0,9}("file:(?:[^"\\]|\\.){0,4096}")/g)) {
    try {
      yield JSON.parse(written);
    } catch {
      // the result is listed as unreadable
    }
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** `/` and `C:/` hold everything: they say nothing of a checkout. */
const isFolder = (path: string): boolean => path.endsWith('/') && !/^(?:[a-z]:)?\/+$/i.test(path);

function foldersOf(addresses: readonly unknown[]): string[] {
  return addresses.flatMap((address) => {
    const path = filePath(address);
    if (path === undefined) return [];
    const folder = path.endsWith('/') ? path : `${path}/`;
    return isFolder(folder) ? [folder] : [];
  });
}

/** The folder that both paths lie in. */
function commonFolder(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end += 1;
  return a.slice(0, a.lastIndexOf('/', end - 1) + 1);
}

/**
 * How the findings name a file that the report names by an absolute address.
 * - `absolute`: as the report does. The tool's own format keeps such paths too, and both are one finding.
 * - `below-checkout`: by the rule of `CheckoutPaths`, as in the tool's own format.
 * - `below-common-folder`: below what the run declares, else below the folder that all files share. For tools that have no other format here.
 */
export type FileNames = 'absolute' | 'below-checkout' | 'below-common-folder';

/**
 * Where a checkout lay, by the `file:` addresses of one run: what the run declares (`originalUriBaseIds`, then `workingDirectory`), else
 * the folder that all addresses have in common. Paths in it are made relative, as the next checkout lies elsewhere.
 *
 * `CheckoutPaths` does the same for formats without declared folders and keeps findings until all files are known. It is not the same class:
 * here the addresses are known before the first result is read, so none is kept, and of SARIF without another format of its tool the whole
 * common folder goes (`/w/repo/src/`), not only the part above `INNER` folders. Stored findings are identified by these names, and one rule for
 * both would close and reopen those of every such report.
 */
export class CheckoutRoot {
  private readonly fileNames: FileNames;
  private common: string | undefined;
  private bases: string[][] = [];

  constructor(fileNames: FileNames) {
    this.fileNames = fileNames;
  }

  /** Takes part in what all have in common. */
  add(address: unknown): void {
    const path = filePath(address);
    if (path === undefined) return;
    this.common = this.common === undefined ? folderOf(path) : commonFolder(this.common, path);
  }

  /** Once all addresses were added. @param invocations of the run */
  declare(originalUriBaseIds: unknown, invocations: readonly unknown[]): void {
    const bases = Object.values(fields(originalUriBaseIds)).map((base) => fields(base).uri);
    const places = invocations.map((invocation) => fields(fields(invocation).workingDirectory).uri);
    const { common = '' } = this;
    this.bases = [foldersOf(bases), foldersOf(places)].filter((folders) =>
      folders.some((folder) => common.startsWith(folder) || folder.startsWith(common)),
    );
    const folder = this.fileNames === 'below-checkout' ? checkoutFolder(common.split('/').slice(0, -1)) : common;
    if (this.bases.length === 0 && isFolder(folder)) this.bases = [[folder]];
  }

  relative(path: string): string {
    for (const folders of this.bases) {
      const [base] = folders.filter((folder) => path.startsWith(folder)).sort((a, b) => a.length - b.length);
      if (base !== undefined && path.length > base.length) return path.slice(base.length);
    }
    return path;
  }
}
