import path from 'node:path';
import type { ScanCommand, Scanner, ScanTarget } from '@breakwater/sdk';

/** A program that scans the files of a repository. */
export interface RepositoryScanner {
  /** Name of the program. */
  readonly program: string;
  /** Arguments that make it print its version. */
  readonly version: readonly string[];
  /** Finds the version in what it prints. */
  readonly versionPattern?: RegExp;
  /** Name of the report below the work folder. */
  readonly report: string;
  readonly args: (at: { readonly report: string; readonly work: string; readonly cache: string }) => readonly string[];
  readonly env?: (at: { readonly cache: string }) => Readonly<Record<string, string>>;
  /** What it prints is the report. */
  readonly prints?: true;
  readonly okExitCodes?: readonly number[];
  readonly hides?: readonly string[];
  readonly limits: ScanCommand['limits'];
}

const VERSION = /(?<![\d.])\d{1,6}\.\d{1,6}(?:\.\d{1,6})?[\w.+-]{0,30}/;

const requireRepository = (target: ScanTarget): void => {
  if (target.kind !== 'repository') throw new TypeError('This scanner looks at repositories only.');
};

/** A scanner that runs inside the repository, so that it names files as they are called there. */
export const repositoryScanner = (spec: RepositoryScanner): Scanner => ({
  targets: ['repository'],
  detect: async (host) => {
    const printed = await host.run(spec.program, spec.version);
    if (printed === null) return null;
    const [whole, named] = (spec.versionPattern ?? VERSION).exec(printed) ?? [];
    return { version: named ?? whole ?? 'unknown' };
  },
  command: (target, { workFolder, cacheFolder }) => {
    requireRepository(target);
    const reportPath = path.join(workFolder, spec.report);
    const env = spec.env?.({ cache: cacheFolder });
    return {
      file: spec.program,
      args: spec.args({ report: reportPath, work: workFolder, cache: cacheFolder }),
      reportPath,
      runsIn: 'target',
      limits: spec.limits,
      ...(env === undefined ? {} : { env }),
      ...(spec.prints === undefined ? {} : { printsReport: true }),
      ...(spec.okExitCodes === undefined ? {} : { okExitCodes: spec.okExitCodes }),
      ...(spec.hides === undefined ? {} : { hides: spec.hides }),
    };
  },
});

const MINUTE = 60_000;
/** Of programs that read files one by one. */
export const SMALL = { timeoutMs: 20 * MINUTE, memoryMb: 2048 } as const;
/** Of programs that hold rules or a database of vulnerabilities in memory. */
export const LARGE = { timeoutMs: 40 * MINUTE, memoryMb: 6144 } as const;
