import { makeAutoObservable, observableRef } from 'mobx';
import { can } from '../../../platform/model/permissions.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import type { PaletteHit, PaletteSource } from './palette-source.ts';
import type { SessionPort } from './shell-ports.ts';

/** A pause in the typing; what is typed meanwhile is not asked for. */
const PAUSE_MS = 120;
/** One letter stands in everything. */
const MIN_CHARS = 2;

interface Dependencies {
  api: ApiClient;
  session: SessionPort;
  loadSources: () => Promise<readonly PaletteSource[]>;
}

interface Found {
  group: string;
  hits: readonly PaletteHit[];
}

/** What the server found for the text in the palette, source by source as they answer. */
export class PaletteStore {
  /** In the order of the sources. */
  found: Found[] = [];
  isSearching = false;
  /** Some source did not answer. */
  hasFailed = false;
  readonly #dependencies: Dependencies;
  readonly #call = new LatestCall();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    makeAutoObservable(this, { found: observableRef }, { autoBind: true });
  }

  /** Asks once the typing pauses; until then what was found before is gone, since it is not of this text. */
  search(typed: string): void {
    this.dispose();
    const text = typed.trim();
    this.found = [];
    this.hasFailed = false;
    this.isSearching = text.length >= MIN_CHARS;
    if (this.isSearching) this.#timer = setTimeout(() => void this.#ask(text), PAUSE_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#call.dispose();
  }

  async #ask(text: string): Promise<void> {
    const { api, session, loadSources } = this.#dependencies;
    const { user } = session;
    if (user === undefined) return;
    await this.#call.run(
      async (signal) => {
        const sources = (await loadSources()).filter(({ permission }) => can(user.role, permission));
        return Promise.allSettled(
          sources.map(async ({ group, find }) => ({ group, hits: await find({ api, text, user, signal }) })),
        );
      },
      (answers) => {
        this.found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
        this.hasFailed = answers.some(({ status }) => status === 'rejected');
        this.isSearching = false;
      },
      () => {
        this.hasFailed = true;
        this.isSearching = false;
      },
    );
  }
}
