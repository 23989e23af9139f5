import type { LockedProject } from '../../model/fix.ts';

export interface LockSettings {
  /** Where programs are looked for. */
  readonly searchPath: string;
  /** Folder of the server's data. */
  readonly dataDirectory: string;
  /** Registries that tools ask; undefined: those of their own global settings. */
  readonly registries: { readonly npm: URL | undefined; readonly go: URL | undefined; readonly pypi: URL | undefined };
}

/** Folders of one run. */
export interface ToolFolders {
  /** Empty at the beginning, and removed after the run. */
  readonly home: string;
  /** Kept from run to run. */
  readonly cache: string;
  /** File with the certificates that this server and its machine trust, in PEM. */
  readonly roots: string;
}

/** A package manager that writes lock files, or tells what stands in them. It may run no code of the project or of packages. */
export interface LockTool {
  readonly program: string;
  /** Undefined where the project does not tell what to do. */
  argumentsFor(project: LockedProject): readonly string[] | undefined;
  /** All of its environment but for PATH, HOME and TMPDIR: nothing of the server's own. */
  environment(settings: LockSettings, folders: ToolFolders): Readonly<Record<string, string>>;
  /** What it says of its failure, in a line. */
  saidBy(stderr: string): string;
}
