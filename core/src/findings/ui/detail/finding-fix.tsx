import { type ComponentType, lazy, Suspense, useState } from 'react';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { type ServiceId, serviceId, useService } from '../../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import type { Verdict } from '../../model/states.ts';

/** What a key asks of the fix; the number grows at each press. */
export interface FixRequest {
  kind: 'generate' | 'open';
  count: number;
}

interface FindingFixProps {
  /** Of the finding. */
  id: string;
  request: FixRequest | undefined;
  /** The status of the finding may be another one now. */
  onChanged: () => void;
}

/** Findings put together by what fixes them, in the place of the list. */
export interface FixGroupsProps {
  filters: FindingFilters;
  search: string;
  /** Address of a finding. */
  hrefOf: (id: string) => string;
  /** What is selected in the list, which lives as long as the list. */
  selection: { has(id: string): boolean; pick(ids: readonly string[]): void; drop(ids: readonly string[]): void };
  /** False for who may only look. */
  mayFix: boolean;
  onFix: (ids: readonly string[]) => void;
}

/** Asks how many findings are to be fixed. */
export interface BulkFixProps {
  ids: readonly string[];
  /** @param start begins the work and answers with its job. @param done what is said of those that were done: "generated" */
  onStart: (start: () => Promise<string>, done: string) => void;
  onClose: () => void;
}

/** What a model proposes about a finding, beside its code. */
export interface AssessmentPanelProps {
  /** Of the finding. */
  id: string;
  /** What people have decided. */
  verdict: Verdict;
  /** The person may give verdicts. */
  mayDecide: boolean;
  /** Asks for the verdict with these reasons: a person decides. */
  onAccept: (verdict: Verdict, reason: string) => void;
}

/** Asks a model about what is selected; nothing where the organisation did not switch it on. */
interface AssessVerbProps {
  onAsk: () => void;
}

/** What fixes a finding, and how many findings of its repository that closes, itself included. */
export interface FixOfFinding {
  label: string;
  closes: number;
}

/** How a finding is fixed: shown here, and made by the slice that keeps remediations. */
interface FixPort {
  load(): Promise<ComponentType<FindingFixProps>>;
  /** Undefined where no fix is known without looking at files. Throws an ApiError. */
  readFix(
    api: ApiClient,
    of: { id: string; filters: FindingFilters },
    signal: AbortSignal,
  ): Promise<FixOfFinding | undefined>;
  loadGroups(): Promise<ComponentType<FixGroupsProps>>;
  loadBulk(): Promise<ComponentType<BulkFixProps>>;
  loadAssessment(): Promise<ComponentType<AssessmentPanelProps>>;
  loadAssessVerb(): Promise<ComponentType<AssessVerbProps>>;
  loadBulkAssessment(): Promise<ComponentType<BulkFixProps>>;
}

export const FINDING_FIX: ServiceId<FixPort> = serviceId<FixPort>('findings.fix');

/** The fix of a finding, loaded when it is first looked at. */
export function FindingFix(props: FindingFixProps) {
  const port = useService(FINDING_FIX);
  const [Fix] = useState(() => lazy(async () => ({ default: await port.load() })));
  return (
    <Suspense fallback={<SkeletonRows rows={4} rowHeight={32} label={t('The fix')} />}>
      <Fix {...props} />
    </Suspense>
  );
}

/** What a model proposes, or nothing; loaded with the first finding. */
export function FindingAssessment(props: AssessmentPanelProps) {
  const port = useService(FINDING_FIX);
  const [Panel] = useState(() => lazy(async () => ({ default: await port.loadAssessment() })));
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  );
}

/** The list by what fixes its findings, loaded when somebody asks for it. */
export function FixGroups(props: FixGroupsProps) {
  const port = useService(FINDING_FIX);
  const [Groups] = useState(() => lazy(async () => ({ default: await port.loadGroups() })));
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={52} label={t('Fixes')} />}>
      <Groups {...props} />
    </Suspense>
  );
}

/** A verb of the bar below the list. */
export function AssessVerb(props: AssessVerbProps) {
  const port = useService(FINDING_FIX);
  const [Verb] = useState(() => lazy(async () => ({ default: await port.loadAssessVerb() })));
  return (
    <Suspense fallback={null}>
      <Verb {...props} />
    </Suspense>
  );
}

/** The dialog that asks a model about many, loaded when it is asked for. */
export function BulkAssessment(props: BulkFixProps) {
  const port = useService(FINDING_FIX);
  const [Bulk] = useState(() => lazy(async () => ({ default: await port.loadBulkAssessment() })));
  return (
    <Suspense fallback={null}>
      <Bulk {...props} />
    </Suspense>
  );
}

/** The dialog that fixes many, loaded when it is asked for. */
export function BulkFix(props: BulkFixProps) {
  const port = useService(FINDING_FIX);
  const [Bulk] = useState(() => lazy(async () => ({ default: await port.loadBulk() })));
  return (
    <Suspense fallback={null}>
      <Bulk {...props} />
    </Suspense>
  );
}
