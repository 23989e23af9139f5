import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/api-client.ts';
import { formatNumber } from '../../platform/ui/number-format.ts';
import type { ToastsStore } from '../../platform/ui/toasts.store.ts';
import * as routes from '../api/verdict-routes.ts';
import type { FindingChange } from '../model/change.ts';
import type { Verdict } from '../model/states.ts';
import type { FindingDetailStore } from './finding-detail.store.ts';
import type { FindingView } from './finding-view.ts';
import type { FindingAttributes, FindingsStore } from './findings.store.ts';
import type { SelectionStore } from './selection.store.ts';

/** Findings that an act is about: some, or all that a view finds. */
export type Target = { ids: readonly string[] } | { view: FindingView; total: number };

/** A question that a dialog asks before the act. */
export type Asking =
  | { kind: 'verdict'; verdict: Verdict; target: Target }
  | { kind: 'assign'; target: Target }
  | { kind: 'review'; id: string }
  | { kind: 'refused' }
  | { kind: 'keys' };

type Refused = Static<typeof routes.Refused>;

interface Outcome {
  done: number;
  refusedCount: number;
  refused: Refused;
}

interface Progress {
  done: number;
  refused: number;
  total: number;
}

const POLL_MS = 700;

export const countOf = (target: Target): number => ('ids' in target ? target.ids.length : target.total);

/** What a row shows before the server has agreed. */
const patchOf = (change: FindingChange): Partial<FindingAttributes> => {
  const { verdict, status, severity, tags } = change;
  return {
    ...(verdict === undefined ? {} : { verdict: verdict.value, false_positive: verdict.value === 'false_positive' }),
    ...(status === undefined ? {} : { status }),
    ...(severity === undefined ? {} : { severity }),
    ...(tags === undefined ? {} : { tags }),
    ...(change.issue_owner === undefined ? {} : { issue_owner: change.issue_owner }),
  };
};

export interface TriageDependencies {
  api: ApiClient;
  toasts: ToastsStore;
  list: FindingsStore;
  selection: SelectionStore;
}

/** Decisions about findings: shown at once, put back where the server refuses, taken back from the toast. */
export class TriageStore {
  asking: Asking | undefined = undefined;
  /** Long work that is under way. */
  progress: Progress | undefined = undefined;
  /** Of the last act about many, where it left something out. */
  outcome: Outcome | undefined = undefined;
  isBusy = false;
  readonly #of: TriageDependencies;
  #detail: FindingDetailStore | undefined = undefined;

  constructor(dependencies: TriageDependencies) {
    this.#of = dependencies;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** The panel that is open follows what is decided. @returns how to stop it. */
  attach(detail: FindingDetailStore): () => void {
    this.#detail = detail;
    return () => {
      if (this.#detail === detail) this.#detail = undefined;
    };
  }

  ask(asking: Asking | undefined): void {
    this.asking = asking;
  }

  forgetOutcome(): void {
    this.outcome = undefined;
  }

  /** Decides. @returns whether the server agreed. */
  async change(target: Target, change: FindingChange, done: string): Promise<boolean> {
    const takeBack = this.#show(target, patchOf(change));
    return this.#run(takeBack, done, () => this.#send(target, change));
  }

  /** Sends findings to developers. */
  assign(target: Target, developers: readonly string[]): Promise<boolean> {
    const change = { developer_ids: [...developers] };
    return this.#run(
      () => undefined,
      'assigned',
      () => this.#send(target, change),
    );
  }

  /** Asks somebody who may to decide. */
  async review(id: string, verdict: Verdict, reason: string): Promise<boolean> {
    const body = { verdict, ...(reason === '' ? {} : { reason }) };
    try {
      await this.#of.api.call(routes.requestReview, { params: { id }, body });
      this.#of.toasts.show('A decision was asked for', { tone: 'done' });
      this.#refresh();
      return true;
    } catch (error) {
      this.#of.toasts.showError(error);
      return false;
    }
  }

  async endReview(id: string): Promise<void> {
    try {
      await this.#of.api.call(routes.endReview, { params: { id } });
      this.#of.toasts.show('No decision is asked for any more', { tone: 'done' });
      this.#refresh();
    } catch (error) {
      this.#of.toasts.showError(error);
    }
  }

  /** Takes an act back, for one finding of it or for all. */
  async undo(changeId: string, findingId?: string): Promise<void> {
    await this.#run(
      () => undefined,
      'taken back',
      async () => {
        const body = { change_id: changeId, ...(findingId === undefined ? {} : { finding_id: findingId }) };
        const { data } = await this.#of.api.call(routes.undoChange, { body });
        return 'job_id' in data ? this.#follow(data.job_id) : { ...data, refusedCount: data.refused.length };
      },
      false,
    );
  }

