import type { ReportParser } from '@breakwater/sdk';
import { cyclonedx } from './tools/cyclonedx/tool.ts';
import { gitlab } from './tools/gitlab/tool.ts';
import { gitleaks } from './tools/gitleaks/tool.ts';
import { grype } from './tools/grype/tool.ts';
import { opengrep } from './tools/opengrep/tool.ts';
import { dependencyCheck } from './tools/owasp-dependency-check/tool.ts';
import { sarif } from './tools/sarif/tool.ts';
import { spdx } from './tools/spdx/tool.ts';
import { syft } from './tools/syft/tool.ts';
import { trivy } from './tools/trivy/tool.ts';

/** Every report parser of this plugin. */
export const parsers: ReportParser[] = [
  opengrep,
  grype,
  trivy,
  dependencyCheck,
  gitleaks,
  sarif,
  cyclonedx,
  syft,
  spdx,
  gitlab,
];
