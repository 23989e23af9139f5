import { msg } from '../../../platform/model/message.ts';
import type { Permission } from '../../../platform/model/permissions.ts';

interface GuideLink {
  label: string;
  to: string;
  permission?: Permission;
}

interface GuideStep {
  title: string;
  text: string;
  permission: Permission;
  links: readonly GuideLink[];
}

/** The way from the first report to the proof, in the order in which people go it. */
export const GUIDE: readonly GuideStep[] = [
  {
    title: msg('Bring findings in'),
    text: msg(
      'Drop reports of your scanners anywhere on the list of findings, connect your source control, or let a pipeline send them. The tool of a report is recognised; a report that was sent before changes nothing.',
    ),
    permission: 'scans.upload',
    links: [
      { label: msg('Connectors'), to: '/connector/providers', permission: 'connectors.read' },
      { label: msg('Repositories'), to: '/Repositories' }, // no text: an address
    ],
  },
  {
    title: msg('See what to fix first'),
    text: msg(
      'The list begins with the highest priority. Click the figure to see what it is made of: severity, exploits in the wild, exposure and data of the application.',
    ),
    permission: 'findings.read',
    links: [
      { label: msg('Findings'), to: '/findings' },
      { label: msg('Prioritisation'), to: '/settings/prioritisation', permission: 'settings.read' },
    ],
  },
  {
    title: msg('Decide what is noise'),
    text: msg(
      'Mark a false positive with f, accept a risk with e, confirm with v, and take the last decision back with u. A decision stays when the same finding is reported again.',
    ),
    permission: 'findings.triage',
    links: [{ label: msg('All findings'), to: '/findings/all' }],
  },
  {
    title: msg('Fix it'),
    text: msg(
      'Open a finding and press r: an upgrade or an edit is proposed as a difference that you can change, and becomes a pull request. Findings can be sent to developers with a.',
    ),
    permission: 'findings.read',
    links: [{ label: msg('Team'), to: '/settings/team', permission: 'team.manage' }],
  },
  {
    title: msg('Show how it goes'),
    text: msg(
      'Every figure of the dashboard leads to the findings behind it. Frameworks say which controls are touched.',
    ),
    permission: 'findings.read',
    links: [
      { label: msg('Dashboard'), to: '/' },
      { label: msg('SBOM'), to: '/sbom-findings' },
      { label: msg('Frameworks'), to: '/frameworks' },
    ],
  },
];
