import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { formatDate } from '../../platform/ui/display/formats.ts';
import { plural } from '../../platform/ui/language/translate.ts';
import { listReferenceData, type ReferenceSource, type Rescoring, uploadReferenceData } from '../api/routes.ts';
import type { FeedSource } from '../model/feeds.ts';

export interface ReferenceItem {
  _id: string;
  attributes: Static<typeof ReferenceSource>;
}

/** What became of the last file that was sent for a source. */
export interface SendResult {
  isRefused: boolean;
  text: string;
}

const POLL_MS = 2_000;

/** Public data in use, the file that is being sent, and how far the scoring after it is. */
export class ReferenceDataStore {
  items: readonly ReferenceItem[] | undefined = undefined;
  rescoring: Static<typeof Rescoring> | undefined = undefined;
  error: unknown = undefined;
  /** A source takes one file at a time. */
  sending: FeedSource | undefined = undefined;
  readonly results = new Map<FeedSource, SendResult>();
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    this.dispose();
    await this.#reading.run(
      (signal) => this.#api.call(listReferenceData, { signal }),
      ({ data, meta }) => {
        this.items = data;
        this.rescoring = meta.rescoring;
        this.error = undefined;
        if (meta.rescoring.is_running) this.#timer = setTimeout(() => void this.load(), POLL_MS);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Sends a file; what is wrong with it is kept beside its source, and changes nothing. */
  async send(source: FeedSource, file: File): Promise<void> {
    if (this.sending !== undefined) return;
    this.sending = source;
    this.results.delete(source);
    const result = await this.#send(source, file);
    runInAction(() => {
      this.sending = undefined;
      this.results.set(source, result);
    });
    await this.load();
  }

  async #send(source: FeedSource, file: File): Promise<SendResult> {
    try {
      const { data } = await this.#api.send(uploadReferenceData, {
        params: { source },
        query: { name: file.name.slice(0, 200) },
        // a browser would send the type that it guesses from the name
        form: new Blob([file], { type: 'application/octet-stream' }),
      });
      const values = { file: file.name, date: formatDate(data.data_date) };
      const text = data.is_replaced
        ? plural(
            data.entries,
            '{file}: {count} entry of {date} in use.',
            '{file}: {count} entries of {date} in use.',
            values,
          )
        : plural(
            data.entries,
            '{file}: {count} entry of {date} was in use already.',
            '{file}: {count} entries of {date} was in use already.',
            values,
          );
      return { isRefused: false, text };
    } catch (error) {
      return { isRefused: true, text: messagesOf(error).join(' ') };
    }
  }

  /** Gives up what is being read. */
  dispose(): void {
    this.#reading.dispose();
    clearTimeout(this.#timer);
  }
}
