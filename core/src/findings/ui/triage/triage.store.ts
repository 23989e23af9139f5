import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../../platform/ui/data/api-error.ts';
import type { ToastsStore } from '../../../platform/ui/feedback/toasts.store.ts';
import type { UnsavedTexts } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { joinFindings, undoJoin } from '../../api/correlation-routes.ts';
import { type ChangedFinding, toggleFalsePositive } from '../../api/routes.ts';
import * as routes from '../../api/verdict-routes.ts';
import type { FindingChange } from '../../model/change.ts';
import { titleOf } from '../../model/finding-text.ts';
import { VERDICT_DONE } from '../../model/labels.ts';
import type { Verdict } from '../../model/states.ts';
import type { FindingDetailStore, FindingDetails } from '../data/finding-detail.store.ts';
import type { FindingAttributes, FindingsStore } from '../data/findings.store.ts';
import { JobFollower, type Outcome, type Progress } from './job-follower.ts';
import { patchOf } from './row-patch.ts';
import type { SelectionStore } from './selection.store.ts';
import { meantBy, type Target } from './target.ts';

/** A question that a dialog asks before the change. */
export type Asking =
  | { kind: 'verdict'; verdict: Verdict; target: Target; reason?: string }
  | { kind: 'assign'; target: Target }
  | { kind: 'fix'; target: Target }
  | { kind: 'assess'; target: Target }
  | { kind: 'review'; id: string }
  | { kind: 'join'; id: string }
  | { kind: 'refused' }
  | { kind: 'keys' };

/** A refusal has to be read: what, which and why. */
const REFUSAL_TIMEOUT_MS = 10_000;

/** What the toast says of a change. */
interface Ending {
  /** What was done, of the message "118 marked as false positive"; marked by `msg()`. */
  done: string;
  canUndo: boolean;
  /** Findings that it is about, where they are known. */
  ids?: readonly string[];
  /** What a person wrote about it. */
  text?: string | null | undefined;
  /** Says it in another way than by its number. */
  notify?: () => void;
}

/** A change that is done, with the finding as it is now where it was one. */
interface Done extends Outcome {
  finding?: { _id: string; attributes: FindingDetails };
}

const doneOne = ({ data, meta }: Static<typeof ChangedFinding>): Done => ({
  done: 1,
  refused: [],
  refusedCount: 0,
  changeId: meta.change_id,
  finding: data,
});

const doneAs = (_answer: unknown): Done => ({ done: 1, refused: [], refusedCount: 0, changeId: null });

export interface TriageDependencies {
  api: ApiClient;
  toasts: ToastsStore;
  list: FindingsStore;
  selection: SelectionStore;
  unsaved: Pick<UnsavedTexts, 'watch'>;
}

/** Decisions about findings: shown at once, put back where the server refuses, taken back from the toast. */
export class TriageStore {
  asking: Asking | undefined = undefined;
  /** Of the last change of many, where it left something out. */
  outcome: Outcome | undefined = undefined;
  /** Changes that the server has not answered. */
  underWay = 0;
  readonly #of: TriageDependencies;
  readonly #jobs: JobFollower;
  #detail: FindingDetailStore | undefined = undefined;
  /** The last change that can be taken back, with its notice. */
  #last: { changeId: string; ids: readonly string[] | undefined; toast: number } | undefined = undefined;

  constructor(dependencies: TriageDependencies) {
    this.#of = dependencies;
    this.#jobs = new JobFollower(dependencies.api);
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isBusy(): boolean {
    return this.underWay > 0;
  }

  /** Long work that is under way. */
  get progress(): Progress | undefined {
    return this.#jobs.progress;
  }

  /** Takes up the jobs of before a reload, or of before this page was left. */
  async resume(): Promise<void> {
    for (const { id, ending } of await this.#jobs.find()) {
      void this.#run(
        () => undefined,
        ending,
        async (answered) => {
          answered();
          return this.#jobs.follow(id);
        },
      );
    }
  }

