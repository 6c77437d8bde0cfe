import { dynamicConfig } from '../../src/main/dev/temporal-flags.ts';

const host = '127.0.0.1';

/** The services of one Temporal server. */
export const clusterServices = ['frontend', 'history', 'matching', 'worker'] as const;
type ClusterService = (typeof clusterServices)[number];

/** The ports of one service. */
export interface ServicePorts {
  grpcPort: number;
  membershipPort: number;
}

interface ClusterConfigOptions {
  postgres: { host: string; port: string; user: string; password: string };
  databases: { default: string; visibility: string };
  ports: Record<ClusterService, ServicePorts>;
  dynamicConfigFile: string;
}

/** The configuration of a Temporal server with all its services in one process, as YAML (of which JSON is a part). */
export function toClusterConfig({
  postgres,
  databases,
  ports,
  dynamicConfigFile,
}: ClusterConfigOptions): string {
  const toStore = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${postgres.host}:${postgres.port}`,
      connectProtocol: 'tcp',
      user: postgres.user,
      password: postgres.password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const rpcAddress = `${host}:${ports.frontend.grpcPort}`;
  const config = {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: toStore(databases.default, 20), visibility: toStore(databases.visibility, 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: host } },
    services: Object.fromEntries(
      clusterServices.map((name) => [name, { rpc: { ...ports[name], bindOnLocalHost: true } }]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: rpcAddress },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '1m' },
  };
  return JSON.stringify(config, null, 2);
}

/** The settings of `temporal-flags.ts` in the form that a server reads from a file. */
export function toDynamicConfigFile(): string {
  const entries = Object.entries(dynamicConfig).map(([name, value]) => [name, [{ value }]]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}
