import type { Mutations } from './mutate.ts';

/** A scanner of ours whose findings are pulled. */
export const fortify: Mutations = {
  connector: 'fortify',
  folder: 'plugins/scanners',
  faults: [
    {
      name: 'the token is asked for another scope',
      file: 'src/server/services/fortify-session.ts',
      find: "scope: 'api-tenant',",
      replace: "scope: 'view-issues',",
    },
    {
      name: 'the token is not sent',
      file: 'src/server/services/fortify-session.ts',
      find: 'headers: bearer(token), accept',
      replace: "headers: bearer(token === '' ? token : ''), accept",
    },
    {
      name: 'a wrong key is a wrong setting',
      file: 'src/server/services/fortify-session.ts',
      find: "throw new ConnectorError('auth',",
      replace: "throw new ConnectorError('config',",
    },
    {
      name: 'a release that may not be read does not exist',
      file: 'src/server/services/fortify-session.ts',
      find: 'if (answer.status === 404) {',
      replace: 'if (answer.status === 404 || answer.status === 403) {',
    },
    {
      name: 'the time to wait is taken for milliseconds',
      file: 'src/server/services/fortify-session.ts',
      find: 'retryAfterMs: seconds * 1000',
      replace: 'retryAfterMs: seconds',
    },
    {
      name: "Fortify's own header of the limit is not read",
      file: 'src/server/services/fortify-session.ts',
      find: "headers['retry-after'] ?? headers['x-rate-limit-reset']",
      replace: "headers['retry-after']",
    },
    {
      name: 'suppressed issues are not asked for',
      file: 'src/server/services/fortify-sync.ts',
      find: 'fields: FIELDS, includeSuppressed: true }',
      replace: 'fields: FIELDS }',
    },
    {
      name: 'suppressed issues are open',
      file: 'src/server/services/fortify-sync.ts',
      find: 'isSuppressed: issue.isSuppressed === true,',
      replace: 'isSuppressed: false,',
    },
    {
      name: 'pages do not overlap, so that a list which moves loses issues',
      file: 'src/server/services/fortify-sync.ts',
      find: 'offset += LIMIT - 1',
      replace: 'offset += LIMIT',
    },
    {
      name: 'the issue that two pages share comes twice',
      file: 'src/server/services/fortify-sync.ts',
      find: 'const fresh = last === undefined ? items : items.slice(1);',
      replace: 'const fresh = items;',
    },
    {
      name: 'the last page is left out',
      file: 'src/server/services/fortify-sync.ts',
      find: 'if (offset + items.length >= totalCount) return;',
      replace: 'if (offset + items.length + LIMIT > totalCount) return;',
    },
    {
      name: 'a list that changes while it is read is taken for whole',
      file: 'src/server/services/fortify-sync.ts',
      find: 'if (last !== undefined && items[0]?.id !== last) {',
      replace: 'if (last !== undefined && items[0] === undefined) {',
    },
    {
      name: 'the name of an application does not say which release',
      file: 'src/server/services/fortify-sync.ts',
      find: '.applicationName} $',
      replace: '.releaseName} $',
    },
    {
      name: 'an application is known by its name',
      file: 'src/server/services/fortify-sync.ts',
      find: "yield { kind: 'target', id, name:",
      replace: "yield { kind: 'target', id: release.applicationName, name:",
    },
    {
      name: 'the short path of a file is taken, which several files have',
      file: 'src/server/services/fortify-sync.ts',
      find: 'normalisePath(issue.primaryLocationFull ?? issue.primaryLocation)',
      replace: 'normalisePath(issue.primaryLocation ?? issue.primaryLocationFull)',
    },
    {
      name: 'lines count from 0',
      file: 'src/server/services/fortify-sync.ts',
      find: 'startLine: position(issue.lineNumber)',
      replace: 'startLine: position((issue.lineNumber ?? 0) + 1)',
    },
    {
      name: 'severities other than high are informational',
      file: 'src/server/services/fortify-sync.ts',
      find: "severityFromWord(issue.severityString) ?? ('informational' as const)",
      replace: "issue.severityString === 'High' ? ('high' as const) : ('informational' as const)",
    },
    {
      name: 'findings of open-source scans are findings in code',
      file: 'src/server/services/fortify-sync.ts',
      find: "opensource: 'SCA', 'open source': 'SCA' }",
      replace: "oss: 'SCA' }",
    },
    {
      name: 'the id of the list, which changes with each scan, is the fingerprint',
      file: 'src/server/services/fortify-sync.ts',
      find: 'fingerprint: label(issue.instanceId),',
      replace: 'fingerprint: String(issue.id),',
    },
    {
      name: 'the weakness is not read where there are several',
      file: 'src/server/services/fortify-sync.ts',
      find: "(issue.cwe ?? '').replaceAll('CWE ID ', 'CWE-')",
      replace: "(issue.cwe ?? '').replace('CWE ID ', 'CWE-')",
    },
  ],
};