  async #send(target: Target, change: FindingChange): Promise<Outcome & { change_id: string | null }> {
    const { api } = this.#of;
    const [first] = 'ids' in target ? target.ids : [];
    if ('ids' in target && target.ids.length === 1 && first !== undefined) {
      const { meta } = await api.call(routes.changeFinding, { params: { id: first }, body: change });
      return { done: 1, refused: [], refusedCount: 0, change_id: meta.change_id };
    }
    const meant =
      'ids' in target ? { ids: [...target.ids] } : { filters: target.view.filters, search: target.view.search };
    const { data } = await api.call(routes.changeFindings, { body: { ...meant, change } });
    return 'job_id' in data ? this.#follow(data.job_id) : { ...data, refusedCount: data.refused.length };
  }

  /** Waits for a job and shows how far it is. */
  async #follow(id: string): Promise<Outcome & { change_id: string | null }> {
    for (;;) {
      const { data } = await this.#of.api.call(routes.getJob, { params: { id } });
      const job = data.attributes;
      runInAction(() => {
        this.progress = { done: job.done, refused: job.refused_count, total: job.total };
      });
      if (job.status === 'failed') this.#of.toasts.show(job.detail ?? 'The work broke off.', { tone: 'problem' });
      if (job.finished_at !== null) {
        return { done: job.done, refused: job.refused, refusedCount: job.refused_count, change_id: id };
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #run(
    takeBack: () => void,
    done: string,
    work: () => Promise<Outcome & { change_id: string | null }>,
    canUndo = true,
  ): Promise<boolean> {
    const { toasts, selection } = this.#of;
    this.isBusy = true;
    this.outcome = undefined;
    try {
      const { change_id, ...outcome } = await work();
      const refused = outcome.refusedCount === 0 ? '' : `, ${formatNumber(outcome.refusedCount)} refused`;
      const message = `${formatNumber(outcome.done)} ${done}${refused}`;
      runInAction(() => {
        if (outcome.refusedCount > 0) this.outcome = outcome;
        selection.clear();
      });
      if (canUndo && change_id !== null) toasts.showUndo(message, () => void this.undo(change_id));
      else toasts.show(message, { tone: outcome.done === 0 && refused !== '' ? 'problem' : 'done' });
      this.#refresh();
      return true;
    } catch (error) {
      takeBack();
      toasts.showError(error);
      return false;
    } finally {
      runInAction(() => {
        this.isBusy = false;
        this.progress = undefined;
      });
    }
  }

  /** Shows a change before the server has it. @returns how to put the old state back. */
  #show(target: Target, patch: Partial<FindingAttributes>): () => void {
    const { list } = this.#of;
    const ids = 'ids' in target ? target.ids : [];
    const detail = this.#detail;
    const rows = ids.flatMap((id) => {
      const index = list.list.indexOf((row) => row._id === id);
      const row = index < 0 ? undefined : list.list.rowAt(index);
      return row === undefined ? [] : [row];
    });
    for (const { _id } of rows) list.patch(_id, patch);
    const restore = detail?.id !== undefined && ids.includes(detail.id) ? detail.patch(patch) : () => undefined;
    return () => {
      for (const row of rows) list.patch(row._id, row.attributes);
      restore();
    };
  }

  #refresh(): void {
    this.#of.list.refresh();
    if (this.#detail?.id !== undefined) void this.#detail.load(this.#detail.id);
  }
}
