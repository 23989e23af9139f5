import type { Severity, TableMapping } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { assign, fromPromise, setup } from 'xstate';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { typesOf } from '../../../platform/ui/data/machine-types.ts';
import {
  deleteColumnMapping,
  previewTable,
  saveColumnMapping,
  type TablePreviewAnswer,
} from '../../api/table-routes.ts';

export type Preview = Static<typeof TablePreviewAnswer>;
/** Where a field comes from: a column of the table, one value for all rows, or nowhere. */
export type FieldSource = { column: string } | { value: string } | undefined;

/** As much of a file as is looked at. A multiple of three, so that its base64 has no end inside. */
const HEAD_BYTES = 65_535;
/** Between the last change and the next preview. */
const SETTLE_MS = 300;

const EMPTY: TableMapping = { tool: '', fields: [], severities: [] };

interface MapContext {
  api: ApiClient;
  file: File;
  mapping: TableMapping;
  preview: Preview | undefined;
  messages: string[];
  /** Name under which the mapping was kept last. */
  savedAs: string | undefined;
}

export type MapColumnsEvent =
  | { type: 'SET_TOOL'; tool: string }
  | { type: 'SET_SOURCE'; field: string; source: FieldSource }
  | { type: 'SET_SEVERITY'; word: string; severity: Severity | undefined }
  | { type: 'USE_SAVED'; id: string }
  | { type: 'REMOVE_SAVED'; id: string }
  | { type: 'SAVE'; name: string }
  | { type: 'RETRY' };

interface MapTypes {
  context: MapContext;
  events: MapColumnsEvent;
  input: { api: ApiClient; file: File; mapping?: TableMapping };
}

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
};

const readPreview = fromPromise<Preview, MapContext>(async ({ input: { api, file, mapping }, signal }) => {
  const body = {
    ...{ head: await base64Of(file), is_whole: file.size <= HEAD_BYTES },
    ...(mapping.fields.length === 0 ? {} : { mapping }),
  };
  return (await api.call(previewTable, { body, signal })).data;
});

interface SaveInput {
  context: MapContext;
  name: string;
}

const save = fromPromise<string, SaveInput>(async ({ input: { context, name }, signal }) => {
  const { api, mapping, preview } = context;
  await api.call(saveColumnMapping, { body: { name, columns: preview?.columns ?? [], mapping }, signal });
  return name;
});

const remove = fromPromise<unknown, { api: ApiClient; id: string }>(({ input: { api, id }, signal }) =>
  api.call(deleteColumnMapping, { params: { id }, signal }),
);

/** The mapping with another source of one field. */
export const withSource = (mapping: TableMapping, field: string, source: FieldSource): TableMapping => {
  const others = mapping.fields.filter((entry) => entry.field !== field);
  return { ...mapping, fields: source === undefined ? others : [...others, { field, ...source }] };
};

const withSeverity = (mapping: TableMapping, word: string, severity: Severity | undefined): TableMapping => {
  const others = mapping.severities.filter((entry) => entry.word.toLowerCase() !== word.toLowerCase());
  return { ...mapping, severities: severity === undefined ? others : [...others, { word, severity }] };
};

/** A change of what the preview shows begins the wait for the next one anew. */
const CHANGE = { target: 'changed', reenter: true, actions: 'take' } as const;
/** What a person may do while there is a preview. */
const EDITS = {
  SET_TOOL: { actions: 'take' },
  SET_SOURCE: CHANGE,
  SET_SEVERITY: CHANGE,
  USE_SAVED: CHANGE,
  SAVE: 'saving',
  REMOVE_SAVED: 'removing',
} as const;

/** Says what the columns of one table are: reading → ready ⇄ changed → refreshing, saving, removing; refused where it is no table. */
export const mapColumnsMachine = setup({
  types: typesOf<MapTypes>(),
  actors: { readPreview, save, remove },
  delays: { settle: SETTLE_MS },
  actions: {
    take: assign(({ context, event }) => {
      const { mapping, preview } = context;
      if (event.type === 'SET_SOURCE') return { mapping: withSource(mapping, event.field, event.source) };
      if (event.type === 'SET_SEVERITY') return { mapping: withSeverity(mapping, event.word, event.severity) };
      if (event.type === 'SET_TOOL') return { mapping: { ...mapping, tool: event.tool } };
      const saved = preview?.saved.find((one) => event.type === 'USE_SAVED' && one._id === event.id);
      return saved === undefined ? {} : { mapping: saved.attributes.mapping };
    }),
  },
}).createMachine({
  id: 'mapColumns',
  initial: 'reading',
  context: ({ input: { api, file, mapping = EMPTY } }) => ({
    ...{ api, file, mapping, preview: undefined, messages: [], savedAs: undefined },
  }),
  states: {
    reading: {
      invoke: {
        src: 'readPreview',
        input: ({ context }) => context,
        onDone: {
          target: 'ready',
          actions: assign(({ context, event }) => ({
            preview: event.output,
            mapping: context.mapping.fields.length === 0 ? event.output.proposal : context.mapping,
            messages: [],
          })),
        },
        onError: { target: 'refused', actions: assign(({ event }) => ({ messages: messagesOf(event.error) })) },
      },
    },
    refused: { on: { RETRY: 'reading' } },
    ready: {
      on: EDITS,
    },
    changed: {
      on: EDITS,
      after: { settle: 'refreshing' },
    },
    refreshing: {
      on: EDITS,
      invoke: {
        src: 'readPreview',
        input: ({ context }) => context,
        onDone: { target: 'ready', actions: assign(({ event }) => ({ preview: event.output, messages: [] })) },
        onError: { target: 'ready', actions: assign(({ event }) => ({ messages: messagesOf(event.error) })) },
      },
    },
    removing: {
      on: { SET_TOOL: { actions: 'take' } },
      invoke: {
        src: 'remove',
        input: ({ context, event }) => ({ api: context.api, id: event.type === 'REMOVE_SAVED' ? event.id : '' }),
        onDone: 'refreshing',
        onError: { target: 'ready', actions: assign(({ event }) => ({ messages: messagesOf(event.error) })) },
      },
    },
    saving: {
      on: { SET_TOOL: { actions: 'take' } },
      invoke: {
        src: 'save',
        input: ({ context, event }) => ({ context, name: event.type === 'SAVE' ? event.name : '' }),
        onDone: { target: 'refreshing', actions: assign(({ event }) => ({ savedAs: event.output })) },
        onError: { target: 'ready', actions: assign(({ event }) => ({ messages: messagesOf(event.error) })) },
      },
    },
  },
});
