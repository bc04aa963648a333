import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by vitest.config.ts. */
    programs: { postgresBin: string; redisServer: string }
    /** Where tests find the stores; missing ones are left out. */
    stores: { postgresSupervisor?: string; postgresBin?: string; redisServer?: string }
  }
}

/** Starts the PostgreSQL that all tests share, on the first request. */
export interface PostgresSupervisor {
  /** Answers with the address and folder of the running server. */
  url: string
  end(): Promise<void>
}

export async function startPostgresSupervisor(postgresBin: string): Promise<PostgresSupervisor> {
  let postgres: Promise<PostgresServer> | undefined
  const http = createServer((_request, response) => {
    postgres ??= startPostgres(postgresBin)
    postgres.then(
      ({ url, folder }) => response.end(JSON.stringify({ url, folder })),
      (failure: Error) => response.writeHead(500).end(failure.message),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  // A server that listens on a port has an AddressInfo.
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async end() {
      http.closeAllConnections()
      http.close()
      await postgres?.then((running) => running.end())
    },
  }
}
