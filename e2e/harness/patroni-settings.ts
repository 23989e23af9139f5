import path from 'node:path';

/** A PostgreSQL under Patroni, as its configuration names it. */
export interface NodeSettings {
  name: string;
  /** Folder of its own, with the data in `data`. */
  folder: string;
  postgresPort: number;
  /** Of Patroni's REST interface, which HAProxy asks. */
  restPort: number;
}

/** Seconds until a primary that says nothing any more is replaced; the least that releases of Patroni from 3.1 on allow. The guide names the same values. */
const TTL_SECONDS = 20;

/** Nothing that is acknowledged is on one node alone: a primary without a synchronous standby lets commits wait. */
const CLUSTER = {
  ttl: TTL_SECONDS,
  loop_wait: 2,
  retry_timeout: 5,
  primary_start_timeout: 0,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, shared_buffers: '128MB', synchronous_commit: 'on', wal_keep_size: '512MB' },
  },
};

/** Configuration of one Patroni; JSON is YAML. All is on loopback and nobody needs a password. */
export const patroniSettings = (node: NodeSettings, etcdPort: number, bin: string): string => {
  const rest = `127.0.0.1:${node.restPort}`;
  const address = `127.0.0.1:${node.postgresPort}`;
  return JSON.stringify({
    scope: 'breakwater',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: { dcs: CLUSTER, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }] },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: path.join(node.folder, 'data'),
      bin_dir: bin,
      pgpass: path.join(node.folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'rewinder' },
      },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: node.folder },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  });
};

/** HAProxy leads to the node whose Patroni says that it is the primary, and ends the connections to one that no longer is. */
export const haproxySettings = (port: number, nodes: readonly NodeSettings[]): string => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1d
  timeout server 1d
  option clitcpka
  option srvtcpka
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`).join('\n')}
`;
