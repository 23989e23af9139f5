import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortestPaths } from './dependency-paths.ts';

const parentsOf = (edges: readonly (readonly [string, string])[]): Map<string, string[]> => {
  const parents = new Map<string, string[]>();
  for (const [from, to] of edges) parents.set(to, [...(parents.get(to) ?? []), from]);
  return parents;
};
const paths = (edges: readonly (readonly [string, string])[], roots: string[], target: string, maxPaths = 5) =>
  shortestPaths({ target, parents: parentsOf(edges), isRoot: (id) => roots.includes(id), maxPaths }).map((path) =>
    path.join(' '),
  );

/** All simple paths that begin at a root and meet no further root. */
const allPaths = (edges: readonly (readonly [string, string])[], roots: string[], target: string): string[] => {
  const walk = (path: string[]): string[][] => {
    const [head = ''] = path;
    if (roots.includes(head)) return [path];
    return edges.filter(([from, to]) => to === head && !path.includes(from)).flatMap(([from]) => walk([from, ...path]));
  };
  return walk([target]).map((path) => path.join(' '));
};

describe('dependency paths', () => {
  it('come shortest first, both ends included', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'x'],
      ['a', 'x'],
      ['c', 'b'],
    ] as const;
    expect(paths(edges, ['a', 'c'], 'x')).toEqual(['a x', 'a b x', 'c b x']);
    expect(paths(edges, ['a', 'c'], 'x', 1)).toEqual(['a x']);
  });

  it('what the application names itself is a path of one; a path begins at the nearest root', () => {
    expect(paths([['a', 'x']], ['a', 'x'], 'x')).toEqual(['x']);
    expect(
      paths(
        [
          ['r', 'a'],
          ['a', 'x'],
        ],
        ['r', 'a'],
        'x',
      ),
    ).toEqual(['a x']);
  });

  it('a circle without a root ends with nothing', () => {
    expect(
      paths(
        [
          ['a', 'b'],
          ['b', 'a'],
          ['a', 'a'],
        ],
        [],
        'a',
      ),
    ).toEqual([]);
  });

  it('are the shortest of all that exist, in any graph', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const graph = fc.record({
      edges: fc.uniqueArray(fc.tuple(node, node), { maxLength: 14, selector: (edge) => edge.join() }),
      roots: fc.uniqueArray(node, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(graph, ({ edges, roots }) => {
        const all = allPaths(edges, roots, 'a');
        const found = paths(edges, roots, 'a', 3);
        expect(all).toEqual(expect.arrayContaining(found));
        expect(new Set(found).size).toBe(found.length);
        const lengths = (list: string[]) => list.map((path) => path.split(' ').length).sort((a, b) => a - b);
        expect(lengths(found)[0]).toBe(lengths(all)[0]);
      }),
    );
  });

  it('stay few in a graph with more paths than atoms', () => {
    const layers = 60;
    const edges = Array.from({ length: layers }, (_, layer) =>
      ['x', 'y', 'z'].flatMap((from) => ['x', 'y', 'z'].map((to) => [`${from}${layer + 1}`, `${to}${layer}`] as const)),
    ).flat();
    const found = paths(edges, [`x${layers}`, `y${layers}`], 'x0');
    expect(found).toHaveLength(5);
    expect(found.every((path) => path.split(' ').length === layers + 1)).toBe(true);
  });
});
