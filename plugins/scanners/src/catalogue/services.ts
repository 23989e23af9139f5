import { defineConnector, monogram } from '@breakwater/sdk';
import { readBy } from './report-entry.ts';

/** Scanner CLI: the token of the rules registry and which rules it runs with. Only the token is required (specification §3). */
const semgrepCli = defineConnector({
  id: 'semgrep_cli',
  title: 'Scanner CLI',
  category: 'sast',
  image: monogram('CLI'),
  ...readBy({
    tool: 'opengrep',
    family: 'SAST',
    description: 'Connects the Semgrep registry, whose rules the scanner runs with, and reads uploaded scans.',
  }),
  documentation: 'https://semgrep.dev/docs/cli-reference',
  credentials: {
    type: 'object',
    required: ['token'],
    properties: {
      token: {
        type: 'string',
        writeOnly: true,
        title: 'Token',
        description: 'Semgrep: Settings, Tokens, Create new token with the scope "Agent (CI)".',
        maxLength: 512,
      },
      config: {
        type: 'string',
        title: 'Rules',
        description:
          'Rule sets to run, separated by commas, such as p/default; empty runs the rules of your organisation.',
        maxLength: 1000,
      },
    },
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: 'https://semgrep.dev',
  permissions: { egress: ['semgrep.dev'] },
});

const fortify = defineConnector({
  id: 'fortify',
  title: 'Fortify',
  category: 'sast',
  image: monogram('Fo'),
  ...readBy({
    tool: 'fortify',
    family: 'SAST',
    description: 'Pulls the issues of a release from Fortify on Demand and reads uploaded Fortify reports.',
  }),
  documentation: 'https://www.microfocus.com/documentation/fortify-on-demand/',
  commercial: true,
  credentials: {
    type: 'object',
    required: ['client_id', 'client_secret', 'release_id'],
    properties: {
      client_id: {
        type: 'string',
        title: 'API key',
        description: 'Fortify on Demand: Administration, Settings, API, Add key with the role "Read only" or higher.',
        minLength: 1,
        maxLength: 200,
      },
      client_secret: {
        type: 'string',
        writeOnly: true,
        title: 'API secret',
        description: 'Shown once, when the API key is added.',
        maxLength: 1000,
      },
      release_id: {
        type: 'string',
        title: 'Release ID',
        description:
          'The number after /Releases/ in the address of the release; the API key must have access to its application.',
        pattern: '^[0-9]{1,18}$',
      },
    },
  },
  baseUrl: 'https://api.ams.fortify.com',
  permissions: { egress: ['api.ams.fortify.com'], reveal: ['client_secret'] },
});

const checkmarx = defineConnector({
  id: 'checkmarx',
  title: 'Checkmarx',
  category: 'sast',
  image: monogram('Cx'),
  ...readBy({
    tool: 'checkmarx',
    family: 'SAST',
    description: 'Pulls the latest results of a team from Checkmarx SAST and reads uploaded reports.',
  }),
  documentation: 'https://docs.checkmarx.com/en/34965-46448-authentication--cxsast-rest-api-.html',
  commercial: true,
  credentials: {
    type: 'object',
    required: ['client_id', 'client_secret', 'username', 'password', 'base_url', 'team_id'],
    properties: {
      client_id: {
        type: 'string',
        title: 'Client ID',
        description: 'OAuth client of the server; "resource_owner_client" unless your administrator made an own one.',
        minLength: 1,
        maxLength: 200,
      },
      client_secret: {
        type: 'string',
        writeOnly: true,
        title: 'Client secret',
        description: 'Secret of that client; the vendor documents the one of "resource_owner_client".',
        maxLength: 1000,
      },
      username: {
        type: 'string',
        title: 'User name',
        description:
          'A user of the server; the role "SAST Reviewer" on the team suffices. Domain users write DOMAIN\\name.',
        minLength: 1,
        maxLength: 200,
      },
      password: {
        type: 'string',
        writeOnly: true,
        title: 'Password',
        description: 'Password of that user.',
        maxLength: 1000,
      },
      base_url: {
        type: 'string',
        format: 'uri',
        title: 'Server address',
        description: 'Address of the Checkmarx server without a path, such as https://checkmarx.example.com.',
        pattern: '^https?://[^/?#\\s@]+/?$',
        maxLength: 300,
      },
      team_id: {
        type: 'integer',
        title: 'Team ID',
        description:
          'Number of the team whose projects are read: Access Control, Teams, the id in the address of the team.',
        minimum: 1,
      },
    },
  },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'], reveal: ['client_secret', 'password'] },
});

const blackDuck = defineConnector({
  id: 'black_duck',
  title: 'Black Duck',
  category: 'sca',
  image: monogram('BD'),
  ...readBy({
    tool: 'black_duck',
    family: 'SCA',
    description: 'Finds vulnerable and wrongly licensed open-source components with Black Duck.',
  }),
  documentation: 'https://documentation.blackduck.com/',
  commercial: true,
  disabled: { reason: 'Live sync is not available; reports can be uploaded.' },
  credentials: {
    type: 'object',
    required: ['api_token', 'black_duck_url'],
    properties: {
      api_token: {
        type: 'string',
        writeOnly: true,
        title: 'API token',
        description: 'Black Duck: user menu, Access Tokens, Create Token with read access.',
        maxLength: 2000,
      },
      black_duck_url: {
        type: 'string',
        format: 'uri',
        title: 'Server address',
        description: 'Address of the Black Duck server, such as https://blackduck.example.com.',
        pattern: '^https?://[^/?#\\s@]+/?$',
        maxLength: 300,
      },
    },
  },
  baseUrl: '{{black_duck_url}}',
  permissions: { egress: ['{{black_duck_url}}'] },
});

/** Cards with a form: services that findings are pulled from, or that a scanner needs. */
export const serviceEntries = [semgrepCli, fortify, checkmarx, blackDuck] as const;

/** The forms, for the types of the code. */
export type FortifyForm = (typeof fortify)['credentials'];
export type CheckmarxForm = (typeof checkmarx)['credentials'];
