import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { t } from '../../platform/ui/language/translate.ts';
import {
  applySettings,
  cancelGeneration,
  createIssue,
  editRemediation,
  fillTemplate,
  generateIssue,
  generateRemediation,
  getFindingRemediation,
  openPullRequest,
  previewTemplate,
  type RemediationAttributes,
} from '../api/routes.ts';
import { listTicketTargets, previewTicketRoute, sendTicketRoute } from '../api/ticket-routes.ts';
import type { FixProgress } from './remediation-events.ts';

export interface Remediation {
  _id: string;
  attributes: Static<typeof RemediationAttributes>;
}

export type TemplateField = Remediation['attributes']['template_fields'][number];

/** A ticket system that tickets can be sent to. */
export interface TicketTarget {
  connector_id: string;
  title: string;
  problem: string | null;
}

type FixStep = 'generate' | 'fill' | 'save' | 'open' | 'ticket';

/** What a person changed, and of which revision. */
export interface FixEdit {
  revision: string;
  code_diff?: string;
  title?: string;
  description?: string;
}

/** What is said of a ticket. */
interface TicketNotice {
  message: string;
  isProblem: boolean;
}

/** The fix of one finding: one step at a time. */
export class FixStore {
  /** Null: nobody asked for one yet; undefined: not read yet. */
  remediation: Remediation | null | undefined = undefined;
  /** Why it could not be read. */
  error: unknown = undefined;
  /** Why the last step was refused. */
  problems: readonly string[] = [];
  /** What is under way. */
  step: FixStep | undefined = undefined;
  /** How far a model is; undefined where none is at work, or nothing is known of it yet. */
  progress: FixProgress | undefined = undefined;
  isCancelling = false;
  /** A model was asked last on this page. */
  isByAi = false;
  /** Ticket systems that are configured; undefined: not read, or they could not be. */
  targets: readonly TicketTarget[] | undefined = undefined;
  readonly #api: ApiClient;
  readonly #findingId: string;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, findingId: string) {
    this.#api = api;
    this.#findingId = findingId;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isReady(): boolean {
    return this.remediation?.attributes.processing_status === 'ready';
  }

  /** A fix is being made, here or by somebody else. */
  get isGenerating(): boolean {
    return this.step === 'generate' || this.remediation?.attributes.processing_status === 'processing';
  }

  /** The server has begun, and knows what is to be ended. */
  get canCancel(): boolean {
    return this.remediation?.attributes.processing_status === 'processing';
  }

  /** A model was asked last, whoever asked it: the next try asks it again. */
  get isRetryByAi(): boolean {
    return this.isByAi || (this.remediation?.attributes.ai ?? null) !== null;
  }

  load(): Promise<void> {
    const params = { id: this.#findingId };
    return this.#reading.run(
      (signal) => this.#api.call(getFindingRemediation, { params, signal }),
      ({ data }) => {
        this.#take(data);
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Where tickets can go. Without an answer the server chooses. */
  async loadTargets(): Promise<void> {
    try {
      const { data } = await this.#api.call(listTicketTargets, {});
      runInAction(() => {
        this.targets = data;
      });
    } catch {
      // sending says what is wrong
    }
  }

  /** Somebody changed it. What a step of this page brings comes with its answer; a generation is shown before that. */
  refresh(): void {
    if (this.step === undefined || this.step === 'generate') void this.load();
  }

  /** A model told how far it is. */
  follow({ model, characters, repaired }: FixProgress): void {
    this.progress = { model, characters, repaired };
  }

  dispose(): void {
    this.#reading.dispose();
  }

  generate(type: 'pull_request' | 'issue'): Promise<boolean> {
    const route = type === 'issue' ? generateIssue : generateRemediation;
    this.isByAi = false;
    return this.#run('generate', async () => (await this.#api.call(route, { params: { id: this.#findingId } })).data);
  }

  /** Has a model write the fix. */
  askAi(): Promise<boolean> {
    const call = { params: { id: this.#findingId }, query: { engine: 'ai' as const } };
    this.isByAi = true;
    return this.#run('generate', async () => (await this.#api.call(generateRemediation, call)).data);
  }

  /** Ends the generation that is under way, whoever began it. */
  async cancel(): Promise<void> {
    const id = this.remediation?._id;
    if (id === undefined || this.isCancelling) return;
    this.isCancelling = true;
    try {
      const { data } = await this.#api.call(cancelGeneration, { params: { id } });
      this.#take(data);
    } catch (error) {
      // it has come to its end meanwhile
      await this.load();
      runInAction(() => {
        this.problems = messagesOf(error);
      });
    } finally {
      runInAction(() => {
        this.isCancelling = false;
      });
    }
  }

  fill(values: Readonly<Record<string, string>>): Promise<boolean> {
    const id = this.remediation?._id ?? '';
    return this.#run('fill', async () => {
      const { data } = await this.#api.call(fillTemplate, { params: { id }, body: { template_values: { ...values } } });
      return data;
    });
  }

  /** What a template would make of these values; nothing is written. @throws ApiError */
  async preview(
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<{ code_diff: string | null; problems: Readonly<Record<string, string>> }> {
    const params = { id: this.remediation?._id ?? '' };
    const body = { template_values: { ...values } };
    return (await this.#api.call(previewTemplate, { params, body, signal })).data;
  }

  save(edit: FixEdit): Promise<boolean> {
    const id = this.remediation?._id ?? '';
    return this.#run('save', async () => (await this.#api.call(editRemediation, { params: { id }, body: edit })).data);
  }

  /** Opens what the remediation is: a pull request or an issue. */
  open(): Promise<boolean> {
    const { remediation, isReady } = this;
    if (remediation === undefined || remediation === null || !isReady) return Promise.resolve(false);
    const route = remediation.attributes.remediation_type === 'issue' ? createIssue : openPullRequest;
    return this.#run('open', async () => {
      await this.#api.call(route, { body: { remediation_id: remediation._id } });
      return undefined;
    });
  }

  /** Changes the settings that the fix names. */
  applySettings(): Promise<boolean> {
    const id = this.remediation?._id ?? '';
    return this.#run('open', async () => (await this.#api.call(applySettings, { params: { id } })).data);
  }

  /** What the ticket would say, field by field; nothing is sent. @throws ApiError */
  async previewTicket(connectorId: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const body = { remediation_id: this.remediation?._id ?? '', connector_id: connectorId };
    return (await this.#api.call(previewTicketRoute, { body, signal })).data.ticket;
  }

  /** @returns what to say, in the words of the server. Source: specification §8 "Webhook send" */
  async sendTicket(connectorId?: string): Promise<TicketNotice | undefined> {
    const id = this.remediation?._id;
    if (id === undefined) return undefined;
    let notice: TicketNotice | undefined;
    await this.#run('ticket', async () => {
      const body = { remediation_id: id, ...(connectorId === undefined ? {} : { connector_id: connectorId }) };
      const { success, data } = await this.#api.call(sendTicketRoute, { body });
      const again = data.status === 'pending' ? ` ${t('It is sent again by itself.')}` : '';
      notice = {
        message: success
          ? [t(data.title), data.description ?? ''].join(' ').trim()
          : `${t(data.title)}: ${data.description ?? ''}${again}`,
        isProblem: !success,
      };
      return undefined;
    });
    return notice;
  }

  #take(remediation: Remediation | null): void {
    runInAction(() => {
      this.remediation = remediation;
      if (remediation?.attributes.processing_status !== 'processing') this.progress = undefined;
    });
  }

  /** @returns whether it was done; a second step meanwhile is not. */
  async #run(step: FixStep, work: () => Promise<Remediation | undefined>): Promise<boolean> {
    if (this.step !== undefined) return false;
    this.step = step;
    this.problems = [];
    try {
      const done = await work();
      // what is read meanwhile is older than the answer
      this.#reading.dispose();
      if (done === undefined) await this.load();
      else this.#take(done);
      return true;
    } catch (error) {
      // what was refused may have changed it: a fix whose files moved is generated anew
      await this.load();
      runInAction(() => {
        this.problems = messagesOf(error);
      });
      return false;
    } finally {
      runInAction(() => {
        this.step = undefined;
      });
    }
  }
}
