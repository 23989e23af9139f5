import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  createIssue,
  fillTemplate,
  generateIssue,
  generateRemediation,
  getFindingRemediation,
  openPullRequest,
  type RemediationAttributes,
  sendTicketRoute,
} from '../api/routes.ts';

export interface Remediation {
  _id: string;
  attributes: Static<typeof RemediationAttributes>;
}

type FixStep = 'generate' | 'fill' | 'open' | 'ticket';

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

  load(): Promise<void> {
    const params = { id: this.#findingId };
    return this.#reading.run(
      (signal) => this.#api.call(getFindingRemediation, { params, signal }),
      ({ data }) => {
        this.remediation = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  dispose(): void {
    this.#reading.dispose();
  }

  generate(type: 'pull_request' | 'issue'): Promise<boolean> {
    const route = type === 'issue' ? generateIssue : generateRemediation;
    return this.#run('generate', async () => (await this.#api.call(route, { params: { id: this.#findingId } })).data);
  }

  fill(values: Readonly<Record<string, string>>): Promise<boolean> {
    const id = this.remediation?._id ?? '';
    return this.#run('fill', async () => {
      const { data } = await this.#api.call(fillTemplate, { params: { id }, body: { template_values: { ...values } } });
      return data;
    });
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

  /** @returns what to say, in the words of the server. Source: specification §8 "Webhook send" */
  async sendTicket(): Promise<TicketNotice | undefined> {
    const id = this.remediation?._id;
    if (id === undefined) return undefined;
    let notice: TicketNotice | undefined;
    await this.#run('ticket', async () => {
      const { success, data } = await this.#api.call(sendTicketRoute, { body: { remediation_id: id } });
      const again = data.status === 'pending' ? ' It is sent again by itself.' : '';
      notice = {
        message: success ? data.title : `${data.title}: ${data.description ?? ''}${again}`,
        isProblem: !success,
      };
      return undefined;
    });
    return notice;
  }

  /** @returns whether it was done; a second step meanwhile is not. */
  async #run(step: FixStep, work: () => Promise<Remediation | undefined>): Promise<boolean> {
    if (this.step !== undefined) return false;
    this.step = step;
    this.problems = [];
    try {
      const done = await work();
      if (done === undefined) await this.load();
      else {
        runInAction(() => {
          this.remediation = done;
        });
      }
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
