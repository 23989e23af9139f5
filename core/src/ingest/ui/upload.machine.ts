import { type ActorRefFrom, assign, enqueueActions, fromPromise, setup } from 'xstate';
import { countIssues } from '../../findings/ui/index.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { typesOf } from '../../platform/ui/data/machine-types.ts';
import type { Application } from '../../platform/ui/data/uploads-port.ts';
import { findOrCreateRepository, readLastScan } from '../../repositories/ui/index.ts';
import { countComponents } from '../../sbom/ui/index.ts';
import { type UploadPorts, uploadFileMachine } from './upload-file.machine.ts';

export type UploadFileRef = ActorRefFrom<typeof uploadFileMachine>;

/** What the application holds after the import: "163 results → 151 issues, 840 components". */
export interface UploadSummary {
  results: number;
  issues: number;
  components: number;
  failed: number;
  /** What the import changed, over all files. */
  changes: { new: number; reopened: number; closed: number };
  /** When the application was imported before; undefined for the first time, or where that could not be read. */
  before: string | undefined;
}

interface UploadContext {
  ports: UploadPorts;
  files: UploadFileRef[];
  application: Application | undefined;
  /** Empty for the default branch. */
  branch: string;
  repositoryId: string | undefined;
  /** When the application was imported before this upload. */
  importedBefore: string | undefined;
  summary: UploadSummary | undefined;
  messages: string[];
  /** Files being sent now. */
  sending: number;
  isOpen: boolean;
  nextId: number;
}

export type UploadEvent =
  | { type: 'OPEN'; application?: Application }
  | { type: 'CLOSE' }
  | { type: 'ADD_FILES'; files: readonly File[] }
  | { type: 'REMOVE_FILE'; id: string }
  | { type: 'SET_APPLICATION'; application: Application | undefined }
  | { type: 'SET_BRANCH'; branch: string }
  | { type: 'SUBMIT' }
  | { type: 'RETRY_FILE'; id: string }
  | { type: 'FILE_SENT'; id: string }
  | { type: 'FILE_SETTLED'; id: string }
  | { type: 'START_OVER' };

interface UploadMachineTypes {
  context: UploadContext;
  events: UploadEvent;
  input: UploadPorts;
}

/** Reports sent at once. More only share the same line, and leave no connection for the rest of the page. */
const MAX_SENDING = 3;

const isSettled = (file: UploadFileRef): boolean => {
  const snapshot = file.getSnapshot();
  return snapshot.matches('done') || snapshot.matches('failed');
};
const isWaiting = (file: UploadFileRef): boolean => file.getSnapshot().matches('waiting');

interface FindInput {
  api: ApiClient;
  application: Application | undefined;
}

interface Prepared {
  repositoryId: string;
  importedBefore: string | undefined;
}

const findOrCreate = fromPromise<Prepared, FindInput>(async ({ input: { api, application }, signal }) => {
  const repositoryId =
    application?.kind === 'existing'
      ? application.id
      : await findOrCreateRepository(api, application?.name ?? '', signal);
  // only for a sentence at the end
  const importedBefore = await readLastScan(api, repositoryId, signal).catch(() => undefined);
  return { repositoryId, importedBefore };
});

/** What all files changed together. */
const changesOf = (files: readonly UploadFileRef[]): UploadSummary['changes'] => {
  const changes = { new: 0, reopened: 0, closed: 0 };
  for (const file of files) {
    const counts = file.getSnapshot().context.scan?.counts;
    changes.new += counts?.new ?? 0;
    changes.reopened += counts?.reopened ?? 0;
    changes.closed += counts?.closed ?? 0;
  }
  return changes;
};

const summarise = fromPromise<UploadSummary, UploadContext>(
  async ({ input: { ports, files, repositoryId, branch, importedBefore }, signal }) => {
    const snapshots = files.map((file) => file.getSnapshot());
    const repository = repositoryId ?? '';
    const [issues, components] = await Promise.all([
      countIssues(ports.api, { repositoryId: repository, branch: branch.trim() }, signal),
      countComponents(ports.api, { repository }, signal),
    ]);
    return {
      results: snapshots.reduce((sum, { context }) => sum + (context.scan?.counts.total ?? 0), 0),
      issues,
      components,
      failed: snapshots.filter((snapshot) => snapshot.matches('failed')).length,
      changes: changesOf(files),
      before: importedBefore,
    };
  },
);

