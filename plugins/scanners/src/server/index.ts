import type { ReportParser } from '@breakwater/sdk';
import { bandit } from './tools/bandit/tool.ts';
import { blackDuck } from './tools/black_duck/tool.ts';
import { chainbench } from './tools/chainbench/tool.ts';
import { checkmarx } from './tools/checkmarx/tool.ts';
import { checkov } from './tools/checkov/tool.ts';
import { clamav } from './tools/clamav/tool.ts';
import { cloudsploit } from './tools/cloudsploit/tool.ts';
import { cyclonedx } from './tools/cyclonedx/tool.ts';
import { dependabot } from './tools/dependabot/tool.ts';
import { devskim } from './tools/devskim/tool.ts';
import { dustilock } from './tools/dustilock/tool.ts';
import { fortify } from './tools/fortify/tool.ts';
import { github } from './tools/github/tool.ts';
import { gitlab } from './tools/gitlab/tool.ts';
import { gitleaks } from './tools/gitleaks/tool.ts';
import { grype } from './tools/grype/tool.ts';
import { hadolint } from './tools/hadolint/tool.ts';
import { kics } from './tools/kics/tool.ts';
import { nuclei } from './tools/nuclei/tool.ts';
import { opengrep } from './tools/opengrep/tool.ts';
import { dependencyCheck } from './tools/owasp-dependency-check/tool.ts';
import { prowler } from './tools/prowler/tool.ts';
import { sarif } from './tools/sarif/tool.ts';
import { spdx } from './tools/spdx/tool.ts';
import { syft } from './tools/syft/tool.ts';
import { terrascan } from './tools/terrascan/tool.ts';
import { tflint } from './tools/tflint/tool.ts';
import { trivy } from './tools/trivy/tool.ts';
import { trufflehog } from './tools/trufflehog/tool.ts';

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
  github,
  dependabot,
  checkov,
  kics,
  bandit,
  nuclei,
  checkmarx,
  prowler,
  trufflehog,
  fortify,
  hadolint,
  tflint,
  terrascan,
  devskim,
  cloudsploit,
  clamav,
  chainbench,
  blackDuck,
  dustilock,
];
