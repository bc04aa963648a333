import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux mounts a file system in memory here. */
const IN_MEMORY = '/dev/shm'
/** Several times what the tests have needed at once. */
const NEEDED_BYTES = 6 * 1024 ** 3

/**
 * Creates the folder for the temporary files of all tests, which is removed when this process exits. Stores sync every
 * commit; in memory that waits for no disk.
 */
export function createScratchFolder(parent = isUsable(IN_MEMORY) ? IN_MEMORY : tmpdir()) {
  const folder = mkdtempSync(join(parent, 'binnacle-tests-'))
  // Test servers of PostgreSQL run as another user.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** @param {string} parent */
function isUsable(parent) {
  if (!existsSync(parent) || freemem() < NEEDED_BYTES) return false
  const { bavail, bsize } = statfsSync(parent)
  return bavail * bsize >= NEEDED_BYTES && canExecute(parent)
}

/**
 * Some tests run scripts that they write; containers often mount it without that right.
 * @param {string} parent
 */
export function canExecute(parent) {
  const folder = mkdtempSync(join(parent, 'binnacle-probe-'))
  const script = join(folder, 'probe')
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(script)
  rmSync(folder, { recursive: true })
  return status === 0
}
