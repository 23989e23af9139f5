import { isDeepStrictEqual } from 'node:util';
import { msg } from '../../../../platform/model/message.ts';
import { say } from '../../../../platform/model/sentence.ts';
import type { ChangeFix, FixRequest, RepositoryFile } from '../../../model/fix.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { editYaml, plainValue, readYaml } from '../text/edit-yaml.ts';
import { applyEdits, lineEndOf, linesOf, type TextEdit } from '../text/edits.ts';

/** Rules about actions that are used by a tag or branch: semgrep, KICS, Checkov, zizmor, Scorecard, ours. */
const UNPINNED =
  /not-pinned-to-commit-sha|unpinned-(?:uses|actions)|pinned-?dependencies|^CKV_GHA_PINNED|^555ab8f9-2001-455e-a077-f2d0f41e2fb9$/i;
/** Rules about rights of the token of a workflow that nobody limits. */
const PERMISSIONS = /excessive-permissions|token-?permissions|^CKV2_GHA_1$/i;

const WORKFLOW = /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/;

/** What a rule asks of a workflow; undefined where it is not about one. */
export const hardeningOf = (ruleId: string, file: string | null): 'pin' | 'permissions' | undefined => {
  if (!WORKFLOW.test(file ?? '')) return undefined;
  if (UNPINNED.test(ruleId)) return 'pin';
  return PERMISSIONS.test(ruleId) ? 'permissions' : undefined;
};

/** What the change of a workflow is called. */
export const hardeningLabel = (kind: 'pin' | 'permissions'): string =>
  kind === 'pin' ? msg('Pin actions to commits') : msg('Limit the token of workflows to reading');

interface Use {
  readonly repository: string;
  readonly ref: string;
  /** Offsets of the reference, and of the end of its line. */
  readonly start: number;
  readonly lineEnd: number;
  readonly hasComment: boolean;
  readonly line: number;
}

/** A step or job that uses an action of another repository by something else than a whole hash. */
const USES =
  /^[ \t]*(?:-[ \t]+)?(?:["']?uses["']?)[ \t]*:[ \t]*(["']?)([\w.-]+\/[\w.-]+)((?:\/[\w.-]+)*)@([\w./-]+)\1([ \t]*#.*)?$/;

const usesOf = (text: string): Use[] =>
  linesOf(text).flatMap((line, index) => {
    const match = USES.exec(line.text.trimEnd());
    const [, , repository = '', , ref = '', comment] = match ?? [];
    if (match === null || /^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(ref)) return [];
    const at = line.text.indexOf(`@${ref}`, line.text.indexOf(repository)) + 1;
    return [
      {
        repository,
        ref,
        start: line.start + at,
        lineEnd: line.end,
        hasComment: comment !== undefined,
        line: index + 1,
      },
    ];
  });

const pinned = async (file: RepositoryFile, { finding, resolveRef }: FixRequest): Promise<string> => {
  const all = usesOf(file.content);
  const onLines = all.filter(
    ({ line }) => line >= (finding.startLine ?? 0) && line <= (finding.endLine ?? finding.startLine ?? 0),
  );
  const uses = onLines.length > 0 ? onLines : all;
  if (uses.length === 0)
    throw new CannotFix(
      'already_fixed',
      say('{path} uses no action without the hash of a commit.', { path: file.path }),
    );
  if (resolveRef === undefined)
    throw new CannotFix('unresolved_reference', say('Nobody can be asked for the commits of actions: connect GitHub.'));
  const edits: TextEdit[] = [];
  for (const { repository, ref, start, lineEnd, hasComment } of uses) {
    const commit = (await resolveRef(repository, ref))?.commit ?? '';
    if (!/^[0-9a-f]{40}$/.test(commit))
      throw new CannotFix(
        'unresolved_reference',
        say('The commit of {repository}@{ref} is not known.', { repository, ref }),
      );
    edits.push({ start, end: start + ref.length, text: commit });
    if (!hasComment) edits.push({ start: lineEnd, end: lineEnd, text: ` # ${ref}` });
  }
  return applyEdits(file.content, edits);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const limited = ({ path, content }: RepositoryFile): string => {
  const [document] = readYaml(content, path);
  const before = document === undefined ? undefined : plainValue(document, path);
  if (!isRecord(before) || !isRecord(before.jobs))
    throw new CannotFix('manifest_unreadable', say('{path} is no workflow with jobs.', { path }));
  if (before.permissions !== undefined) {
    if (before.permissions !== 'write-all' && before.permissions !== 'read-all') {
      throw new CannotFix(
        'place_not_found',
        say('{path} limits its token already; which of its jobs needs less has to be judged.', { path }),
      );
    }
    return editYaml(content, path, 0, ['permissions'], { contents: 'read' });
  }
  const jobs = linesOf(content).find(({ text }) => /^["']?jobs["']?[ \t]*:/.test(text));
  if (jobs === undefined)
    throw new CannotFix('place_not_found', say('{path} writes its jobs in a way that is not edited here.', { path }));
  const lineEnd = lineEndOf(content);
  const text = `permissions:${lineEnd}  contents: read${lineEnd}${lineEnd}`;
  const after = applyEdits(content, [{ start: jobs.start, end: jobs.start, text }]);
  const [changed] = readYaml(after, path);
  if (
    changed === undefined ||
    !isDeepStrictEqual(plainValue(changed, path), { ...before, permissions: { contents: 'read' } })
  ) {
    throw new CannotFix(
      'place_not_found',
      say('{path} cannot be edited without changing more than its permissions.', { path }),
    );
  }
  return after;
};

/** Plans the hardening of a workflow of GitHub Actions or Gitea Actions. @throws CannotFix */
export const planHardening = async (request: FixRequest, kind: 'pin' | 'permissions'): Promise<ChangeFix> => {
  const { finding, related, files } = request;
  const file = files.find(({ path }) => path === finding.file);
  if (file === undefined)
    throw new CannotFix(
      'file_not_found',
      finding.file === null
        ? say('The file of the finding is not in the repository.')
        : say('{path} is not in the repository.', { path: finding.file }),
    );
  const after = kind === 'pin' ? await pinned(file, request) : limited(file);
  const label = hardeningLabel(kind);
  const same = related.filter(
    (other) =>
      other.file === finding.file &&
      hardeningOf(other.ruleId, other.file) === kind &&
      (kind === 'permissions' || other.startLine === finding.startLine),
  );
  return {
    kind: 'change',
    title: `${label} (${file.path})`,
    description:
      kind === 'pin'
        ? // no text: part of the pull request, which is English
          'A tag can be moved to other code at any time; the hash of a commit cannot. The tag stands behind it, so that updates can still be found.'
        : // no text: part of the pull request, which is English
          'Without a limit the token of a workflow may write to the repository. Jobs that have to write say so themselves, by `permissions` of their own.',
    group: { key: `workflow.${kind}`, label },
    closes: [...new Set([finding.id, ...same.map(({ id }) => id)])],
    changes: [{ path: file.path, before: file.content, after }],
    isBreaking: kind === 'permissions',
    staleLocks: [],
    remaining:
      kind === 'permissions' ? [msg('Give jobs that publish, comment or release the rights that they need.')] : [],
  };
};
