import { answerJson, type Ctx, readAnswer, unpinnedActions } from '@breakwater/sdk';
import type { GithubForm } from '../plugin.ts';
import { FolderRows } from './answers.ts';
import { HEADERS } from './requests.ts';

type Http = Ctx<GithubForm>['http'];

interface Place {
  /** Root of the repository's resources. */
  readonly path: string;
  readonly branch: string;
}

/** More workflows than that are not read. */
const MOST_WORKFLOWS = 100;

/** Actions that workflows of a branch use by a name that can be moved, each once, in order. @throws ConnectorError */
export async function readUnpinnedActions(http: Http, { path, branch }: Place): Promise<string[]> {
  const query = { ref: `refs/heads/${branch}` };
  const folder = `${path}/contents/.github/workflows`;
  const answer = await http.request({ path: folder, query, headers: HEADERS, accept: [404] });
  if (answer.status === 404) return [];
  const rows = readAnswer(FolderRows, answerJson(answer));
  const files = rows.filter(({ name, type }) => type === 'file' && /\.ya?ml$/i.test(name)).slice(0, MOST_WORKFLOWS);
  const found = new Set<string>();
  for (const { name } of files) {
    const { body } = await http.request({
      path: `${folder}/${encodeURIComponent(name)}`,
      query,
      headers: { ...HEADERS, accept: 'application/vnd.github.raw+json' },
    });
    for (const action of unpinnedActions(new TextDecoder().decode(body))) found.add(action);
  }
  return [...found].sort();
}
