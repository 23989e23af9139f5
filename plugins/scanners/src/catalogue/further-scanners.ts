import { reportEntry } from './report-entry.ts';

/** Scanners and platforms beyond the catalogue of the specification, whose reports are uploaded. */
export const furtherEntries = [
  reportEntry({
    id: 'zap',
    title: 'ZAP',
    category: 'dast',
    letters: 'ZAP',
    description: 'Finds vulnerabilities in running applications by watching and attacking them.',
    documentation: 'https://www.zaproxy.org/docs/',
    tool: 'zap',
    family: 'DAST',
  }),
  reportEntry({
    id: 'snyk',
    title: 'Snyk',
    category: 'sca',
    letters: 'Sn',
    description: 'Finds known vulnerabilities and licence issues in dependencies and container images.',
    documentation: 'https://docs.snyk.io/snyk-cli',
    tool: 'snyk',
    family: 'SCA',
    commercial: true,
  }),
  reportEntry({
    id: 'sonarqube',
    title: 'SonarQube',
    category: 'sast',
    letters: 'SQ',
    description: 'Reads the issues and security hotspots that SonarQube finds in code.',
    documentation: 'https://docs.sonarsource.com/sonarqube-server/extension-guide/web-api/',
    tool: 'sonarqube',
    family: 'SAST',
  }),
] as const;
