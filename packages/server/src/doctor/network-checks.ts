import { createServer } from 'node:net'
import type { Config, ListenerName } from '#config/config.ts'
import { PORT_VARIABLES } from '#config/config.ts'
import { type Finding, failure, ok } from './finding.ts'

const ANSWER_WITHIN_MS = 5_000

/** Free ports for a server that is stopped; a running one must answer on them. */
export function checkPorts({ ports, addresses }: Config, isRunning: boolean): Promise<Finding[]> {
  const [address = '127.0.0.1'] = addresses
  const names: ListenerName[] = ['trading', 'admin', 'database']
  return Promise.all(names.map((name) => checkPort(name, { address, port: ports[name], isRunning })))
}

async function checkPort(
  name: ListenerName,
  { address, port, isRunning }: { address: string; port: number; isRunning: boolean },
): Promise<Finding> {
  const subject = `Port ${port}`
  const variable = PORT_VARIABLES[name]
  if (port === 0) return ok(subject, `any free port for the ${name} API (${variable}=0)`)
  const host = address.includes(':') ? `[${address}]` : address
  if (isRunning && (await answers(`http://${host}:${port}/api/health`))) {
    return ok(subject, `the ${name} API answers`)
  }
  const fault = await tryListen(address, port)
  if (fault === undefined) {
    if (!isRunning) return ok(subject, `free for the ${name} API`)
    const remedy = `Set ${variable} as for the server, or look at its log.`
    return failure(subject, `a server uses the data folder, but its ${name} API does not answer here`, remedy)
  }
  const remedy = `Stop the program that uses it, or set ${variable} to another port.`
  return failure(subject, `cannot be used for the ${name} API (${fault})`, remedy)
}

function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ ok: isOk }) => isOk,
    () => false,
  )
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code))
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  return promise
}
