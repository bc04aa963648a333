import type { ServerInfo } from '#driver.ts'
import type { Send } from './connection.ts'

export async function readServerInfo(send: Send): Promise<ServerInfo> {
  const reply = String(await send('INFO', 'server'))
  const [, version = 'of an unknown version'] = /^redis_version:(\S+)/m.exec(reply) ?? []
  return { version: `Redis ${version}`, warnings: [] }
}
