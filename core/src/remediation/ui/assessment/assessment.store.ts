import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import {
  type Assessment,
  assessFinding,
  cancelAssessment,
  dismissAssessment,
  type FindingAssessment,
  getAssessment,
} from '../../api/assessment-routes.ts';

export type AssessmentView = Static<typeof Assessment>;
type Answer = Static<typeof FindingAssessment>;

/** What a model proposes about one finding. */
export class AssessmentStore {
  /** Undefined: not read yet. */
  now: Answer | undefined = undefined;
  /** Why the last step was refused. */
  problems: readonly string[] = [];
  step: 'ask' | 'cancel' | 'dismiss' | undefined = undefined;
  /** How much of the answer has arrived. */
  characters = 0;
  readonly #api: ApiClient;
  readonly #findingId: string;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, findingId: string) {
    this.#api = api;
    this.#findingId = findingId;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Somebody asked, here or elsewhere, and the model has not answered. */
  get isRunning(): boolean {
    return this.step === 'ask' || this.now?.is_running === true;
  }

  /** What stands already comes first; whether its file has changed is asked at the provider afterwards. */
  async load(): Promise<void> {
    await this.#read(false);
    if (this.now?.availability !== 'off' && this.now?.assessment?.state === 'proposed') await this.#read(true);
  }

  setProgress(characters: number): void {
    this.characters = characters;
  }

  dispose(): void {
    this.#reading.dispose();
  }

  ask(): Promise<void> {
    this.characters = 0;
    return this.#run('ask', async () => {
      await this.#api.call(assessFinding, { params: { id: this.#findingId } });
    });
  }

  /** The question of whoever asked ends, and says so there. */
  async cancel(): Promise<void> {
    try {
      await this.#api.call(cancelAssessment, { params: { id: this.#findingId } });
    } catch (error) {
      runInAction(() => {
        this.problems = messagesOf(error);
      });
    }
    await this.load();
  }

  dismiss(): Promise<void> {
    return this.#run('dismiss', async () => {
      await this.#api.call(dismissAssessment, { params: { id: this.#findingId } });
    });
  }

  #read(isCompared: boolean): Promise<void> {
    const params = { id: this.#findingId };
    const query = isCompared ? { compare: 'true' as const } : {};
    return this.#reading.run(
      (signal) => this.#api.call(getAssessment, { params, query, signal }),
      ({ data }) => {
        this.now = withVisibleText(data);
      },
      (error) => {
        this.problems = messagesOf(error);
      },
    );
  }

  async #run(step: 'ask' | 'dismiss', work: () => Promise<void>): Promise<void> {
    if (this.step !== undefined) return;
    this.step = step;
    this.problems = [];
    let problems: readonly string[] = [];
    try {
      await work();
    } catch (error) {
      problems = messagesOf(error);
    }
    runInAction(() => {
      this.step = undefined;
    });
    await this.load();
    runInAction(() => {
      this.problems = problems;
    });
  }
}
