import type { SettingChange } from '@breakwater/sdk';
import type { FixFacts, Viewer } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { isPostureCheck, POSTURE_LABELS, POSTURE_TOOL, POSTURE_TOPICS } from '../../platform/model/posture-checks.ts';
import { say } from '../../platform/model/sentence.ts';
import { readPostureSoon } from '../../source-control/server/index.ts';
import type { FixPlan } from '../model/fix.ts';
import { nextStatus, PROCESSING_LABELS } from '../model/states.ts';
import {
  addEvent,
  holdsRun,
  moveRemediation,
  NO_RUN,
  type Remediation,
  releaseRun,
  requireRemediation,
  takeRun,
} from './remediation-store.ts';
import { atProvider, type RemediationDeps } from './source-files.ts';

/** The setting that a finding is about, and what changes it; undefined where its connector changes none such. */
const settableOf = async (
  { connections }: Pick<RemediationDeps, 'connections'>,
  clientId: string,
  { tool, ruleId, sourceControl }: FixFacts,
) => {
  if (tool !== POSTURE_TOOL || !isPostureCheck(ruleId)) return undefined;
  const scm = await connections.capability({ clientId, connectorId: sourceControl }, 'scm');
  const settings = scm?.write?.settings;
  return settings?.checks.includes(ruleId) === true ? { check: ruleId, settings } : undefined;
};

/** Texts of a provider stand in Markdown as code, so that nothing in them is markup. */
const code = (text: string): string => `\`${text.replaceAll(/[`\r\n]/g, ' ').slice(0, 300)}\``;

/** A change on one line. */
export const settingLine = ({ setting, from, to }: SettingChange): string => `${setting}: ${from} → ${to}`;

/**
 * What would make the setting of a finding right, asked of the provider now; undefined where its connector cannot change it.
 * @throws AppError where the connection may not, with what to grant
 */
export const planSetting = async (
  deps: RemediationDeps,
  clientId: string,
  facts: FixFacts,
): Promise<FixPlan | undefined> => {
  const settable = await settableOf(deps, clientId, facts);
  if (settable === undefined) return undefined;
  const { check, settings } = settable;
  const changes = await atProvider(deps, clientId, facts, ({ ctx, repository }) =>
    settings.plan(ctx, { repository, check }),
  );
  if (changes.length === 0) {
    const detail = msg('It is right at the provider already: the next reading of its settings closes the finding.');
    return { kind: 'none', reason: 'already_fixed', detail };
  }
  const label = POSTURE_LABELS[check];
  return {
    kind: 'setting',
    title: `${label}: change the settings of ${facts.repository}`,
    description: [
      POSTURE_TOPICS[check].mitigation,
      'What changes:',
      changes.map((change) => `- ${code(settingLine(change))}`).join('\n'),
    ].join('\n\n'),
    group: { key: `setting.${check}`, label },
    closes: [facts.id],
    settings: changes,
  };
};

export interface SettingsRequest {
  viewer: Viewer;
  /** Of the remediation. */
  id: string;
}

type Begun = { done: Remediation } | { remediation: Remediation; facts: FixFacts; runId: string };

const begin = (deps: RemediationDeps, { viewer, id }: SettingsRequest): Promise<Begun> =>
  deps.database.forClient(viewer.clientId, async (db): Promise<Begun> => {
    const { remediation, facts } = await requireRemediation(db, viewer, id);
    const { processing_status: status, settings } = remediation;
    if (settings === null) throw new AppError('conflict', msg('It changes no settings of the repository.'));
    if (status === 'applied') return { done: remediation };
    if (nextStatus(status, 'set_settings') === undefined)
      throw new AppError(
        'conflict',
        say('Its state is “{status}”: generate the fix first.', { status: PROCESSING_LABELS[status] }),
      );
    return { remediation, facts, runId: await takeRun(db, remediation) };
  });

/**
 * Changes the settings of a fix at the provider, which never makes them weaker: asked twice, or after a process was killed, there is one
 * effect. The settings are read again at once, which closes the finding. @throws remediation_not_found, conflict, upstream_failed
 */
export const applySettings = async (deps: RemediationDeps, request: SettingsRequest): Promise<Remediation> => {
  const begun = await begin(deps, request);
  if ('done' in begun) return begun.done;
  const { remediation, facts, runId } = begun;
  const { clientId, userId } = request.viewer;
  try {
    const settable = await settableOf(deps, clientId, facts);
    if (settable === undefined) throw new AppError('conflict', msg('Its source control changes no such setting.'));
    const { check, settings } = settable;
    const changes = await atProvider(deps, clientId, facts, ({ ctx, repository }) =>
      settings.set(ctx, { repository, check }),
    );
    return await deps.database.forClient(clientId, async (db) => {
      const moved = await moveRemediation(db, remediation, {
        event: 'set_settings',
        actor: userId,
        columns: NO_RUN,
        detail: changes.map(settingLine).join('; ') || null,
        guard: (inside) => holdsRun(inside, remediation, runId),
      });
      await readPostureSoon(db, deps.jobs, { clientId, repositoryId: facts.repositoryId });
      return moved;
    });
  } catch (error) {
    await deps.database.forClient(clientId, async (db) => {
      await releaseRun(db, remediation, runId);
      const detail = error instanceof Error ? error.message : null;
      await addEvent(db, remediation, { actor: userId, kind: 'open_failed', detail });
    });
    throw error;
  }
};
