import { readRelatedFixFacts, type Viewer } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import { nextStatus } from '../model/states.ts';
import { applyPatch, DiffError, readDiff, snippetsOf, writeDiff } from '../model/unified-diff.ts';
import { generate, planFor } from './generate.ts';
import { revisionOf } from './remediation-item.ts';
import {
  type Columns,
  moveRemediation,
  NO_RUN,
  type Remediation,
  releaseRun,
  requireRemediation,
  takeRun,
} from './remediation-store.ts';
import { atProvider, type RemediationDeps, readFiles, type SourceRepository } from './source-files.ts';

export interface Edit {
  code_diff?: string;
  title?: string;
  description?: string;
  /** Of what was edited. */
  revision?: string;
}

const wrong = (why: string): AppError =>
  new AppError('validation_failed', undefined, { issues: [{ loc: ['body', 'code_diff'], msg: why, type: 'diff' }] });

/** The given diff against the files as they are now. @throws validation_failed where it does not fit, or touches other files */
const checkDiff = async (
  deps: RemediationDeps,
  remediation: Remediation,
  { source, diff }: { source: SourceRepository; diff: string },
): Promise<Columns> => {
  const allowed = remediation.files.map(({ path }) => path);
  try {
    const patches = readDiff(diff);
    const foreign = patches.find(({ path }) => !allowed.includes(path));
    if (foreign !== undefined)
      throw wrong(
        allowed.length === 0
          ? sayEnglish('It touches “{path}”; this remediation may change no file.', { path: foreign.path })
          : sayEnglish('It touches “{path}”; this remediation may change {files}.', {
              path: foreign.path,
              files: allowed.join(', '),
            }),
      );
    if (patches.length === 0) throw wrong(msg('It changes nothing.'));
    const files = await atProvider(deps, remediation.client_id, { ...source, branch: remediation.branch }, (step) =>
      readFiles(step, remediation.branch, allowed),
    );
    const changes = patches.map((patch) => {
      const before = files.find(({ path }) => path === patch.path)?.content ?? null;
      return { path: patch.path, before, after: applyPatch(before, patch) };
    });
    const code_diff = writeDiff(changes);
    if (code_diff === '') throw wrong(msg('It changes nothing.'));
    const snippets = snippetsOf(readDiff(code_diff));
    return {
      code_diff,
      code_snippet: snippets.after,
      code_snippet_original: snippets.before,
      files: JSON.stringify(files.map(({ path, sha256 }) => ({ path, sha256 }))),
      // put back to what was generated, it is generated again where its files move
      is_edited: code_diff !== remediation.code_diff_original,
    };
  } catch (error) {
    throw error instanceof DiffError ? wrong(error.message) : error;
  }
};

/** Changes diff or text by hand. @throws remediation_not_found, conflict, validation_failed */
export const editRemediation = async (
  deps: RemediationDeps,
  { viewer, id, edit }: { viewer: Viewer; id: string; edit: Edit },
): Promise<Remediation> => {
  const { clientId, userId } = viewer;
  const { remediation, facts, runId } = await deps.database.forClient(clientId, async (db) => {
    const found = await requireRemediation(db, viewer, id);
    if (nextStatus(found.remediation.processing_status, 'edit') === undefined)
      throw new AppError('conflict', msg('It cannot be edited in this state.'));
    const runId = await takeRun(db, found.remediation);
    // read again under the lock of the run: an edit that has just ended counts
    const { remediation: now } = await requireRemediation(db, viewer, id);
    if (edit.revision !== undefined && edit.revision !== revisionOf(now))
      throw new AppError(
        'conflict',
        msg('Somebody else has changed this fix since you opened it. Nothing was written.'),
      );
    return { ...found, remediation: now, runId };
  });
  try {
    const { code_diff: diff, revision: _revision, ...text } = edit;
    const columns = diff === undefined ? {} : await checkDiff(deps, remediation, { source: facts, diff });
    if (remediation.processing_status === 'failed' && remediation.code_diff === null && diff === undefined)
      throw new AppError('conflict', msg('There is no fix to edit: generate one, or an issue about the finding.'));
    return await deps.database.forClient(clientId, (db) =>
      moveRemediation(db, remediation, {
        event: 'edit',
        actor: userId,
        columns: { ...columns, ...text, failure: null, ...NO_RUN },
        detail: [...(diff === undefined ? [] : ['code_diff']), ...Object.keys(text)].join(', '),
      }),
    );
  } catch (error) {
    await deps.database.forClient(clientId, (db) => releaseRun(db, remediation, runId));
    throw error;
  }
};

/** Generates anew with the values that somebody gave. @throws remediation_not_found, conflict, validation_failed by field */
export const fillTemplate = async (
  deps: RemediationDeps,
  { viewer, id, values }: { viewer: Viewer; id: string; values: Readonly<Record<string, string>> },
): Promise<Remediation> => {
  const remediation = await deps.database.forClient(viewer.clientId, async (db) => {
    const found = await requireRemediation(db, viewer, id);
    return found.remediation;
  });
  if (!remediation.is_template) throw new AppError('conflict', msg('This remediation asks for no values.'));
  const fields = new Map(remediation.template_fields.map((field) => [field.key, field]));
  const issues = Object.entries(values).flatMap(([key, value]) => {
    const field = fields.get(key);
    const loc = ['body', 'template_values', key];
    if (field === undefined)
      return [
        {
          loc,
          msg: sayEnglish('Is none of its fields: {keys}.', { keys: [...fields.keys()].join(', ') }),
          type: 'template_field',
        },
      ];
    return new RegExp(`^(?:${field.pattern})$`, 'u').test(value) ? [] : [{ loc, msg: field.message, type: 'pattern' }];
  });
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
  const templateValues = { ...remediation.template_values, ...values };
  return generate(deps, { viewer, findingId: remediation.finding_id, type: 'pull_request', templateValues });
};

/** What the template would make of these values. Writes nothing. @throws remediation_not_found, conflict with the reason why there is no diff */
export const previewTemplate = async (
  deps: RemediationDeps,
  { viewer, id, values }: { viewer: Viewer; id: string; values: Readonly<Record<string, string>> },
): Promise<{ code_diff: string | null; problems: Record<string, string> }> => {
  const { clientId } = viewer;
  const found = await deps.database.forClient(clientId, async (db) => {
    const { remediation, facts } = await requireRemediation(db, viewer, id);
    return { remediation, facts, related: await readRelatedFixFacts(db, clientId, facts) };
  });
  if (!found.remediation.is_template) throw new AppError('conflict', msg('This remediation asks for no values.'));
  const templateValues = { ...found.remediation.template_values, ...values };
  try {
    const { plan, files } = await planFor(deps, clientId, { ...found, templateValues });
    if (plan.kind === 'none') throw new AppError('conflict', plan.detail);
    if (plan.kind !== 'change') throw new AppError('conflict', msg('It changes no files.'));
    const before = new Map(files.map(({ path, content }) => [path, content]));
    const changes = plan.changes.map(({ path, after }) => ({ path, before: before.get(path) ?? null, after }));
    return {
      code_diff: changes.length === 0 ? null : writeDiff(changes),
      problems: { ...plan.template?.problems },
    };
  } catch (error) {
    throw error instanceof DiffError ? new AppError('conflict', error.message) : error;
  }
};
