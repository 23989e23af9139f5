import { readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { reference } from './read-routes.ts';
import { type RepositoryCall, type Route, refusal } from './state.ts';

const of = (path: string): RegExp => new RegExp(`^/repositories/(\\d+)${path}$`);

const NewReference = Type.Object({ ref: Type.String(), sha: Type.String() });
const MovedReference = Type.Object({ sha: Type.String(), force: Type.Optional(Type.Boolean()) });
const NewBlob = Type.Object({ content: Type.String(), encoding: Type.String() });
const NewTree = Type.Object({
  base_tree: Type.String(),
  tree: Type.Array(
    Type.Object({
      path: Type.String(),
      mode: Type.String(),
      content: Type.Optional(Type.String()),
      sha: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});
const NewCommit = Type.Object({ message: Type.String(), tree: Type.String(), parents: Type.Array(Type.String()) });
/** Git's own objects and branches. Source: GitHub REST API, "Git database", version 2022-11-28. */
export const GIT_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: of('/git/refs'),
    of: 'repository',
    shape: 'ref',
    needs: ['contents', 'write'],
    answer: createReference,
  },
  {
    method: 'PATCH',
    path: of('/git/refs/heads/(.+)'),
    of: 'repository',
    shape: 'ref',
    needs: ['contents', 'write'],
    answer: moveReference,
  },
  {
    method: 'POST',
    path: of('/git/blobs'),
    of: 'repository',
    shape: 'blob',
    needs: ['contents', 'write'],
    answer: async ({ repository, body }) => {
      const { content } = readAnswer(NewBlob, body);
      const sha = await (await repository.git()).blob(Buffer.from(content, 'base64'));
      return { status: 201, json: { sha, url: `https://api.github.com/blobs/${sha}` } };
    },
  },
  {
    method: 'GET',
    path: of('/git/trees/([0-9a-f]{40})'),
    of: 'repository',
    shape: 'tree',
    answer: async ({ repository, parts: [sha = ''] }) => {
      const rows = await (await repository.git()).listFolder(sha);
      const tree = rows.map(({ path, mode, blob, type }) => ({ path, mode, type, sha: blob }));
      return { json: { sha, truncated: false, tree } };
    },
  },
  {
    method: 'POST',
    path: of('/git/trees'),
    of: 'repository',
    shape: 'tree',
    needs: ['contents', 'write'],
    answer: createTree,
  },
  {
    method: 'GET',
    path: of('/git/commits/([0-9a-f]{40})'),
    of: 'repository',
    shape: 'git-commit',
    answer: async ({ repository, parts: [sha = ''] }) => {
      const [commit] = await (await repository.git()).log(sha, { limit: 1 });
      if (commit === undefined) return refusal(404, 'Not Found');
      const parents = commit.parents.map((parent) => ({ sha: parent }));
      return { json: { sha, tree: { sha: commit.tree }, message: commit.message, parents } };
    },
  },
  {
    method: 'POST',
    path: of('/git/commits'),
    of: 'repository',
    shape: 'git-commit',
    needs: ['contents', 'write'],
    answer: async ({ repository, body }) => {
      const parts = readAnswer(NewCommit, body);
      const sha = await (await repository.git()).commit(parts);
      const parents = parts.parents.map((parent) => ({ sha: parent }));
      return { status: 201, json: { sha, tree: { sha: parts.tree }, message: parts.message, parents } };
    },
  },
];

async function createReference({ repository, body }: RepositoryCall): Promise<TestAnswer> {
  const { ref, sha } = readAnswer(NewReference, body);
  const git = await repository.git();
  const branch = ref.replace(/^refs\/heads\//, '');
  if ((await git.resolve(sha)) === null) return refusal(422, 'Object does not exist');
  if ((await git.branches()).has(branch)) return refusal(422, 'Reference already exists');
  const isMade = await git.setBranch(branch, sha);
  return isMade ? { status: 201, json: reference(branch, sha) } : refusal(422, 'Reference name is not valid');
}

async function moveReference({ repository, parts: [branch = ''], body }: RepositoryCall): Promise<TestAnswer> {
  const { sha, force } = readAnswer(MovedReference, body);
  const git = await repository.git();
  const present = (await git.branches()).get(branch);
  if (present === undefined) return refusal(422, 'Reference does not exist');
  if (branch === 'main' && repository.settings.protection !== null) {
    return refusal(422, 'Changes must be made through a pull request.');
  }
  if (force !== true && !(await git.isAncestor(present, sha))) return refusal(422, 'Update is not a fast forward');
  await git.setBranch(branch, sha, present);
  return { json: reference(branch, sha) };
}

async function createTree({ repository, body }: RepositoryCall): Promise<TestAnswer> {
  const { base_tree: base, tree } = readAnswer(NewTree, body);
  const git = await repository.git();
  const present = new Set((await git.listFiles(base)).map(({ path }) => path));
  if (tree.some(({ path, content, sha }) => content === undefined && sha === null && !present.has(path))) {
    return refusal(422, 'GitRPC::BadObjectState');
  }
  const changes = await Promise.all(
    tree.map(async ({ path, mode, content, sha }) => ({
      path,
      mode,
      blob: content === undefined ? (sha ?? null) : await git.blob(content),
    })),
  );
  const sha = await git.tree(base, changes);
  return { status: 201, json: { sha, truncated: false, tree: [] } };
}
