import { cloudScanner } from './define-scanner.ts';

/** How Prowler calls what was connected. Source: prowler/providers/<provider>/lib/arguments/arguments.py, versions 3.11 to 5. */
const PROWLER: Readonly<Record<string, (account: string) => readonly string[]>> = {
  aws: () => ['aws'],
  azure: (account) => ['azure', '--sp-env-auth', `--subscription-ids=${account}`],
  gcp: (account) => ['gcp', `--project-id=${account}`],
  oracle_oci: () => ['oraclecloud'],
};

/** It finds the credentials by its environment, as the libraries of the providers do, and ends with 3 where a check failed. */
export const prowler = cloudScanner({
  programs: ['prowler'],
  version: ['--version'],
  report: 'prowler.ocsf.json',
  args: ({ provider, account, work }) => {
    const chosen = PROWLER[provider]?.(account);
    if (chosen === undefined) return null;
    return [...chosen, '-M', 'json-ocsf', '--output-directory', work, '--output-filename', 'prowler', '--no-banner'];
  },
  okExitCodes: [3],
});

/**
 * What CloudSploit reads its credentials by: a file of settings without any, which takes them from the environment. Only one cloud is named, since
 * it takes the first it finds. Google's key is a file, because CloudSploit prints GOOGLE_PRIVATE_KEY. Source: index.js and config_example.js of
 * CloudSploit.
 */
const CLOUDSPLOIT: Readonly<Record<string, string>> = {
  aws: 'aws: { access_key: env.AWS_ACCESS_KEY_ID, secret_access_key: env.AWS_SECRET_ACCESS_KEY }',
  azure:
    'azure: { application_id: env.AZURE_CLIENT_ID, key_value: env.AZURE_CLIENT_SECRET, directory_id: env.AZURE_TENANT_ID, subscription_id: env.AZURE_SUBSCRIPTION_ID }',
  gcp: 'google: { credential_file: env.GOOGLE_APPLICATION_CREDENTIALS }',
  oracle_oci:
    "oracle: { tenancy_id: env.OCI_CLI_TENANCY, compartment_id: env.OCI_COMPARTMENT_ID, user_id: env.OCI_CLI_USER, key_fingerprint: env.OCI_CLI_FINGERPRINT, key_value: require('node:fs').readFileSync(env.OCI_CLI_KEY_FILE, 'utf8'), region: env.OCI_CLI_REGION }",
};

const settingsOf = (credentials: string): string =>
  [
    'const { env } = process;',
    'const none = { aws: {}, azure: {}, google: {}, oracle: {}, github: {}, alibaba: {} };',
    `module.exports = { credentials: { ...none, ${credentials} } };`,
    '',
  ].join('\n');

const SETTINGS = 'cloudsploit.config.cjs';

/** It prints no version. */
export const cloudsploit = cloudScanner({
  programs: ['cloudsploit-scan', 'cloudsploitscan'],
  version: ['--help'],
  versionPattern: /(?!)/,
  report: 'cloudsploit.json',
  args: ({ provider, work, report }) =>
    CLOUDSPLOIT[provider] === undefined
      ? null
      : ['--config', `${work}/${SETTINGS}`, '--json', report, '--console', 'none'],
  files: ({ provider }) => ({ [SETTINGS]: settingsOf(CLOUDSPLOIT[provider] ?? '') }),
});
