import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A node of the syntax tree (ESTree), of which every field is unknown until it is looked at. */
export type Node = Readonly<Record<string, unknown> & { type: string; start: number }>;

/** A node with those around it, the nearest last. */
export interface Place {
  node: Node;
  around: readonly Node[];
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

/** Types are no texts. */
const isType = ({ type }: Node): boolean => type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type);

/** All nodes below one, in the order of the text. */
export function* placesIn(node: unknown, around: readonly Node[] = []): Generator<Place> {
  if (Array.isArray(node)) for (const one of node) yield* placesIn(one, around);
  if (!isNode(node) || isType(node)) return;
  yield { node, around };
  for (const child of Object.values(node)) if (typeof child === 'object') yield* placesIn(child, [...around, node]);
}

export interface Source {
  /** From the root, such as `core/src/findings/ui/list/findings-screen.tsx`. */
  file: string;
  /** Folder of `core/src`, or `app`. */
  slice: string;
  places: readonly Place[];
  lines: readonly string[];
  /** From 1. */
  lineOf: (node: Node) => number;
}

const sliceOf = (file: string): string => {
  if (file.startsWith('sdk/')) return 'sdk';
  return /^core\/src\/([^/]+)\//.exec(file)?.[1] ?? (file.startsWith('host-server/') ? 'platform' : 'app');
};

export const readSource = (file: string, code: string): Source => ({
  file,
  slice: sliceOf(file),
  places: [...placesIn(parseSync(file, code).program)],
  lines: code.split('\n'),
  lineOf: ({ start }) => code.slice(0, start).split('\n').length,
});

const FOLDERS = ['core/src', 'app/src', 'host-server/src'];
export const NO_SOURCE = /\.test(?:-d)?\.tsx?$|\.d\.ts$|^(?:core|app)\/src\/testing\/|\/__fixtures__\//;

/** The sources whose texts people read. */
export const readSources = async (root: string): Promise<Source[]> => {
  const sources: Source[] = [];
  for (const folder of FOLDERS)
    for (const entry of await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      const file = path.relative(root, path.join(entry.parentPath, entry.name));
      if (entry.isFile() && /\.tsx?$/.test(file) && !NO_SOURCE.test(file))
        sources.push(readSource(file, await readFile(path.join(root, file), 'utf8')));
    }
  return sources.toSorted((a, b) => (a.file < b.file ? -1 : 1));
};
