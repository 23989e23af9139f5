import { Callout, Checkbox, Radio, RadioGroup } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import type { BulkFixProps } from '../../../findings/ui/index.ts';
import { msg } from '../../../platform/model/message.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { applyPatches, type BulkPlan, generatePatches, planPatches } from '../../api/routes.ts';
import { useAiUsage } from '../ai/use-ai-usage.ts';
import './bulk-fix-dialog.css';

type Plan = Static<typeof BulkPlan>;

/** What is done with the findings. */
type Way = 'generate' | 'open' | 'ready';

const WAYS: readonly Way[] = ['generate', 'open', 'ready'];

/** How many pull requests there are. */
const GROUPS = ['repository', 'finding'] as const;
type Group = (typeof GROUPS)[number];

const LABELS: Readonly<Record<Way, string>> = {
  generate: msg('Generate'),
  open: msg('Generate and open'),
  ready: msg('Open pull requests'),
};

interface PlanState {
  plan?: Plan;
  problem?: string;
}

const usePlan = (ids: readonly string[]): PlanState => {
  const api = useService(API);
  const [state, setState] = useState<PlanState>({});
  useEffect(() => {
    const abort = new AbortController();
    api.call(planPatches, { body: { findings: [...ids] }, signal: abort.signal }).then(
      ({ data }) => setState({ plan: data }),
      (error: unknown) => {
        if (!isAbort(error)) setState({ problem: messagesOf(error).join(' ') });
      },
    );
    return () => abort.abort();
  }, [api, ids]);
  return state;
};

/** Each fix has a branch of its own, named after its finding. */
const FIX_BRANCHES = 'breakwater/fix-…';

type Target = Plan['targets'][number];

/** Which branches the fixes are put on. */
function FixBranch({ target, way, group }: { target: Target; way: Way; group: Group }) {
  const { findings, ready, fix_branch, ready_fix_branch } = target;
  const count = way === 'ready' ? ready : findings;
  if (way === 'generate' || count === 0) return null;
  if (group === 'repository') {
    return (
      <span className="t2 small">
        <Words
          of="One pull request from {branch}"
          branch={<code>{(way === 'ready' ? ready_fix_branch : null) ?? fix_branch}</code>}
        />
      </span>
    );
  }
  return (
    <span className="t2 small">
      <Words
        of={
          count === 1
            ? msg('One pull request from {branch}')
            : plural(count, 'Up to {count} pull request from {branch}', 'Up to {count} pull requests from {branch}')
        }
        branch={<code>{FIX_BRANCHES}</code>}
      />
    </span>
  );
}

/** Repositories with the branch that the pull requests go into, and those that they come from. */
function Targets({ targets, way, group }: Pick<Plan, 'targets'> & { way: Way; group: Group }) {
  return (
    <ul className="bulk-targets" aria-label={t('Repositories')}>
      {targets.map((target) => (
        <li key={`${target.repository} ${target.branch}`}>
          <span className="strong">{target.repository}</span>
          <span className="t2">
            <Words of="into {branch}" branch={<code>{target.branch}</code>} />
          </span>
          <span className="tn">{plural(target.findings, '{count} finding', '{count} findings')}</span>
          {target.can_open ? (
            <FixBranch target={target} way={way} group={group} />
          ) : (
            <span className="muted small">
              {t('Added by its address: nothing can be opened there until it is imported.')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

interface GroupingProps {
  group: Group;
  onGroup: (group: Group) => void;
}

function Grouping({ group, onGroup }: GroupingProps) {
  return (
    <RadioGroup
      className="bulk-ways"
      label={t('Pull requests')}
      selectedValue={group}
      onChange={(event) => onGroup(GROUPS.find((one) => one === event.currentTarget.value) ?? 'repository')}
    >
      <Radio value="repository" label={t('One for each repository: a commit of all its fixes')} />
      <Radio value="finding" label={t('One for each fix')} />
    </RadioGroup>
  );
}

interface AskAiTooProps {
  isAllowed: boolean;
  onAllow: (isAllowed: boolean) => void;
}

/** Whether a model is asked as well; nothing where none can be. */
function AskAiToo({ isAllowed, onAllow }: AskAiTooProps) {
  const model = useAiUsage()?.remediation;
  if (model?.state !== 'ready') return null;
  return (
    <Checkbox
      label={
        model.name === null
          ? t('Ask AI where there is no fix without it')
          : t('Ask AI ({model}) where there is no fix without it', { model: model.name })
      }
      checked={isAllowed}
      onChange={() => onAllow(!isAllowed)}
    />
  );
}

/** Plans the fixes of many findings: where they go is shown before anything is done. */
export const BulkFixDialog = observer(function BulkFixDialog({ ids, onStart, onClose }: BulkFixProps) {
  const api = useService(API);
  const { plan, problem } = usePlan(ids);
  const [way, setWay] = useState<Way>('open');
  const [group, setGroup] = useState<Group>('repository');
  const [isAiAllowed, setIsAiAllowed] = useState(true);
  const start = async (): Promise<string> => {
    const findings = [...ids];
    if (way === 'ready') {
      const { data } = await api.call(applyPatches, { body: { remediations: plan?.ready ?? [], group } });
      return data.job_id;
    }
    const isOpened = way === 'open';
    const { data } = await api.call(generatePatches, {
      body: {
        ...{ findings, apply_pr: isOpened, apply_issues: isOpened, ask_ai: isAiAllowed },
        ...(isOpened ? { group } : {}),
      },
    });
    return data.job_id;
  };
  const ready = plan?.ready.length ?? 0;
  return (
    <ActionDialog
      isOpen={true}
      title={plural(ids.length, 'Fix {count} finding', 'Fix {count} findings')}
      consequence={t(
        'One after the other, in the background. What is refused is listed with the reason; the rest is done.',
      )}
      actionLabel={t(LABELS[way])}
      isActionEnabled={plan !== undefined}
      onAction={() => onStart(start, way === 'generate' ? t('generated') : t('opened'))}
      onClose={onClose}
    >
      {problem !== undefined && <Callout intent="danger">{problem}</Callout>}
      {plan === undefined && problem === undefined && (
        <SkeletonRows rows={3} rowHeight={28} label={t('Repositories')} />
      )}
      {plan !== undefined && <Targets targets={plan.targets} way={way} group={group} />}
      <RadioGroup
        className="bulk-ways"
        label={t('What to do')}
        selectedValue={way}
        onChange={(event) => setWay(WAYS.find((one) => one === event.currentTarget.value) ?? 'open')}
      >
        <Radio value="open" label={t('Generate the fixes and open their pull requests')} />
        <Radio value="generate" label={t('Generate the fixes, to be looked at first')} />
        {ready > 0 && (
          <Radio
            value="ready"
            label={plural(
              ready,
              'Only open the {count} fix that is ready',
              'Only open the {count} fixes that are ready',
            )}
          />
        )}
      </RadioGroup>
      {way !== 'generate' && <Grouping group={group} onGroup={setGroup} />}
      {way !== 'ready' && <AskAiToo isAllowed={isAiAllowed} onAllow={setIsAiAllowed} />}
      {plan !== undefined && plan.opened > 0 && (
        <p className="muted small">
          {plural(plan.opened, 'Open or merged already: {count} fix.', 'Open or merged already: {count} fixes.')}
        </p>
      )}
    </ActionDialog>
  );
});
