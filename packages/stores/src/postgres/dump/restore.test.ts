import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testkit/temporary-folder.ts'
import { replaceContents } from './restore.ts'

const MORE_THAN_A_PIPE_HOLDS = 4_000_000

test('[BACKUP-52] a restore whose program ends while it is sent the dump fails with its message', async () => {
  const folder = temporaryFolder()
  const read = await script(folder, 'read', `head -c ${MORE_THAN_A_PIPE_HOLDS} /dev/zero`)
  const write = await script(
    folder,
    'write',
    'head -c 1 >/dev/null; echo "must be owner of schema" >&2; exit 3',
  )
  const url = 'postgres://desk@127.0.0.1:1/desk'
  const step = async () => {}
  await expect(
    replaceContents(
      { programs: { read, write }, dump: '', url, counts: {}, step },
      new AbortController().signal,
    ),
  ).rejects.toThrow('PostgreSQL error: must be owner of schema')
})

async function script(folder: string, name: string, line: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${line}\n`)
  await chmod(file, 0o755)
  return file
}
