import type { Http, Json } from '@breakwater/sdk';
import { documentOf } from './text/document.ts';
import { wikiOf } from './text/wiki.ts';

/** In what the two editions of Jira differ. */
export interface Flavour {
  /** Root of the REST API, below the address of the site. */
  readonly api: string;
  /** Where issues are searched by JQL. */
  readonly search: string;
  /** Where projects are listed. */
  readonly projects: string;
  /** `deploymentType` of its `serverInfo`. */
  readonly deployment: string;
  /** Name for people. */
  readonly title: string;
  /** Text of an issue or a comment, from Markdown. */
  textOf(markdown: string): Json;
}

/** Source: Jira Cloud REST API v3. `/search` has gone; `/search/jql` answers ids alone unless fields are named. */
export const CLOUD: Flavour = {
  api: '/rest/api/3',
  search: '/rest/api/3/search/jql',
  projects: '/rest/api/3/project/search',
  deployment: 'Cloud',
  title: 'Jira Cloud',
  textOf: documentOf,
};

/** Source: Jira Data Center REST API v2. */
export const DATA_CENTER: Flavour = {
  api: '/rest/api/2',
  search: '/rest/api/2/search',
  projects: '/rest/api/2/project',
  deployment: 'Server',
  title: 'Jira Data Center',
  textOf: wikiOf,
};

/** What both forms say of tickets. */
export interface Settings {
  readonly project: string;
  readonly issue_type: string;
  readonly priorities?: Readonly<Record<string, string>>;
  readonly done_transition?: string;
}

/** What the code of both editions gets. */
export interface JiraCtx {
  readonly http: Http;
  readonly config: Settings;
}
