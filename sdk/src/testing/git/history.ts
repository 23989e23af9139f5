import type { ObjectStore } from './objects.ts';

export interface GitCommit {
  readonly hash: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** What a commit is made of. */
export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Bytes of a commit by one author, who is the committer too. @param seconds since 1970 */
export function commitBytes({ tree, parents, message }: CommitParts, author: string, seconds: number): Buffer {
  const by = `${author} ${seconds} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${by}`, `committer ${by}`];
  return Buffer.from(`${lines.join('\n')}\n\n${message}`);
}

function parseCommit(hash: string, content: Buffer): GitCommit {
  const text = content.toString('utf8');
  const end = text.indexOf('\n\n');
  const headers = text.slice(0, end).split('\n');
  const valuesOf = (name: string): string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  return { hash, tree: valuesOf('tree')[0] ?? '', parents: valuesOf('parent'), message: text.slice(end + 2) };
}

/** A commit and all before it, newest first; null where a merge is among them: in which order they stand is for git to say. */
export async function readLine(objects: ObjectStore, hash: string): Promise<readonly GitCommit[] | null> {
  const line: GitCommit[] = [];
  for (let at: string | undefined = hash; at !== undefined; ) {
    const found = await objects.read(at);
    if (found?.type !== 'commit') return null;
    const commit = parseCommit(found.hash, found.content);
    if (commit.parents.length > 1) return null;
    line.push(commit);
    at = commit.parents[0];
  }
  return line;
}
