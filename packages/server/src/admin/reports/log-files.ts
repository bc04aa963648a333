import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface StoredLogFile {
  name: string
  path: string
}

/** The log files of a folder, oldest first: server.log.5 … server.log.1, server.log. */
export async function logFiles(folder: string): Promise<StoredLogFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^server\.log(\.\d+)?$/.test(name))
  const numberOf = (name: string) => Number(/\d+$/.exec(name)?.[0] ?? 0)
  return names
    .sort((one, other) => numberOf(other) - numberOf(one))
    .map((name) => ({ name, path: join(folder, name) }))
}

/** All log files as one. A file that is rotated away meanwhile is left out. */
export async function* readLogFiles(folder: string): AsyncGenerator<Uint8Array> {
  for (const { path } of await logFiles(folder)) {
    try {
      yield* createReadStream(path)
    } catch (fault) {
      if (Object(fault).code !== 'ENOENT') throw fault
    }
  }
}
