import type { CredentialField } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import { translated } from '../../../platform/ui/language/translate.ts';
import type { ConnectorAttributes, FieldState, HistoryEntry } from '../../api/routes.ts';

export type Connector = Static<typeof ConnectorAttributes>;
export type ConnectorHistoryEntry = Static<typeof HistoryEntry>;
export type StoredField = Static<typeof FieldState>;

export interface ConnectorItem {
  /** Address of the card: `sast/opengrep`. */
  _id: string;
  attributes: Connector;
}

/** The card whose panel is the list of API tokens. Source: specification §6 "The Plexalyzer connector". */
export const TOKENS_CARD = 'plexalyzer';

/** One field of a card's form. */
export interface FormEntry {
  readonly name: string;
  readonly field: CredentialField;
  readonly label: string;
  /** Its description. */
  readonly help: string | undefined;
  readonly isRequired: boolean;
  /** Its value is never read back. */
  readonly isSecret: boolean;
}

const FIELD_TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'array', 'object']);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isField = (value: unknown): value is CredentialField => isRecord(value) && FIELD_TYPES.has(value['type']);

/** `access_key_id` → `Access key id`, for fields without a title. */
const words = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The fields of a card's form in the order of its schema. A kind that is unknown here is left out. */
export const formOf = ({ credentials }: Pick<Connector, 'credentials'>): FormEntry[] => {
  const { properties, required } = isRecord(credentials) ? credentials : {};
  const demanded = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, field]) =>
    isField(field)
      ? [
          {
            name,
            field,
            label: translated(field.title ?? words(name)),
            help: field.description === undefined ? undefined : translated(field.description),
            isRequired: demanded.has(name),
            isSecret: field.type === 'string' && field.writeOnly === true,
          },
        ]
      : [],
  );
};

/** The name of a card, as its plugin has it in the reader's language. */
export const titleOf = ({ title }: Pick<Connector, 'title'>): string => translated(title);

/** Source: specification §8 "source_control query missing". */
export const NO_PROVIDER = msg('Source control not found. Check your setting on connector page');
