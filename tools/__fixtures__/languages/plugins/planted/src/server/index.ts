import { ConnectorError } from '@breakwater/sdk';

export const refuse = (name: string): never => {
  throw new ConnectorError('config', `There is no project "${name}".`, { help: 'Enter another one.' });
};
