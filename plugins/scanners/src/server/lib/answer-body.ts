import { ConnectorError, type HttpAnswer, type Json } from '@breakwater/sdk';

/** Body of an answer as JSON. @throws ConnectorError upstream */
export function parseBody({ body }: HttpAnswer): Json {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw new ConnectorError('upstream', 'The service answered with something that is no JSON.', { cause });
  }
}
