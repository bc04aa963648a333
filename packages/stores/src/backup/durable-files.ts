import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Syncs a file or a folder's entries to disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder with all its contents. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? syncTree(path) : sync(path))
  }
  await sync(folder)
}

export async function sha256Of(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash, signal === undefined ? {} : { signal })
  return hash.digest('hex')
}

/** Replaces a file atomically. */
export async function writeDurably(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { flush: true, mode: 0o600 })
  await renameDurably(`${file}.new`, file)
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await sync(dirname(to))
}

/** For a file that was listed and may be gone: the market is recorded meanwhile, and renames its files. */
export function ifGone(fault: NodeJS.ErrnoException): undefined {
  if (fault.code !== 'ENOENT') throw fault
}

/**
 * The relative paths of all regular files below a folder, with forward slashes. Not Node's recursive readdir, which
 * follows links to folders.
 */
export async function filesBelow(folder: string, subfolder = ''): Promise<string[]> {
  const entries = await readdir(join(folder, subfolder), { withFileTypes: true })
  const pathOf = (name: string) => (subfolder === '' ? name : `${subfolder}/${name}`)
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => pathOf(name))
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    files.push(...(await filesBelow(folder, pathOf(name))))
  }
  return files.sort()
}
