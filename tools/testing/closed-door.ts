import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** An address of this machine where nobody listens: what asks there fails at once. */
export const closedDoor = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
};
