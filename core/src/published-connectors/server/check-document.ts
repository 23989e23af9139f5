import { type Plugin, PluginError } from '@breakwater/sdk';
import { manifestOfDocument } from '@breakwater/sdk/declarative';
import { checkManifestOfStranger } from '@breakwater/sdk/host';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { ENGLISH } from '../../platform/model/translator.ts';
import { hostsOf, pathInIssue, secretsIn, unclearHosts, unkeptIn } from '../model/document-rules.ts';

/** The files of a connector without code. */
export interface ConnectorFiles {
  /** Content of `connector.json`. */
  document: unknown;
  /** Content of `conformance.json`. */
  fixtures: unknown;
}

/** What was read of a document that may be published. */
export interface CheckedDocument {
  plugin: Plugin;
  connector: Plugin['connectors'][number];
  hosts: string[];
  bringsFindings: boolean;
}

/** Plays the recorded service to a connector. Given by the composition root. @returns what keeps it below the tier silver; empty where nothing does */
export type ConformanceRun = (files: ConnectorFiles, signal: AbortSignal) => Promise<string[]>;

const MAX_ISSUES = 30;

const issue = (place: (string | number)[], text: string): FieldIssue => ({
  loc: ['body', ...place],
  msg: text,
  type: 'connector',
});

/** @throws validation_failed with every issue at once */
export const refuse = (issues: readonly FieldIssue[]): void => {
  if (issues.length === 0) return;
  throw new AppError('validation_failed', msg('The connector cannot be published as it is.'), {
    issues: issues.slice(0, MAX_ISSUES),
  });
};

/** A version is never changed, so fixtures come with the document of a new one. @throws validation_failed */
export const refuseFixturesAlone = (): void =>
  refuse([
    issue(
      ['document'],
      msg(
        'What was recorded belongs to a version, which is never changed: send connector.json with it, with a later version.',
      ),
    ),
  ]);

const manifestOf = (document: unknown): Plugin => {
  try {
    const plugin = manifestOfDocument(document);
    checkManifestOfStranger(plugin, null);
    return plugin;
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    refuse(error.issues.map((text) => issue(['document', ...pathInIssue(text)], text)));
    throw error;
  }
};

const has = (document: unknown, part: string): boolean =>
  typeof document === 'object' && document !== null && Object.hasOwn(document, part);

const secretIssues = ({ document, fixtures }: ConnectorFiles): FieldIssue[] =>
  secretsIn({ document, fixtures }).map((path) =>
    issue(
      path,
      msg(
        'This looks like a secret. Take it out: others read a published connector, and secrets belong into its form.',
      ),
    ),
  );

const unkeptIssues = ({ document, fixtures }: ConnectorFiles): FieldIssue[] =>
  unkeptIn({ document, fixtures }).map((path) =>
    issue(path, msg('This cannot be kept: it is nested too deeply, or holds a character that is no text.')),
  );

const hostIssues = (hosts: readonly string[]): FieldIssue[] =>
  unclearHosts(hosts).map((host) =>
    issue(
      ['document', 'permissions', 'egress'],
      ENGLISH.say(
        say(
          '"{host}" is no literal host. Name each host, such as api.example.com: whoever adds the connector approves exactly these.',
          {
            host,
          },
        ),
      ),
    ),
  );

/** What a document says, where its service may be asked. Runs nothing of it. @throws validation_failed */
export const readTestable = (document: unknown): CheckedDocument => {
  refuse(unkeptIssues({ document, fixtures: null }));
  const plugin = manifestOf(document);
  const [connector] = plugin.connectors;
  if (connector === undefined) throw new Error('A document gave no connector.');
  const hosts = hostsOf(plugin);
  refuse([
    ...secretIssues({ document, fixtures: null }),
    ...hostIssues(hosts),
    ...(connector.auth.type === 'address'
      ? [
          issue(
            ['document', 'auth'],
            msg(
              'Its address is itself the secret, so that what is asked there cannot be recorded: write conformance.json for it, and try it with "breakwater-connector test".',
            ),
          ),
        ]
      : []),
    ...(connector.auth.type === 'oauth2'
      ? [
          issue(
            ['document', 'auth'],
            msg('A sign-in at the service needs a connection: record it with "breakwater-connector record" instead.'),
          ),
        ]
      : []),
  ]);
  return { plugin, connector, hosts, bringsFindings: has(document, 'findings') };
};

/**
 * Of a sign-in at the service: whoever adds the connector approves its hosts, so the page to which people are sent is one of them; and it has an
 * application of the organisation's own, because the operator cannot register one for a connector that they do not know.
 */
const signInIssues = ({ connector: { auth }, hosts }: CheckedDocument): FieldIssue[] => {
  if (auth.type !== 'oauth2') return [];
  const addresses = { authorizeUrl: auth.authorizeUrl, tokenUrl: auth.tokenUrl, revokeUrl: auth.revokeUrl };
  const strangers = Object.entries(addresses).filter(
    ([, address]) => address !== undefined && !hosts.includes(URL.parse(address)?.host ?? ''),
  );
  const missing = (['clientIdField', 'clientSecretField'] as const).filter((name) => auth[name] === undefined);
  return [
    ...strangers.map(([name]) =>
      issue(
        ['document', 'auth', name],
        msg('Its host has to be among the hosts of the connector: whoever adds it approves where people sign in.'),
      ),
    ),
    ...missing.map((name) =>
      issue(
        ['document', 'auth', name],
        msg('Name a field for the OAuth application of the organisation: an operator cannot register one for it.'),
      ),
    ),
  ];
};

/** What a document says, where it may be published. Runs nothing of it. @throws validation_failed */
export const readPublishable = (files: ConnectorFiles): CheckedDocument => {
  refuse(unkeptIssues(files));
  const plugin = manifestOf(files.document);
  const [connector] = plugin.connectors;
  if (connector === undefined) throw new Error('A document gave no connector.');
  const hosts = hostsOf(plugin);
  const checked = { plugin, connector, hosts, bringsFindings: has(files.document, 'findings') };
  refuse([
    ...secretIssues(files),
    ...hostIssues(hosts),
    ...signInIssues(checked),
    ...(connector.documentation === undefined
      ? [issue(['document', 'documentation'], msg('Give the address of a page that says how to get the credentials.'))]
      : []),
  ]);
  return checked;
};

/** Tries a connector with what was recorded of its service. @throws validation_failed where it stays below the tier silver */
export const tryDocument = async (run: ConformanceRun, files: ConnectorFiles, signal: AbortSignal): Promise<void> => {
  const problems = await run(files, signal);
  refuse(problems.map((text) => issue(['fixtures'], text)));
};
