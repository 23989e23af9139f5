import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import * as routes from '../../api/channel-routes.ts';

export type NotificationChannel = Static<typeof routes.NotificationChannel>;
export type ChannelChange = Partial<Pick<NotificationChannel, 'notification_types' | 'min_severity'>>;

/** Channels of services in which the organisation is told what happens. */
export class ChannelsStore {
  rows: NotificationChannel[] | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(routes.listChannels, { signal }),
      ({ data }) => {
        this.rows = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Shown at once, and taken back where the server refuses. */
  async save(row: NotificationChannel, change: ChannelChange): Promise<void> {
    this.replace({ ...row, ...change });
    try {
      const { connector_id } = row;
      await this.#api.call(routes.saveChannel, { params: { connector_id }, body: change });
    } catch (error) {
      this.replace(row);
      throw error;
    }
  }

  async test({ connector_id }: NotificationChannel): Promise<void> {
    await this.#api.call(routes.testChannel, { params: { connector_id } });
  }

  /** @returns how many messages are sent again */
  async resend({ connector_id }: NotificationChannel): Promise<number> {
    const { data } = await this.#api.call(routes.resendToChannel, { params: { connector_id } });
    await this.load();
    return data.queued;
  }

  dispose(): void {
    this.#reading.dispose();
  }

  private replace(row: NotificationChannel): void {
    this.rows = this.rows?.map((one) => (one.connector_id === row.connector_id ? row : one));
  }
}