  /** The page is left. */
  leave(): void {
    this.#jobs.stop();
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

  dismissOutcome(): void {
    if (this.outcome?.jobId !== undefined) this.#jobs.see(this.outcome.jobId);
    this.outcome = undefined;
  }

  /** Decides. @returns whether the server agreed. */
  async change(target: Target, change: FindingChange, done: string): Promise<boolean> {
    const [id] = 'ids' in target && target.ids.length === 1 ? target.ids : [];
    const { verdict, ...others } = change;
    if (id !== undefined && verdict?.value === 'false_positive' && Object.keys(others).length === 0) {
      const now = this.#verdictOf(id);
      if (now !== undefined && now !== 'false_positive') return this.toggleFalsePositive(id, verdict.reason);
    }
    const takeBack = this.#show(target, patchOf(change));
    const ids = 'ids' in target ? target.ids : [];
    const text = change.verdict?.reason ?? change.notes;
    return this.#run(takeBack, { done, canUndo: true, ids, text }, (answered) => this.#send(target, change, answered));
  }

  /** Marks a finding false positive; one that is marked gets the verdict before back. @returns whether the server agreed. */
  async toggleFalsePositive(id: string, reason?: string): Promise<boolean> {
    const isMarked = this.#verdictOf(id) === 'false_positive';
    const takeBack = this.#show({ ids: [id] }, patchOf({ verdict: { value: isMarked ? 'none' : 'false_positive' } }));
    const done = isMarked ? msg('unmarked as false positive') : VERDICT_DONE.false_positive;
    return this.#run(takeBack, { done, canUndo: true, ids: [id], text: reason }, async () => {
      // what the person saw decides, not what somebody else has made of it meanwhile
      const body = { is_false_positive: !isMarked, ...(reason === undefined ? {} : { reason }) };
      return doneOne(await this.#of.api.call(toggleFalsePositive, { params: { id }, body }));
    });
  }

