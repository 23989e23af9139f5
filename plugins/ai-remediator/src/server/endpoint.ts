import { ConnectorError, type Ctx } from '@breakwater/sdk';
import type { RemediatorForm } from '../plugin.ts';

/** Where and how the provider is asked. */
export interface Endpoint {
  readonly chatPath: string;
  readonly modelsPath: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Azure OpenAI names the deployment in the path and takes `api-version` and `api-key`; OpenAI names the model in the body and takes a
 * bearer token.
 * Source: Azure OpenAI REST API reference (data plane inference); OpenAI API reference.
 */
export async function endpointOf({
  config,
  reveal,
}: Pick<Ctx<RemediatorForm>, 'config' | 'reveal'>): Promise<Endpoint> {
  const { type, version, deployment_name: deployment } = config;
  const isDated = /^\d{4}-/.test(version);
  if (type === 'azure' && !isDated) {
    throw new ConnectorError('config', `"${version}" is no API version of Azure OpenAI.`, {
      help: 'Enter a dated version, such as 2024-10-21.',
    });
  }
  const key = await reveal('api_key');
  if (type === 'azure') {
    // The portal shows the address with and without /openai.
    const root = /\/openai\/?$/.test(config.base_url) ? '' : '/openai';
    return {
      chatPath: `${root}/deployments/${encodeURIComponent(deployment)}/chat/completions`,
      modelsPath: `${root}/models`,
      query: { 'api-version': version },
      headers: { 'api-key': key },
    };
  }
  // People paste the address with and without /v1, as the clients of OpenAI do both.
  const hasVersion = /\/v\d+\/?$/.test(config.base_url);
  const root = hasVersion ? '' : `/${isDated ? 'v1' : version}`;
  return {
    chatPath: `${root}/chat/completions`,
    modelsPath: `${root}/models`,
    query: {},
    headers: { authorization: `Bearer ${key}` },
  };
}
