import type { TableMapping } from '@breakwater/sdk';
import { assign, fromCallback, sendParent, setup } from 'xstate';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { ApiError, messagesOf } from '../../platform/ui/data/api-error.ts';
import type { LiveEvents } from '../../platform/ui/data/live-events.ts';
import { typesOf } from '../../platform/ui/data/machine-types.ts';
import type { ReportPreview } from '../model/report-preview.ts';
import { isImported, isScanOver, type ReportSender, type Scan, watchScan } from './upload-transport.ts';

/**
 * Reads a report where it lies. Undefined where nothing can be said of it: the browser cannot look, or somebody stopped it.
 * @param toolId null to recognise the tool
 */
export type ReportLook = (file: File, toolId: string | null, signal: AbortSignal) => Promise<ReportPreview | undefined>;

/** What uploads need of the outside. */
export interface UploadPorts {
  api: ApiClient;
  events: LiveEvents;
  send: ReportSender;
  look: ReportLook;
}

/** Tool name that asks the server to recognise the report by its content. */
export const RECOGNISE = 'auto';

interface FileContext {
  id: string;
  file: File;
  ports: UploadPorts;
  tool: string;
  repositoryId: string | undefined;
  /** Empty for the default branch. */
  branch: string;
  /** Empty where the report says. */
  part: string;
  acceptsOlder: boolean;
  /** What its columns are, where it is a table of no known tool. */
  mapping: TableMapping | undefined;
  isLooking: boolean;
  /** What is known of the report before it is sent. */
  preview: ReportPreview | undefined;
  percentage: number;
  scanId: string | undefined;
  scan: Scan | undefined;
  code: string | undefined;
  messages: string[];
}

export type UploadFileEvent =
  | { type: 'SET_TOOL'; tool: string }
  | { type: 'SET_PART'; part: string }
  | { type: 'SET_MAPPING'; mapping: TableMapping }
  | { type: 'LOOKED'; preview: ReportPreview | undefined }
  | { type: 'ACCEPT_OLDER' }
  | { type: 'START'; repositoryId: string; branch: string }
  | { type: 'RETRY' }
  | { type: 'PROGRESS'; percentage: number }
  | { type: 'ACCEPTED'; scanId: string }
  | { type: 'SCAN'; scan: Scan }
  | { type: 'REFUSED'; messages: string[]; code: string | undefined };

interface SendInput {
  context: FileContext;
}

const looking = fromCallback<UploadFileEvent, SendInput>(({ sendBack, input: { context } }) => {
  const abort = new AbortController();
  const { file, tool, ports } = context;
  void ports.look(file, tool === RECOGNISE ? null : tool, abort.signal).then((preview) => {
    if (!abort.signal.aborted) sendBack({ type: 'LOOKED', preview });
  });
  return () => abort.abort();
});

const sending = fromCallback<UploadFileEvent, SendInput>(({ sendBack, input: { context } }) => {
  const abort = new AbortController();
  const { file, tool, repositoryId, branch, part, acceptsOlder, mapping, ports } = context;
  ports
    .send({
      repositoryId: repositoryId ?? '',
      tool,
      branch,
      part: part.trim(),
      acceptsOlder,
      mapping,
      file,
      onProgress: (percentage) => sendBack({ type: 'PROGRESS', percentage }),
      signal: abort.signal,
    })
    .then(
      (scanId) => sendBack({ type: 'ACCEPTED', scanId }),
      (error: unknown) => {
        const code = error instanceof ApiError ? error.code : undefined;
        if (!abort.signal.aborted) sendBack({ type: 'REFUSED', messages: messagesOf(error), code });
      },
    );
  return () => abort.abort();
});

const watching = fromCallback<UploadFileEvent, SendInput>(({ sendBack, input: { context } }) =>
  watchScan({
    ...context.ports,
    scanId: context.scanId ?? '',
    onScan: (scan) => sendBack({ type: 'SCAN', scan }),
    onProgress: (percentage) => sendBack({ type: 'PROGRESS', percentage }),
    onLost: (messages) => sendBack({ type: 'REFUSED', messages, code: undefined }),
  }),
);

interface FileMachineTypes {
  context: FileContext;
  events: UploadFileEvent;
  input: { id: string; file: File; ports: UploadPorts };
}