/** Reports of one application: idle → choosing → preparing → running → summing → finished. Closing the dialog does not stop it. */
export const uploadMachine = setup({
  types: typesOf<UploadMachineTypes>(),
  actors: { findOrCreate, summarise, uploadFile: uploadFileMachine },
  actions: {
    open: assign(({ event }) => ({
      isOpen: true,
      ...(event.type === 'OPEN' && event.application !== undefined ? { application: event.application } : {}),
    })),
    close: assign({ isOpen: false }),
    addFiles: assign(({ context, event, spawn }) => {
      if (event.type !== 'ADD_FILES') return {};
      const added = event.files.map((file, index) => {
        const id = `file-${context.nextId + index}`;
        return spawn('uploadFile', { id, input: { id, file, ports: context.ports } });
      });
      return { files: [...context.files, ...added], nextId: context.nextId + added.length, isOpen: true };
    }),
    removeFile: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'REMOVE_FILE') return;
      const gone = context.files.find((file) => file.id === event.id);
      if (gone !== undefined) enqueue.stopChild(gone);
      enqueue.assign({ files: context.files.filter((file) => file.id !== event.id) });
    }),
    reset: enqueueActions(({ context, enqueue }) => {
      for (const file of context.files) enqueue.stopChild(file);
      enqueue.assign({
        files: [],
        messages: [],
        summary: undefined,
        repositoryId: undefined,
        importedBefore: undefined,
        sending: 0,
      });
    }),
    resetApplication: assign({ application: undefined, branch: '' }),
    startNext: enqueueActions(({ context, enqueue }) => {
      const waiting = context.files.filter(isWaiting).slice(0, Math.max(0, MAX_SENDING - context.sending));
      const to = { repositoryId: context.repositoryId ?? '', branch: context.branch.trim() };
      for (const file of waiting) enqueue.sendTo(file, { type: 'START', ...to });
      enqueue.assign({ sending: context.sending + waiting.length });
    }),
    countSent: assign(({ context }) => ({ sending: Math.max(0, context.sending - 1) })),
    retry: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'RETRY_FILE') return;
      const file = context.files.find((one) => one.id === event.id);
      if (file === undefined) return;
      enqueue.sendTo(file, { type: file.getSnapshot().matches('done') ? 'ACCEPT_OLDER' : 'RETRY' });
      enqueue.assign({ sending: context.sending + 1, summary: undefined });
    }),
  },
  guards: {
    isReady: ({ context }) => context.files.length > 0 && context.application !== undefined,
    isAllSettled: ({ context }) => context.files.every(isSettled),
  },
}).createMachine({
  id: 'upload',
  initial: 'idle',
  context: ({ input }) => ({
    ports: input,
    files: [],
    application: undefined,
    branch: '',
    repositoryId: undefined,
    importedBefore: undefined,
    summary: undefined,
    messages: [],
    sending: 0,
    isOpen: false,
    nextId: 1,
  }),
  on: { OPEN: { actions: 'open' } },
  states: {
    idle: {
      on: {
        OPEN: { target: 'choosing', actions: 'open' },
        ADD_FILES: { target: 'choosing', actions: 'addFiles' },
      },
    },
    choosing: {
      on: {
        ADD_FILES: { actions: 'addFiles' },
        REMOVE_FILE: { actions: 'removeFile' },
        SET_APPLICATION: { actions: assign(({ event }) => ({ application: event.application, messages: [] })) },
        SET_BRANCH: { actions: assign(({ event }) => ({ branch: event.branch })) },
        SUBMIT: { guard: 'isReady', target: 'preparing' },
        CLOSE: { target: 'idle', actions: ['reset', 'resetApplication', 'close'] },
      },
    },
    preparing: {
      entry: assign({ messages: [] }),
      invoke: {
        src: 'findOrCreate',
        input: ({ context }) => ({ api: context.ports.api, application: context.application }),
        onDone: { target: 'running', actions: assign(({ event }) => event.output) },
        onError: { target: 'choosing', actions: assign(({ event }) => ({ messages: messagesOf(event.error) })) },
      },
    },
    running: {
      entry: 'startNext',
      on: {
        FILE_SENT: { actions: ['countSent', 'startNext'] },
        FILE_SETTLED: [{ guard: 'isAllSettled', target: 'summing' }],
        RETRY_FILE: { actions: 'retry' },
        CLOSE: { actions: 'close' },
      },
    },
    summing: {
      invoke: {
        src: 'summarise',
        input: ({ context }) => context,
        onDone: { target: 'finished', actions: assign(({ event }) => ({ summary: event.output })) },
        onError: 'finished',
      },
      on: { CLOSE: { actions: 'close' } },
    },
    finished: {
      on: {
        RETRY_FILE: { target: 'running', actions: 'retry' },
        START_OVER: { target: 'choosing', actions: 'reset' },
        ADD_FILES: { target: 'choosing', actions: ['reset', 'addFiles'] },
        CLOSE: { target: 'idle', actions: ['reset', 'resetApplication', 'close'] },
      },
    },
  },
});
