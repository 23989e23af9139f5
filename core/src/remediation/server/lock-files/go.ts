import path from 'node:path';
import type { LockTool } from './lock-tool.ts';

/**
 * Go asks its proxy and its database of checksums, starts no version control, and takes no other toolchain. Settings of an account are
 * not read (GOENV). Source: go.dev/ref/mod#environment-variables.
 */
const environment: LockTool['environment'] = ({ registries }, { home, cache, roots }) => ({
  GOENV: 'off',
  GOPATH: path.join(home, 'go'),
  GOMODCACHE: path.join(cache, 'go'),
  GOCACHE: path.join(home, 'build'),
  GOFLAGS: '-mod=mod',
  GOTOOLCHAIN: 'local',
  GOVCS: '*:off',
  CGO_ENABLED: '0',
  SSL_CERT_FILE: roots,
  // a proxy of the operator's own serves private modules too, which the public database does not know
  ...(registries.go === undefined ? {} : { GOPROXY: registries.go.href, GONOSUMDB: '*' }),
});

/** What Go says of its failure; how far it is with its downloads is left out. */
const saidBy = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => line !== '' && !/^go: (?:downloading|finding|extracting|upgraded|added) /.test(line))
    .map((line) => line.replace(/^go: /, ''))
    .slice(0, 2)
    .join(' ');

/**
 * `go get` writes `go.sum` with the hashes of the new version, and `go.mod` with what that needs besides. `go mod tidy` would take out what
 * no source imports, and there are no sources here.
 */
export const GO: LockTool = {
  program: 'go',
  argumentsFor: ({ change }) => (change === undefined ? undefined : ['get', `${change.name}@${change.version}`]),
  environment,
  saidBy,
};
