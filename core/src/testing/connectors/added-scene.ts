import { expect } from 'vitest';
import type { TestServer } from '../../../../tools/testing/server.ts';
import { type BuildSpec, packBuild } from './plugin-build.ts';

type As = NonNullable<NonNullable<Parameters<TestServer['call']>[2]>['as']>;

/** Installs and enables plugins in a test server as people do: over HTTP. */
export const createPluginScene = (server: () => TestServer) => {
  const installArchive = async (archive: Uint8Array, as: string = server().tokens.superadmin) => {
    const answer = await fetch(`${server().baseUrl}/api/v1/platform/plugins/file?name=plugin.tgz`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/octet-stream' },
      body: Buffer.from(archive),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const enable = (
    id: string,
    { version, hosts, as = 'admin', ...more }: { version: string; hosts: readonly string[]; as?: As } & object,
  ) =>
    server().call('PUT', `/installed_plugins/${id}`, {
      as,
      body: { version, publisher: 'Acme', hosts, reveals: [], ...more },
    });
  return {
    installArchive,
    /** @returns what the answer says of it */
    install: async (spec: BuildSpec) => {
      const { status, body } = await installArchive(await packBuild(spec));
      expect([status, body.detail]).toEqual([200, undefined]);
      return body.data;
    },
    enable,
    /** @returns the id of its connector in the organisation */
    enabled: async (id: string, order: Parameters<typeof enable>[1]): Promise<string> => {
      const { status, body } = await enable(id, order);
      expect([status, body.detail]).toEqual([200, undefined]);
      return body.data.connectors[id];
    },
  };
};

/** An application to upload to. @returns its id */
export const addApplication = async (server: TestServer, nickname: string, as: As = 'admin'): Promise<string> => {
  const body = { source_control: 'git', data: [{ nickname, url: '' }] };
  return (await server.call('POST', '/create_repository_with_list', { as, body })).body.data[0]._id;
};

/** Uploads a text as a report and waits for its import. */
export const uploadText = (
  server: TestServer,
  order: { to: string; text: string; tool?: string; as?: As; wait?: number },
) => {
  const { to, text, tool = 'auto', as = 'admin', wait = 120 } = order;
  const file = Buffer.from(text).toString('base64');
  return server.call('POST', `/upload_scan/${to}?wait=${wait}`, { as, body: { tool, file } });
};
