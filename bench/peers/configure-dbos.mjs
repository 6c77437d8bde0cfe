import { DBOS } from '@dbos-inc/dbos-sdk';

const poolSize = 20;

/**
 * Sets the database of DBOS, and turns its telemetry off.
 * @param {string} systemDatabaseUrl
 */
export function configureDbos(systemDatabaseUrl) {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl,
    systemDatabasePoolSize: poolSize,
    enableOTLP: false,
    logLevel: 'error',
  });
}
