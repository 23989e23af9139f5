import type { Connections } from '../../connectors/server/index.ts';
import { atProvider, readFiles, type SourceFile, type SourceRepository, type SourceStep } from './source-files.ts';

/** So long a branch is taken to stand at the commit that was read; what is opened is compared with the branch itself. */
const FRESH_MS = 60_000;
/** Of one job, so that large files of many repositories do not fill the memory. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** A repository with more branches is read without being remembered. */
const MAX_BRANCHES = 1000;

interface Snapshot {
  commit: string;
  askedAt: number;
  files: Map<string, SourceFile>;
}

/**
 * Files that were read for one of many findings and serve the others: of one commit of each branch, so that a manifest and its lock file
 * belong together. For generating only: who opens compares with what the branch holds then.
 */
export class KnownFiles {
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #now: () => number;
  #characters = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The commit that a branch stands at; read again once it is a minute old. Undefined: read from the branch, and remember nothing. */
  async at(step: SourceStep, { sourceControl, externalId, branch }: SourceRepository): Promise<Snapshot | undefined> {
    const key = JSON.stringify([sourceControl, externalId, branch]);
    const known = this.#snapshots.get(key);
    if (known !== undefined && this.#now() - known.askedAt < FRESH_MS) return known;
    const askedAt = this.#now();
    const commit = await headOf(step, branch);
    if (commit === undefined) return undefined;
    const files = known?.commit === commit ? known.files : new Map<string, SourceFile>();
    const snapshot = { commit, askedAt, files };
    this.#snapshots.set(key, snapshot);
    return snapshot;
  }

  keep({ files }: Snapshot, file: SourceFile): void {
    this.#characters += file.content?.length ?? 0;
    if (this.#characters > MAX_CHARACTERS) {
      for (const snapshot of this.#snapshots.values()) snapshot.files.clear();
      this.#characters = file.content?.length ?? 0;
    }
    files.set(file.path, file);
  }
}

const headOf = async ({ scm, ctx, repository }: SourceStep, branch: string): Promise<string | undefined> => {
  let count = 0;
  for await (const { name, commit } of scm.listBranches(ctx, repository)) {
    if (name === branch) return commit;
    count += 1;
    if (count === MAX_BRANCHES) return undefined;
  }
  return undefined;
};

interface ReadRequest {
  clientId: string;
  source: SourceRepository;
  paths: readonly string[];
  /** Left out: each is read from the branch. */
  known?: KnownFiles;
}

/** Files of a repository at its branch, in the order of their paths. @throws as atProvider and readFiles */
export const readSource = (
  deps: { connections: Connections },
  { clientId, source, paths, known }: ReadRequest,
): Promise<SourceFile[]> =>
  atProvider(deps, clientId, source, async (step) => {
    const snapshot = await known?.at(step, source);
    if (known === undefined || snapshot === undefined) return readFiles(step, source.branch, paths);
    const files: SourceFile[] = [];
    for (const path of paths) {
      const [file] = snapshot.files.has(path)
        ? [snapshot.files.get(path)]
        : await readFiles(step, snapshot.commit, [path]);
      if (file === undefined) continue;
      if (!snapshot.files.has(path)) known.keep(snapshot, file);
      files.push(file);
    }
    return files;
  });
