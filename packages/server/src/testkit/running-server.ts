import { join } from 'node:path'
import { type AtEnd, builtSite, temporaryFolder } from '@binnacle/stores/testkit'
import { onTestFinished } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { type RunningServer, startServer } from '#server.ts'

export interface TestServer extends RunningServer {
  dataFolder: string
}

/** What a server of a test needs: free ports, a new data folder, a small site, and no history unless it asks. */
export function testEnvironment(atEnd?: AtEnd): Record<string, string> {
  return {
    BINNACLE_DATA: join(temporaryFolder({}, atEnd), 'data'),
    BINNACLE_SITE: builtSite(atEnd),
    BINNACLE_TRADING_PORT: '0',
    BINNACLE_ADMIN_PORT: '0',
    BINNACLE_DATABASE_PORT: '0',
    BINNACLE_HISTORY_DAYS: '0',
  }
}

/** The real server in this process, on real sockets. */
export async function runningServer(
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestServer> {
  const config = parseConfig({ ...testEnvironment(atEnd), ...env })
  const server = await startServer(config)
  atEnd(() => server.close(0))
  return { ...server, dataFolder: config.dataFolder }
}
