import { copyFile, mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type JobControl, JobFailure } from '#job-control.ts'
import { filesBelow, ifGone } from './durable-files.ts'

const MAX_COPY_ATTEMPTS = 5

/** Copies every file below a folder. A file that changes during its copy is copied again; one that is gone is left out. */
export async function copyTree(from: string, to: string, control: JobControl): Promise<void> {
  const paths = await filesBelow(from)
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const [index, path] of paths.entries()) {
    control.signal.throwIfAborted()
    control.progress(index / paths.length, `Copying file ${index + 1} of ${paths.length}.`)
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    await copyUnchanged(join(from, path), join(to, path)).catch((fault) => {
      ifGone(fault)
      return rm(join(to, path), { force: true })
    })
  }
}

async function copyUnchanged(from: string, to: string): Promise<void> {
  for (let tried = 0; tried < MAX_COPY_ATTEMPTS; tried++) {
    const before = await versionOf(from)
    await copyFile(from, to)
    if ((await versionOf(from)) === before) return
  }
  throw new JobFailure(`${from} changed while it was being copied, five times in a row.`)
}

async function versionOf(file: string): Promise<string> {
  const { size, mtimeNs, ino } = await stat(file, { bigint: true })
  return `${size} ${mtimeNs} ${ino}`
}
