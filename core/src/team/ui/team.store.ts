import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import type { TeamMember } from '../api/routes.ts';
import * as routes from '../api/routes.ts';
import type { InvitedRole } from '../model/roles.ts';

export interface TeamItem {
  _id: string;
  attributes: Static<typeof TeamMember>;
}

export const PAGE_SIZE = 50;

/** What the list shows; it lives in the address. `page` is 0-based there. */
export interface TeamView {
  search: string;
  page: number;
}

export const TEAM_VIEW = {
  parse: (params: URLSearchParams): TeamView => {
    const page = Number(params.get('page') ?? 0);
    return {
      search: (params.get('search') ?? '').trim().slice(0, 200),
      page: Number.isInteger(page) && page >= 0 ? page : 0,
    };
  },
  format: ({ search, page }: TeamView): URLSearchParams => {
    const params = new URLSearchParams();
    if (search !== '') params.set('search', search);
    if (page > 0) params.set('page', String(page));
    return params;
  },
};

/** One page of the organisation's people. */
export class TeamStore {
  view: TeamView = { search: '', page: 0 };
  rows: TeamItem[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show(view: TeamView): void {
    this.view = view;
    void this.load();
  }

  async load(): Promise<void> {
    const { search, page } = this.view;
    const query = { search, pagination: { page: page + 1, pageSize: PAGE_SIZE } };
    await this.#reading.run(
      (signal) => this.#api.call(routes.listTeam, { query, signal }),
      ({ data, meta }) => {
        this.rows = data;
        this.total = meta.pagination.total;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** @returns the link of the invitation; null where it went by mail. */
  async invite(email: string, role: InvitedRole, signal?: AbortSignal): Promise<string | null> {
    const request = { body: { email, role }, ...(signal === undefined ? {} : { signal }) };
    const { data } = await this.#api.call(routes.invite, request);
    void this.load();
    return data.link;
  }

  async changeRole(item: TeamItem, role: InvitedRole): Promise<void> {
    await this.#api.call(routes.changeMember, { params: { id: item._id }, body: { role } });
    await this.load();
  }

  /** @param heir who gets their findings and repositories; empty for nobody */
  async remove(item: TeamItem, heir: string): Promise<void> {
    const query = heir === '' ? {} : { hand_over_to: heir };
    await this.#api.call(routes.removeMember, { params: { id: item._id }, query });
    await this.load();
  }

  /** Ends every session of a member. @throws ApiError */
  async endSessions({ _id }: TeamItem): Promise<void> {
    await this.#api.call(routes.endSessions, { params: { id: _id } });
  }

  /** Lets a member who has lost their device sign in with the password alone. */
  async resetTwoFactor(item: TeamItem): Promise<void> {
    await this.#api.call(routes.resetMemberTwoFactor, { params: { id: item._id } });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
