import { CANNY_ORIGIN, type CannyConfig, type UsageConfig } from '@breakwater/core/feedback/server/index.ts';
import { DEPS_DEV_ADDRESS } from '@breakwater/core/sbom/server/index.ts';
import type { Reader } from './config-reader.ts';

/** Where Application Insights takes events of resources that name no region. */
const USAGE_ENDPOINT = 'https://dc.services.visualstudio.com';

/** The operator's board at Canny: the key that signs, and the board that is shown. */
export const readCanny = (reader: Reader): CannyConfig | undefined => {
  const [privateKey, boardToken] = [reader.text('CANNY_PRIVATE_KEY'), reader.text('CANNY_BOARD_TOKEN')];
  if (privateKey === undefined && boardToken === undefined) return undefined;
  if (privateKey !== undefined && boardToken !== undefined) {
    // the key is a secret: it is not repeated
    if (privateKey.length < 16) {
      reader.issues.push('CANNY_PRIVATE_KEY must be the private key of the SSO settings of Canny.');
    }
    if (!/^[A-Za-z0-9-]{1,100}$/.test(boardToken)) {
      reader.issues.push(`CANNY_BOARD_TOKEN must be the token of a board; "${boardToken}" is none.`);
    }
    const base = URL.parse(reader.text('CANNY_BASE_URL') ?? '');
    return { privateKey, boardToken, origin: base?.origin ?? CANNY_ORIGIN };
  }
  reader.issues.push('CANNY_PRIVATE_KEY and CANNY_BOARD_TOKEN belong together: set both or neither.');
  return undefined;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reports of use. Source: specification §9 "skipped when its instrumentation key is empty". */
export const readUsage = (reader: Reader): UsageConfig | undefined => {
  const name = 'BREAKWATER_INSTRUMENTATION_KEY';
  const instrumentationKey = reader.text(name);
  if (instrumentationKey === undefined) return undefined;
  if (!UUID.test(instrumentationKey)) {
    reader.issues.push(`${name} must be the instrumentation key of Application Insights, a UUID.`);
  }
  return { instrumentationKey, endpoint: URL.parse(reader.text('USAGE_BASE_URL') ?? '') ?? new URL(USAGE_ENDPOINT) };
};

export interface PackageServiceConfig {
  address: URL;
  /** The operator named it, so that it may be private. */
  isTrusted: boolean;
}

/** Where newest versions are looked up: deps.dev, or a mirror of the operator's own. */
export const readPackageService = (reader: Reader): PackageServiceConfig => {
  const own = URL.parse(reader.text('DEPS_DEV_BASE_URL') ?? '');
  return { address: own ?? DEPS_DEV_ADDRESS, isTrusted: own !== null };
};
