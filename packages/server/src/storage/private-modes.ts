import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const FOR_OTHERS = 0o077

/** Takes the permissions of group and others from a folder and all that is in it. Returns the number of corrections. */
export async function restrictModes(path: string): Promise<number> {
  const entry = await lstat(path).catch(() => undefined)
  if (entry === undefined || !(entry.isFile() || entry.isDirectory())) return 0
  const corrected = (entry.mode & FOR_OTHERS) !== 0 && (await restrict(path, entry.mode)) ? 1 : 0
  if (!entry.isDirectory()) return corrected
  let inside = 0
  for (const name of await readdir(path)) inside += await restrictModes(join(path, name))
  return corrected + inside
}

/** False for what belongs to another user, or a file system without modes: the folder above protects it. */
async function restrict(path: string, mode: number): Promise<boolean> {
  return chmod(path, mode & 0o700).then(
    () => true,
    () => false,
  )
}
