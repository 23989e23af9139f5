import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Nullable } from '../../platform/api/envelope.ts';
import { AiConfiguration } from './client-detail.ts';
import { AiConfigurationChange } from './routes.ts';

export const getAiConfiguration = route({
  method: 'GET',
  path: '/client/openai',
  tag: 'ai',
  summary: 'What is stored for AI: of a secret only that it is there, and its last four characters',
  access: { permission: 'connectors.read', tenant: true },
  response: Type.Object({ data: AiConfiguration }),
});

export const saveAiConfiguration = route({
  method: 'POST',
  path: '/client/openai',
  tag: 'ai',
  summary: 'Store the configuration of AI, the same as its two cards; fields left out stay, null removes',
  // each is checked at its service, outside any transaction
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.configured',
  body: AiConfigurationChange,
  response: Type.Object({ data: AiConfiguration }),
  errors: ['conflict'],
});

/** A test that succeeded. */
const Tested = Action(
  Type.Object({
    /** Who the service says we are: the model and its host. */
    identity: Nullable(Type.String()),
  }),
);

const test = {
  method: 'POST',
  tag: 'ai',
  access: { permission: 'connectors.write', tenant: false },
  body: AiConfigurationChange,
  response: Tested,
  errors: ['conflict', 'integration_not_configured', 'upstream_failed'],
} as const;

export const testAiConnection = route({
  ...test,
  path: '/openai/test_connection',
  summary: 'Test the connection of validation, with the given fields or what is stored; nothing is stored',
});

export const testRemediatorConnection = route({
  ...test,
  path: '/openai/remediator_connection',
  summary: 'Test the connection of the remediator, with the given fields or what is stored; nothing is stored',
});
