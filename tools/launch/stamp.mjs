import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SKIPPED = new Set(['node_modules', 'dist'])

/**
 * One hash over files, folders and texts.
 * @param {string} root
 * @param {string[]} paths files or folders under root; a missing one counts as absent
 * @param {string[]} words
 */
export function fingerprint(root, paths, words) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((start) => filesUnder(root, start))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  for (const word of words) hash.update(`${word}\0`)
  return hash.digest('hex')
}

/** @param {string} file */
export function readStamp(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * @param {string} file
 * @param {string} stamp
 */
export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, stamp)
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(root, path) {
  try {
    return readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => !SKIPPED.has(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const inside = `${path}/${entry.name}`
        // Asking of each file whether it is a folder takes longer than reading all of them.
        return entry.isFile() ? [inside] : filesUnder(root, inside)
      })
  } catch (failure) {
    if (codeOf(failure) === 'ENOTDIR') return [path]
    if (codeOf(failure) === 'ENOENT') return []
    throw failure
  }
}

/** @param {unknown} failure */
function codeOf(failure) {
  return failure instanceof Error && 'code' in failure ? failure.code : undefined
}