  /** Sends findings to developers. */
  assign(target: Target, developers: readonly string[]): Promise<boolean> {
    const change = { developer_ids: [...developers] };
    return this.#run(
      () => undefined,
      { done: msg('assigned'), canUndo: true },
      (answered) => this.#send(target, change, answered),
    );
  }

  /** Follows the job of another slice as one of this list: how far it is and what it refused shows in the same places. */
  runJob(start: () => Promise<string>, done: string): Promise<boolean> {
    return this.#run(
      () => undefined,
      { done, canUndo: false },
      async (answered) => this.#outcomeOf({ job_id: await start() }, answered),
    );
  }

  /** Says that two findings are the same: one becomes the duplicate of the other. */
  join(id: string, otherId: string, reason: string): Promise<boolean> {
    const { api, toasts } = this.#of;
    const params = { id };
    const separate = (): Promise<boolean> =>
      this.#run(
        () => undefined,
        {
          done: msg('separated'),
          canUndo: false,
          ids: [id],
          notify: () => toasts.show(t('Taken back'), { tone: 'done' }),
        },
        async () => doneAs(await api.call(undoJoin, { params, query: { with: otherId } })),
      );
    return this.#run(
      () => undefined,
      {
        done: msg('joined'),
        canUndo: false,
        ids: [id],
        text: reason,
        notify: () => toasts.showUndo(t('2 joined'), () => void separate()),
      },
      async () => {
        const body = { with: otherId, ...(reason === '' ? {} : { reason }) };
        return doneAs(await api.call(joinFindings, { params, body }));
      },
    );
  }

  /** Asks somebody who may to decide. */
  async review(id: string, verdict: Verdict, reason: string): Promise<boolean> {
    const body = { verdict, ...(reason === '' ? {} : { reason }) };
    const release = this.#watchText(t('A decision was not asked for.'), reason);
    try {
      const { data } = await this.#of.api.call(routes.requestReview, { params: { id }, body });
      this.#of.toasts.show(t('A decision was asked for'), { tone: 'done' });
      this.#refresh(data);
      return true;
    } catch (error) {
      this.#of.toasts.showError(error);
      return false;
    } finally {
      release();
    }
  }

  async endReview(id: string): Promise<void> {
    try {
      const { data } = await this.#of.api.call(routes.endReview, { params: { id } });
      this.#of.toasts.show(t('No decision is asked for any more'), { tone: 'done' });
      this.#refresh(data);
    } catch (error) {
      this.#of.toasts.showError(error);
    }
  }

  /** Takes the last change back, also after its notice has gone. @returns whether there was one */
  undoLast(): boolean {
    if (this.#last === undefined) return false;
    this.#of.toasts.dismiss(this.#last.toast);
    void this.undo(this.#last.changeId, undefined, this.#last.ids);
    return true;
  }

  /** Undoes a change, for one finding of it or for all. @param ids the findings of it, where they are known */
  async undo(changeId: string, findingId?: string, ids?: readonly string[]): Promise<void> {
    if (this.#last?.changeId === changeId) this.#last = undefined;
    await this.#run(
      () => undefined,
      { done: msg('taken back'), canUndo: false, ids: findingId === undefined ? (ids ?? []) : [findingId] },
      async (answered) => {
        const body = { change_id: changeId, ...(findingId === undefined ? {} : { finding_id: findingId }) };
        const { data } = await this.#of.api.call(routes.undoChange, { body });
        return this.#outcomeOf(data, answered);
      },
    );
  }

  /** Of a finding in the panel or the list; undefined where it is in neither. */
  #verdictOf(id: string): Verdict | undefined {
    if (this.#detail?.id === id && this.#detail.detail !== undefined) return this.#detail.detail.verdict;
    const rows = this.#of.list.list;
    return rows.rowAt(rows.indexOf((row) => row._id === id))?.attributes.verdict;
  }

  async #send(target: Target, change: FindingChange, answered: () => void): Promise<Done> {
    const { api } = this.#of;
    const [first] = 'ids' in target ? target.ids : [];
    if ('ids' in target && target.ids.length === 1 && first !== undefined) {
      return doneOne(await api.call(routes.changeFinding, { params: { id: first }, body: change }));
    }
    const { data } = await api.call(routes.changeFindings, { body: { ...meantBy(target), change } });
    return this.#outcomeOf(data, answered);
  }

  /** A job goes on while something else is selected, and the list follows what it and others change. */
  #outcomeOf(data: Static<typeof routes.ResultOrJob>['data'], answered: () => void): Promise<Done> | Done {
    if ('job_id' in data) {
      answered();
      this.#of.selection.clear();
      return this.#jobs.follow(data.job_id);
    }
    const { done, refused, change_id: changeId, finding } = data;
    return { done, refused, refusedCount: refused.length, changeId, ...(finding === undefined ? {} : { finding }) };
  }

  /** @param work calls what it gets where the list is not read again at once. */
  async #run(takeBack: () => void, ending: Ending, work: (answered: () => void) => Promise<Done>): Promise<boolean> {
    this.underWay += 1;
    this.dismissOutcome();
    const endWait = this.#of.list.awaitAnswer();
    const release = this.#watchText(this.#refusalOf(ending), ending.text);
    try {
      const done = await work(endWait);
      // what this change is called, where it has a name: the list is read again in any case
      endWait(done.changeId ?? '');
      if (ending.notify === undefined) this.#notify(done, ending);
      else ending.notify();
      this.#refresh(done.finding);
      return true;
    } catch (error) {
      takeBack();
      this.#notifyRefusal(error, ending);
      return false;
    } finally {
      release();
      endWait();
      runInAction(() => {
        this.underWay -= 1;
      });
    }
  }

  /** What was not done, to which findings, and why. */
  #notifyRefusal(error: unknown, ending: Ending): void {
    if (isAbort(error)) return;
    const message = `${this.#refusalOf(ending)} ${messagesOf(error).join(' ')}`;
    this.#of.toasts.show(message, { tone: 'problem', timeoutMs: REFUSAL_TIMEOUT_MS });
  }

  #refusalOf({ done, ids = [] }: Ending): string {
    const [only] = ids;
    if (ids.length === 0) return t('The findings were not {done}.', { done: t(done) });
    if (ids.length === 1 && only !== undefined) {
      return t('“{title}” was not {done}.', { title: this.#titleOf(only) ?? t('This finding'), done: t(done) });
    }
    return plural(ids.length, '{count} finding was not {done}.', '{count} findings were not {done}.', {
      done: t(done),
    });
  }

  /** Until the server has answered, what a person wrote outlasts the end of the session. @returns how to stop that. */
  #watchText(what: string, text: string | null | undefined): () => void {
    return text === undefined || text === null ? () => undefined : this.#of.unsaved.watch(() => ({ what, text }));
  }

  #titleOf(id: string): string | undefined {
    const shown = this.#detail?.id === id ? this.#detail.detail : undefined;
    return shown === undefined ? this.#of.list.titleOfRow(id) : titleOf(shown);
  }

  #notify(outcome: Outcome, { done, canUndo, ids }: Ending): void {
    const { toasts, selection } = this.#of;
    const { changeId, jobId, problem, refusedCount } = outcome;
    const said = { count: outcome.done, done: t(done) };
    const counts =
      refusedCount === 0
        ? t('{count} {done}', said)
        : t('{count} {done}, {refused} refused', { ...said, refused: refusedCount });
    const message = problem === undefined ? counts : `${counts}. ${problem}`;
    runInAction(() => {
      if (refusedCount > 0) this.outcome = outcome;
      else if (jobId !== undefined) this.#jobs.see(jobId);
      // what was selected while a job ran is for the next change
      if (jobId === undefined) selection.clear();
    });
    const isProblem = problem !== undefined || (outcome.done === 0 && refusedCount > 0);
    if (canUndo && changeId !== null) {
      const toast = toasts.showUndo(message, () => void this.undo(changeId, undefined, ids));
      this.#last = { changeId, ids, toast };
    } else toasts.show(message, { tone: isProblem ? 'problem' : 'done' });
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

  /** The list is read again; so is the finding of the panel, unless an answer has just brought it. */
  #refresh(answered?: Done['finding']): void {
    this.#of.list.refresh();
    const detail = this.#detail;
    if (detail?.id === undefined) return;
    if (detail.id === answered?._id) detail.take(answered._id, answered.attributes);
    else void detail.load(detail.id);
  }
}
