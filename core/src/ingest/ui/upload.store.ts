import { makeAutoObservable, runInAction } from 'mobx';
import { type Actor, createActor } from 'xstate';
import { msg } from '../../platform/model/message.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import type { LiveEvents } from '../../platform/ui/data/live-events.ts';
import { serviceId } from '../../platform/ui/data/services.tsx';
import type { Application, UploadsPort } from '../../platform/ui/data/uploads-port.ts';
import { formatClockOrDate } from '../../platform/ui/display/formats.ts';
import type { ToastsStore } from '../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { type RepositoryItem, searchRepositories } from '../../repositories/ui/index.ts';
import { listTools, settleClosing } from '../api/routes.ts';
import type { Decision } from './scan-notices.tsx';
import { type UploadSummary, uploadMachine } from './upload.machine.ts';
import type { ReportLook } from './upload-file.machine.ts';
import { type ReportSender, sendReport } from './upload-transport.ts';

export interface UploadStoreOptions {
  api: ApiClient;
  events: LiveEvents;
  toasts: ToastsStore;
  send?: ReportSender;
  /** Default: nothing is known of a report before it is sent. */
  look?: ReportLook;
}

/** "163 results → 151 issues, 840 components". */
export const summaryLine = (summary: UploadSummary): string =>
  t('{results} → {issues}, {components}', {
    results: plural(summary.results, '{count} result', '{count} results'),
    issues: plural(summary.issues, '{count} issue', '{count} issues'),
    components: plural(summary.components, '{count} component', '{count} components'),
  });

const IMPORTING: ReadonlySet<unknown> = new Set(['preparing', 'running', 'summing']);

const CHANGE_TEXTS = [
  ['new', msg('{count} new')],
  ['reopened', msg('{count} reopened')],
  ['closed', msg('{count} closed')],
] as const;

/** "12 new, 3 closed", or since when there is nothing new. */
export const changesLine = ({ changes, before }: Pick<UploadSummary, 'changes' | 'before'>): string => {
  const parts = CHANGE_TEXTS.filter(([key]) => changes[key] > 0).map(([key, text]) => t(text, { count: changes[key] }));
  if (parts.length > 0) return parts.join(', ');
  return before === undefined ? t('Nothing new') : t('Nothing new since {time}', { time: formatClockOrDate(before) });
};

/** Uploads of this browser tab. They go on while the dialog is closed or another page shows. */
export class UploadStore implements UploadsPort {
  actor: Actor<typeof uploadMachine>;
  isImporting = false;
  /** Names an upload may give its tool; empty until they are read. */
  tools: { _id: string; title: string; files: readonly { name: string; title: string }[] }[] = [];
  repositories: RepositoryItem[] = [];
  readonly #options: UploadStoreOptions;

  constructor(options: UploadStoreOptions) {
    this.#options = options;
    this.actor = this.startActor();
    makeAutoObservable(this, { actor: false }, { autoBind: true });
  }

  /** At sign-out: what runs is given up, and nothing of it stays. */
  clear(): void {
    this.actor.stop();
    this.actor = this.startActor();
    this.isImporting = false;
    this.tools = [];
    this.repositories = [];
  }

  /** Decides on a closing that was held back. @throws ApiError with the reason when the server refuses. */
  async settle(scanId: string, decision: Decision): Promise<void> {
    await this.#options.api.call(settleClosing, { params: { id: scanId }, body: { decision } });
  }

  get api(): ApiClient {
    return this.#options.api;
  }

  /** A tool's name as people write it. */
  toolTitle(tool: string): string {
    return this.tools.find(({ _id }) => _id === tool)?.title ?? tool;
  }

  open(application?: Application): void {
    this.actor.send(application === undefined ? { type: 'OPEN' } : { type: 'OPEN', application });
    void this.prepare();
  }

  addFiles(files: readonly File[]): void {
    if (!this.actor.getSnapshot().can({ type: 'ADD_FILES', files })) {
      this.#options.toasts.show(t('The upload before has to end first. Add these files then.'), { tone: 'notice' });
      this.actor.send({ type: 'OPEN' });
      return;
    }
    this.actor.send({ type: 'ADD_FILES', files });
    void this.prepare();
  }

  /** Reads what the dialog lets one choose from. Without it one can still type a name and let the tool be recognised. */
  async prepare(): Promise<void> {
    const [tools, repositories] = await Promise.allSettled([
      this.#options.api.call(listTools),
      searchRepositories(this.#options.api, ''),
    ]);
    runInAction(() => {
      if (tools.status === 'fulfilled')
        this.tools = tools.value.data.map(({ _id, attributes }) => ({
          _id,
          title: attributes.title,
          files: attributes.files,
        }));
      if (repositories.status === 'fulfilled') this.repositories = repositories.value;
    });
  }

  async search(text: string): Promise<void> {
    const found = await searchRepositories(this.#options.api, text).catch(() => undefined);
    if (found !== undefined) {
      runInAction(() => {
        this.repositories = found;
      });
    }
  }

  private startActor(): Actor<typeof uploadMachine> {
    const { api, events, toasts, send = sendReport, look = () => Promise.resolve(undefined) } = this.#options;
    const actor = createActor(uploadMachine, { input: { api, events, send, look } });
    actor.subscribe(({ context, value }) => {
      runInAction(() => {
        this.isImporting = IMPORTING.has(value);
      });
      if (value !== 'finished' || context.isOpen || context.summary === undefined) return;
      toasts.show(`${changesLine(context.summary)}. ${summaryLine(context.summary)}`, {
        tone: context.summary.failed > 0 ? 'problem' : 'done',
        action: { label: t('Show'), onAction: () => actor.send({ type: 'OPEN' }) },
      });
    });
    return actor.start();
  }
}

export const UPLOAD_STORE = serviceId<UploadStore>('ingest.uploads');
