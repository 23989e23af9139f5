import { defineServer, type Http, type Identity, readAnswer, Type } from '@breakwater/sdk';
import { plugin } from '../../plugin.ts';
import * as clouds from '../scanners/cloud-scanners.ts';
import * as code from '../scanners/code-scanners.ts';
import * as dependencies from '../scanners/dependency-scanners.ts';
import * as infrastructure from '../scanners/infrastructure-scanners.ts';
import { checkCheckmarx, syncCheckmarx } from './checkmarx-sync.ts';
import { checkFortify, syncFortify } from './fortify-sync.ts';

const Deployment = Type.Object({ deployment: Type.Object({ name: Type.String({ minLength: 1 }) }) });

/**
 * Organisation that a token of the rules registry belongs to.
 * Source: semgrep CLI 1.x, `semgrep/app/auth.py`: the command-line program asks the same before each scan.
 */
async function checkToken({ http }: { readonly http: Http }): Promise<Identity> {
  const answer = await http.json({ path: '/api/agent/deployments/current' });
  return { identity: readAnswer(Deployment, answer).deployment.name };
}

/** Code of the catalogue entries that talk to a service, or that the host can start. The importers stand beside it in `index.ts`, because they run elsewhere. */
export const server = defineServer(plugin, {
  semgrep_cli: { check: checkToken },
  fortify: { check: checkFortify, findings: { sync: syncFortify } },
  checkmarx: { check: checkCheckmarx, findings: { sync: syncCheckmarx } },
  bandit: { scanner: code.bandit },
  opengrep: { scanner: code.opengrep },
  gitleaks: { scanner: code.gitleaks },
  trufflehog: { scanner: code.trufflehog },
  shellcheck: { scanner: code.shellcheck },
  clamav: { scanner: code.clamav },
  'trivy-sca': { scanner: dependencies.trivyDependencies },
  'trivy-secrets': { scanner: dependencies.trivySecrets },
  'trivy-license': { scanner: dependencies.trivyLicenses },
  grype: { scanner: dependencies.grype },
  syft: { scanner: dependencies.syft },
  'osv-scanner': { scanner: dependencies.osvScanner },
  'cyclonedx-npm': { scanner: dependencies.cyclonedxNpm },
  'checkov-iac': { scanner: infrastructure.checkovInfrastructure },
  'checkov-ci/cd': { scanner: infrastructure.checkovPipelines },
  'checkov-container': { scanner: infrastructure.checkovContainers },
  'kics-iac': { scanner: infrastructure.kicsInfrastructure },
  'kics-ci/cd': { scanner: infrastructure.kicsPipelines },
  'kics-container': { scanner: infrastructure.kicsContainers },
  hadolint: { scanner: infrastructure.hadolint },
  prowler: { scanner: clouds.prowler },
  cloudsploit: { scanner: clouds.cloudsploit },
});