/** One report on its way: waiting → uploading → importing → done | failed. A failed one can be sent again, with another tool; an older one so that it counts. */
export const uploadFileMachine = setup({
  types: typesOf<FileMachineTypes>(),
  actors: { looking, sending, watching },
  actions: {
    notifySent: sendParent(({ context }: { context: FileContext }) => ({ type: 'FILE_SENT', id: context.id })),
    notifySettled: sendParent(({ context }: { context: FileContext }) => ({ type: 'FILE_SETTLED', id: context.id })),
    takeTool: assign(({ event }) => (event.type === 'SET_TOOL' ? { tool: event.tool, mapping: undefined } : {})),
    takeMapping: assign(({ event }) =>
      event.type === 'SET_MAPPING' ? { tool: RECOGNISE, mapping: event.mapping } : {},
    ),
    takePart: assign(({ event }) => (event.type === 'SET_PART' ? { part: event.part } : {})),
    takePercentage: assign(({ event }) => (event.type === 'PROGRESS' ? { percentage: event.percentage } : {})),
    takeRefusal: assign(({ event }) =>
      event.type === 'REFUSED' ? { messages: event.messages, code: event.code } : {},
    ),
    takeScan: assign(({ event }) =>
      event.type === 'SCAN'
        ? {
            scan: event.scan,
            percentage: event.scan.percentage,
            code: event.scan.code ?? undefined,
            messages: event.scan.detail === null ? [] : [event.scan.detail],
          }
        : {},
    ),
    reset: assign({ percentage: 0, scanId: undefined, scan: undefined, code: undefined, messages: [] }),
  },
  guards: {
    isImported: ({ event }) => event.type === 'SCAN' && isImported(event.scan),
    isOver: ({ event }) => event.type === 'SCAN' && isScanOver(event.scan),
  },
}).createMachine({
  id: 'uploadFile',
  initial: 'waiting',
  context: ({ input }) => ({
    ...input,
    tool: RECOGNISE,
    repositoryId: undefined,
    branch: '',
    part: '',
    acceptsOlder: false,
    mapping: undefined,
    isLooking: true,
    preview: undefined,
    percentage: 0,
    scanId: undefined,
    scan: undefined,
    code: undefined,
    messages: [],
  }),
  states: {
    waiting: {
      entry: assign({ isLooking: true, preview: undefined }),
      invoke: { src: 'looking', input: ({ context }) => ({ context }) },
      on: {
        LOOKED: {
          actions: assign(({ event }) => ({ isLooking: false, preview: event.preview })),
        },
        SET_TOOL: { target: 'waiting', reenter: true, actions: 'takeTool' },
        SET_MAPPING: { actions: 'takeMapping' },
        SET_PART: { actions: 'takePart' },
        START: {
          target: 'uploading',
          actions: assign(({ event }) => ({ repositoryId: event.repositoryId, branch: event.branch })),
        },
      },
    },
    uploading: {
      entry: 'reset',
      invoke: { src: 'sending', input: ({ context }) => ({ context }) },
      on: {
        PROGRESS: { actions: 'takePercentage' },
        ACCEPTED: {
          target: 'importing',
          actions: [assign(({ event }) => ({ scanId: event.scanId, percentage: 0 })), 'notifySent'],
        },
        REFUSED: { target: 'failed', actions: ['takeRefusal', 'notifySent'] },
      },
    },
    importing: {
      invoke: { src: 'watching', input: ({ context }) => ({ context }) },
      on: {
        PROGRESS: { actions: 'takePercentage' },
        SCAN: [
          { guard: 'isImported', target: 'done', actions: 'takeScan' },
          { guard: 'isOver', target: 'failed', actions: 'takeScan' },
          { actions: 'takeScan' },
        ],
        REFUSED: { target: 'failed', actions: 'takeRefusal' },
      },
    },
    done: {
      entry: 'notifySettled',
      on: { ACCEPT_OLDER: { target: 'uploading', actions: assign({ acceptsOlder: true }) } },
    },
    failed: {
      entry: 'notifySettled',
      on: {
        SET_TOOL: { actions: 'takeTool' },
        SET_PART: { actions: 'takePart' },
        SET_MAPPING: { actions: 'takeMapping' },
        RETRY: 'uploading',
      },
    },
  },
});
