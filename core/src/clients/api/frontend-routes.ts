import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { ConfigAnswer, ConfigBody, ConfigKeyBody, ConfigKeyQuery, removeConfig, saveConfig } from './routes.ts';

/** `POST /api/connector`: the same as `PUT /client/config`. Source: specification §7 "Frontend server routes". */
export const postConnector = route({
  ...saveConfig,
  base: 'frontend',
  method: 'POST',
  path: '/connector',
  body: ConfigBody,
  response: ConfigAnswer,
});

/** `DELETE /api/connector`: the same as `DELETE /client/config`. */
export const deleteConnector = route({
  ...removeConfig,
  base: 'frontend',
  path: '/connector',
  query: ConfigKeyQuery,
  body: ConfigKeyBody,
  response: ConfigAnswer,
});

export const postTool = route({
  ...saveConfig,
  base: 'frontend',
  method: 'POST',
  path: '/connector/tool',
  summary: 'Store the configuration of a scanner, by its tool id such as trivy-sca or semgrep_cli',
  body: Type.Object(
    { tool: ConfigBody.properties.key, values: ConfigBody.properties.values },
    { additionalProperties: false },
  ),
  response: ConfigAnswer,
});
