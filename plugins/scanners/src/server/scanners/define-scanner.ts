import path from 'node:path';
import type { ScanCommand, Scanner, ScanTarget } from '@breakwater/sdk';

/** How a program is called and told to be there. */
interface ProgramSpec {
  /** Names of the program; the later ones take the same arguments. */
  readonly programs: readonly [string, ...string[]];
  /** Arguments that make it print its version. */
  readonly version: readonly string[];
  /** Finds the version in what it prints. */
  readonly versionPattern?: RegExp;
  /** Name of the report below the work folder. */
  readonly report: string;
  readonly okExitCodes?: readonly number[];
  readonly help?: ScanCommand['help'];
}

/** A program that scans the files of a repository. */
export interface RepositoryScanner extends ProgramSpec {
  readonly args: (at: { readonly report: string; readonly work: string; readonly cache: string }) => readonly string[];
  readonly env?: (at: { readonly cache: string }) => Readonly<Record<string, string>>;
  /** What it prints is the report. */
  readonly prints?: true;
  readonly nothingExitCodes?: readonly number[];
  /** It is given the files of these names, after its other arguments; without any it does not run. */
  readonly files?: RegExp;
  /** Files at the root, one of each line at least; without them it does not run. */
  readonly needs?: readonly (readonly string[])[];
  readonly hides?: readonly string[];
  /** Hosts that it calls while it scans. Default: none, and it is started without a network; else with a way out to them. */
  readonly hosts?: readonly string[];
  readonly limits: ScanCommand['limits'];
}

/** A program that looks into accounts of a cloud. */
export interface CloudScanner extends ProgramSpec {
  /** Null for a provider that it does not know. */
  readonly args: (at: CloudPlace & { readonly work: string; readonly report: string }) => readonly string[] | null;
  readonly files?: (at: CloudPlace) => Readonly<Record<string, string>>;
}

interface CloudPlace {
  readonly provider: string;
  readonly account: string;
}

const VERSION = /(?<![\d.])\d{1,6}\.\d{1,6}(?:\.\d{1,6})?[\w.+-]{0,30}/;

/** More would not fit on a command line. */
const MOST_FILES = 2000;

/** Files of the repository that it is given, none of which can be taken for an option; null where it takes the folder. */
const filesFor = ({ files }: RepositoryScanner, target: ScanTarget): readonly string[] | null => {
  if (target.kind !== 'repository') throw new TypeError('This scanner looks at repositories only.');
  if (files === undefined) return null;
  return target.files
    .filter((name) => files.test(name))
    .slice(0, MOST_FILES)
    .map((name) => `./${name}`);
};

const hasNeeded = ({ needs = [] }: RepositoryScanner, target: ScanTarget): boolean =>
  target.kind === 'repository' && needs.every((names) => names.some((name) => target.files.includes(name)));

const detectBy =
  (spec: ProgramSpec): Scanner['detect'] =>
  async (host) => {
    for (const program of spec.programs) {
      const printed = await host.run(program, spec.version);
      if (printed === null) continue;
      const [whole, named] = (spec.versionPattern ?? VERSION).exec(printed) ?? [];
      return { version: named ?? whole ?? 'unknown' };
    }
    return null;
  };

const endingsOf = ({ okExitCodes, help }: ProgramSpec): Pick<ScanCommand, 'okExitCodes' | 'help'> => ({
  ...(okExitCodes === undefined ? {} : { okExitCodes }),
  ...(help === undefined ? {} : { help }),
});

/** A scanner that runs inside the repository, so that it names files as they are called there. */
export const repositoryScanner = (spec: RepositoryScanner): Scanner => ({
  targets: ['repository'],
  hosts: spec.hosts ?? [],
  detect: detectBy(spec),
  command: (target, { workFolder, cacheFolder }) => {
    const files = filesFor(spec, target);
    if (files?.length === 0 || !hasNeeded(spec, target)) return null;
    const [file, ...alternatives] = spec.programs;
    const reportPath = path.join(workFolder, spec.report);
    const env = spec.env?.({ cache: cacheFolder });
    return {
      file,
      alternatives,
      args: [...spec.args({ report: reportPath, work: workFolder, cache: cacheFolder }), ...(files ?? [])],
      reportPath,
      runsIn: 'target',
      limits: spec.limits,
      ...(env === undefined ? {} : { env }),
      ...(spec.prints === undefined ? {} : { printsReport: true }),
      ...endingsOf(spec),
      ...(spec.nothingExitCodes === undefined ? {} : { nothingExitCodes: spec.nothingExitCodes }),
      ...(spec.hides === undefined ? {} : { hides: spec.hides }),
    };
  },
});

/** A scanner of accounts: it finds its credentials where the libraries of the provider look for them. */
export const cloudScanner = (spec: CloudScanner): Scanner => ({
  targets: ['cloud'],
  detect: detectBy(spec),
  command: (target, { workFolder }) => {
    if (target.kind !== 'cloud') throw new TypeError('This scanner looks at clouds only.');
    const reportPath = path.join(workFolder, spec.report);
    const args = spec.args({ ...target, work: workFolder, report: reportPath });
    if (args === null) return null;
    const [file, ...alternatives] = spec.programs;
    const files = spec.files?.(target);
    return {
      ...{ file, alternatives, args, reportPath, limits: CLOUD },
      ...(files === undefined ? {} : { files }),
      ...endingsOf(spec),
    };
  },
});

const MINUTE = 60_000;
/** Of programs that read files one by one. */
export const SMALL = { timeoutMs: 20 * MINUTE, memoryMb: 2048 } as const;
/** Of programs that hold rules or a database of vulnerabilities in memory. */
export const LARGE = { timeoutMs: 40 * MINUTE, memoryMb: 6144 } as const;
/** Of programs that ask every region of a cloud. */
const CLOUD = { timeoutMs: 60 * MINUTE, memoryMb: 4096 } as const;
