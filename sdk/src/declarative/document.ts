import type { CategoryKey } from '../categories.ts';
import type { Auth, Permissions } from '../connector.ts';
import type { Paging } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';
import type { FindingType, NormalizedFinding, Severity } from '../findings/finding.ts';
import type { ActionsDocument } from './actions/actions.ts';
import type { Expression, RecordsPath, Refusal, RequestTemplate } from './request-parts.ts';

export type { Expression, RecordsPath, Refusal, RequestTemplate };

export interface CheckDocument {
  readonly request: RequestTemplate;
  readonly refuse?: readonly Refusal[];
  /** Gives the account, user or organisation that the credentials belong to. */
  readonly identity: Expression;
  /** Gives a list of texts. */
  readonly scopes?: Expression;
}

/** A list of the service: how it is asked for, and where in an answer its records are. */
export interface ListDocument {
  readonly request: RequestTemplate;
  /** Left out: one answer holds everything. */
  readonly paging?: Paging;
  /** Where the list of records is. Left out: the answer itself is the list. */
  readonly records?: RecordsPath;
}

/** What findings belong to: each becomes an application. */
export interface TargetsDocument extends ListDocument {
  readonly map: { readonly id: Expression; readonly name: Expression; readonly url?: Expression };
}

/** Fields of a finding that a mapping gives. */
export type FindingField = Exclude<keyof NormalizedFinding, 'kind' | 'type' | 'severity'>;

/** How a record becomes a finding. Expressions see the record as `$`, besides `$parent`, `$config` and `$target` `{id, name}`. */
export interface FindingMapping {
  /** Records for which it does not give `true` are no findings: `state = 'open'`. */
  readonly where?: Expression;
  /** Family, where all have the same; else `map.type`. */
  readonly type?: FindingType;
  readonly map: { readonly ruleId: Expression; readonly title: Expression; readonly severity: Expression } & {
    readonly [Field in FindingField | 'type']?: Expression;
  };
  /**
   * The service's words of severity and what they mean, upper and lower case alike; `*` is any other. Our own words mean themselves.
   * A word without a meaning is an error: nothing is guessed.
   */
  readonly severities?: Readonly<Record<string, Severity>>;
}

export interface FindingsDocument extends ListDocument, FindingMapping {
  /** Left out: all findings belong to one application with the connector's name. */
  readonly targets?: TargetsDocument;
}

/** Reports of the tool that people upload. */
export interface ReportDocument extends FindingMapping {
  /** Name for `POST /upload_scan`. Default: the id. */
  readonly tool?: string;
  /** `json`: one document, at most 50 MB; `ndjson`: one record a line. */
  readonly format: 'json' | 'ndjson';
  /** Texts that the first 64 KiB of a report hold, all of them: `"generator":"harbour"`. White space does not count. */
  readonly recognise: readonly string[];
  readonly records?: RecordsPath;
  /** What makes a result the same in the next report, in words. */
  readonly identity: string;
}

/** Content of `connector.json`: a connector without code. */
export interface ConnectorDocument {
  readonly $schema?: string;
  /** Major version of the SDK that it was written for. */
  readonly api?: string;
  readonly id: string;
  readonly version: string;
  readonly publisher?: string;
  readonly title: string;
  readonly category: CategoryKey;
  /** Default: a monogram of the title. */
  readonly image?: string;
  readonly description: string;
  readonly documentation?: string;
  readonly commercial?: boolean;
  readonly credentials?: CredentialSchema;
  readonly auth?: Auth;
  readonly baseUrl?: string;
  readonly services?: Readonly<Record<string, string>>;
  readonly permissions?: Pick<Permissions, 'egress'>;
  readonly check?: CheckDocument;
  readonly findings?: FindingsDocument;
  readonly actions?: ActionsDocument;
  readonly report?: ReportDocument;
}

/** What expressions of a document are evaluated with, in a place that can be ended: never in the process that serves people. */
export interface Mapper {
  /** Values of named expressions for each item, in their order; `undefined` where an expression finds nothing. @throws MappingError */
  map(job: MappingJob): Promise<readonly MappedRecord[]>;
}

export interface MappingJob {
  readonly items: readonly MappingItem[];
  /** What expressions see as `$config`, `$target`. */
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly expressions: Readonly<Record<string, Expression>>;
}

/** A record, and what holds the list that it is in. */
export interface MappingItem {
  readonly input: unknown;
  readonly parent?: unknown;
}

export type MappedRecord = Readonly<Record<string, unknown>>;

/** An expression failed or took too long. `message` is for people and holds no value of the input. */
export class MappingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MappingError';
  }
}
